import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { AudienceView } from '../../features/analytics/audience/audience-view.tsx';
import { ContentLists } from '../../features/analytics/contents/content-lists.tsx';
import { MetricsPanel } from '../../features/analytics/metrics/metrics-panel.tsx';
import { periodOf, usualGranularity } from '../../features/analytics/period/period.ts';
import { PeriodPicker } from '../../features/analytics/period/period-picker.tsx';
import type { PeriodSearch } from '../../features/analytics/period/period-search.ts';
import { RealtimePanel } from '../../features/analytics/realtime/realtime-panel.tsx';
import {
  AnalyticsOverview,
  type AnalyticsOverviewResult,
  AnalyticsSeries,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { KEEP_PREVIOUS, operationQuery } from '../../lib/query.ts';
import { siteName } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { EXACT, TAB, TabRow } from '../../ui/tabs.tsx';

const route = getRouteApi('/studio/analytics');

type Overview = NonNullable<NonNullable<AnalyticsOverviewResult['channel']>['analytics']>['overview'];

const VIEWS = [
  [undefined, t`Overview`],
  ['content', t`Content`],
  ['audience', t`Audience`],
] as const;

/** Channel analytics. */
export function StudioAnalyticsPage() {
  const { timeZone } = route.useLoaderData();
  const { id: channel } = route.useRouteContext().studio.channel;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { view, list = 'videos', ...chosen } = search;
  const period = periodOf(chosen, timeZone);
  const change = (to: PeriodSearch & Pick<typeof search, 'list'>): void =>
    void navigate({ search: { ...to, ...(view && { view }) }, replace: true, resetScroll: false });
  return (
    <div className="space-y-6">
      <title>{`${t`Analytics`} · ${siteName()}`}</title>
      <header className="space-y-3">
        <h1 className="text-3xl font-bold">{t`Analytics`}</h1>
        <TabRow label={t`Analytics`}>
          {VIEWS.map(([name, label]) => (
            <li key={name ?? 'overview'}>
              <Link
                to="/studio/analytics"
                search={{ ...chosen, ...(name && { view: name }) }}
                activeOptions={EXACT}
                aria-current={view === name ? 'page' : undefined}
                className={TAB}
              >
                {label}
              </Link>
            </li>
          ))}
        </TabRow>
        <PeriodPicker
          period={chosen}
          timeZone={timeZone}
          onChange={(to) => change({ ...to, ...(search.list && { list: search.list }) })}
        />
      </header>
      {view === undefined && <OverviewView channel={channel} chosen={chosen} timeZone={timeZone} />}
      {view === 'content' && (
        <ContentLists channel={channel} period={period} list={list} onList={(to) => change({ ...chosen, list: to })} />
      )}
      {view === 'audience' && <AudienceView channel={channel} period={period} timeZone={timeZone} />}
      <p className="text-sm text-muted">
        <Trans>
          Days start at midnight in the channel’s time zone, {timeZone.replaceAll('_', ' ')}. Data is delayed by a few
          seconds.
        </Trans>
      </p>
    </div>
  );
}

interface OverviewProperties {
  readonly channel: string;
  readonly chosen: PeriodSearch;
  readonly timeZone: string;
}

function OverviewView({ channel, chosen, timeZone }: OverviewProperties) {
  const period = periodOf(chosen, timeZone);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...operationQuery(AnalyticsOverview, { channel, ...period }),
    ...KEEP_PREVIOUS,
  });
  const overview = data?.channel?.analytics?.overview;
  if (error !== null)
    return <ErrorNotice error={error} action={<Button onClick={() => void refetch()}>{t`Try again`}</Button>} />;
  if (!data) return <div role="status" aria-label={t`Loading`} className="skeleton h-[40rem] rounded-2xl" />;
  if (!overview) return <Empty title={t`No access`}>{t`Only members of this channel can view its analytics.`}</Empty>;
  return (
    <div className={`space-y-6 ${isPlaceholderData ? 'opacity-60' : ''}`}>
      <MetricsPanel
        subject={t`Channel`}
        tiles={tilesOf(overview)}
        spans={overview}
        period={period}
        usual={usualGranularity(chosen)}
        timeZone={timeZone}
        queryKey={['AnalyticsSeries', { channel }]}
        load={async (of, granularity) =>
          (await api(AnalyticsSeries, { channel, granularity, ...of })).channel?.analytics ?? {}
        }
      />
      <RealtimePanel channel={channel} timeZone={timeZone} />
    </div>
  );
}

const tilesOf = (overview: Overview) =>
  [
    { metric: 'VIEWS', kpi: overview.views },
    { metric: 'WATCH_MINUTES', kpi: overview.watchMinutes },
    { metric: 'UNIQUE_VIEWERS', kpi: overview.uniqueViewers },
    { metric: 'CHANNEL_SUBSCRIBERS', kpi: overview.channelSubscribers },
    { metric: 'IMPRESSIONS', kpi: overview.impressions },
    { metric: 'CLICK_THROUGH_RATE', kpi: overview.clickThroughRate },
  ] as const;
