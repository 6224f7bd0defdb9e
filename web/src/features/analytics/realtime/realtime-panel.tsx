import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AnalyticsRealtime, type AnalyticsRealtimeResult } from '../../../gql/generated/operations.gen.ts';
import { contentTail } from '../../../lib/did.ts';
import { formatLocale, plural, t } from '../../../lib/i18n.ts';
import { count, shortCount } from '../../../lib/numbers.ts';
import { operationQuery } from '../../../lib/query.ts';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Chart } from '../chart/chart.tsx';
import type { ChartPoint } from '../chart/chart-point.ts';
import { METRICS } from '../metrics/metrics.ts';

type Realtime = NonNullable<NonNullable<AnalyticsRealtimeResult['channel']>['analytics']>['realtime'];

/** How often it is loaded again. */
const EVERY_MS = 30_000;

/** Views of the last hour and of the last 48 hours, kept current. */
export function RealtimePanel({ channel, timeZone }: { channel: string; timeZone: string }) {
  const { data, error } = useQuery({ ...operationQuery(AnalyticsRealtime, { channel }), refetchInterval: EVERY_MS });
  const realtime = data?.channel?.analytics?.realtime;
  return (
    <Panel title={t`Realtime`} hint={t`Updated every 30 seconds`}>
      {error !== null && !realtime && <ErrorNotice error={error} />}
      {realtime && (
        <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
          <Span
            label={t`Last 60 minutes`}
            chartLabel={t`Views, last 60 minutes`}
            views={realtime.lastHourViews}
            points={pointsOf(realtime.minutes, { hour: '2-digit', minute: '2-digit' }, timeZone)}
            column={t`Minute`}
          />
          <Span
            label={t`Last 48 hours`}
            chartLabel={t`Views, last 48 hours`}
            views={realtime.last48HoursViews}
            points={pointsOf(realtime.hours, { weekday: 'short', hour: '2-digit', minute: '2-digit' }, timeZone)}
            column={t`Hour`}
          />
        </div>
      )}
      {realtime && realtime.contents.length > 0 && <MostViewed contents={realtime.contents} />}
      {!realtime && error === null && <div className="skeleton h-64 rounded-xl" />}
    </Panel>
  );
}

interface SpanProperties {
  readonly label: string;
  readonly chartLabel: string;
  readonly views: number;
  readonly points: readonly ChartPoint[];
  readonly column: string;
}

function Span({ label, chartLabel, views, points, column }: SpanProperties) {
  return (
    <div className="min-w-0 space-y-3">
      <p>
        <span className="block text-sm text-muted">{label}</span>
        <span className="text-2xl font-bold tabular-nums">{count(views)}</span>{' '}
        <span className="text-muted">{plural(views, { one: 'view', other: 'views' })}</span>
      </p>
      {views > 0 && (
        <Chart
          label={chartLabel}
          points={points}
          kind="bars"
          whole
          formatTick={shortCount}
          describe={({ value }) => METRICS.VIEWS.describe(value)}
          columns={[column, t`Views`]}
        />
      )}
    </div>
  );
}

function MostViewed({ contents }: { contents: Realtime['contents'] }) {
  return (
    <div className="space-y-2">
      <h3 className="text-sm text-muted">{t`Most viewed in 48 hours`}</h3>
      <ol className="space-y-1.5">
        {contents.map(({ id, title, views }) => (
          <li key={id} className="flex items-baseline justify-between gap-4">
            <Link
              to="/studio/analytics/video/$"
              params={{ _splat: contentTail(id) }}
              dir="auto"
              className="min-w-0 truncate font-medium hover:text-accent-text"
            >
              {title}
            </Link>
            <span className="shrink-0 text-muted tabular-nums">{count(views)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function pointsOf(points: Realtime['hours'], format: Intl.DateTimeFormatOptions, timeZone: string): ChartPoint[] {
  const full = new Intl.DateTimeFormat(formatLocale, { ...format, timeZone });
  const short = new Intl.DateTimeFormat(formatLocale, { hour: '2-digit', minute: '2-digit', timeZone });
  return points.map(({ at, views }) => ({
    key: at,
    name: full.format(new Date(at)),
    tick: short.format(new Date(at)),
    value: views,
  }));
}
