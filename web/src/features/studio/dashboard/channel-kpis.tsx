import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AnalyticsOverview } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Change } from '../../analytics/metrics/kpi-tiles.tsx';
import { METRICS } from '../../analytics/metrics/metrics.ts';

const PERIOD = { range: 'LAST_28D', from: null, to: null } as const;

/** The channel in the last 28 days, with the change from the 28 days before. */
export function ChannelKpis({ channel }: { channel: string }) {
  const { data, error } = useQuery(operationQuery(AnalyticsOverview, { channel, ...PERIOD }));
  const overview = data?.channel?.analytics?.overview;
  return (
    <Panel title={t`Channel`} hint={t`Last 28 days`}>
      {error !== null && <ErrorNotice error={error} />}
      {!overview && error === null && <div className="skeleton h-40 rounded-xl" />}
      {overview && (
        <dl className="grid grid-cols-2 gap-x-6 gap-y-5">
          {(
            [
              ['VIEWS', overview.views],
              ['WATCH_MINUTES', overview.watchMinutes],
              ['CHANNEL_SUBSCRIBERS', overview.channelSubscribers],
              ['UNIQUE_VIEWERS', overview.uniqueViewers],
            ] as const
          ).map(([metric, kpi]) => (
            <div key={metric} className="min-w-0">
              <dt className="text-sm text-muted">{METRICS[metric].label}</dt>
              <dd className="text-2xl font-bold tabular-nums">{METRICS[metric].format(kpi.value)}</dd>
              <dd className="text-sm">
                <Change kpi={kpi} format={METRICS[metric].format} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Link to="/studio/analytics" className={buttonClass()}>{t`Analytics`}</Link>
    </Panel>
  );
}
