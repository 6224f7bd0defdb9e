import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FollowersPanel } from '../../features/analytics/followers-panel.tsx';
import { KpiCards } from '../../features/analytics/kpi-cards.tsx';
import { CLICK_THROUGH_RATE, METRICS } from '../../features/analytics/metrics.ts';
import { NoData } from '../../features/analytics/no-data.tsx';
import { type PeriodSearch, periodOf, spanName, usualGranularity } from '../../features/analytics/period.ts';
import { PeriodPicker } from '../../features/analytics/period-picker.tsx';
import { SeriesPanel } from '../../features/analytics/series-panel.tsx';
import { Audience } from '../../features/analytics/share-bars.tsx';
import { VideosTable } from '../../features/analytics/videos-table.tsx';
import {
  AnalyticsOverview,
  type AnalyticsOverviewResult,
  AnalyticsTimeSeries,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { KEEP_PREVIOUS, operationQuery } from '../../lib/query.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';

const route = getRouteApi('/studio/analytics');

type ChannelAnalytics = NonNullable<NonNullable<AnalyticsOverviewResult['channel']>['analytics']>;

const CHARTED = [
  ...(['VIEWS', 'WATCH_MINUTES', 'UNIQUE_VIEWERS', 'IMPRESSIONS', 'CLICKS'] as const),
  ...(['CHANNEL_SUBSCRIBERS', 'NEW_CHANNEL_SUBSCRIBERS'] as const),
];

/** Channel analytics. */
export function StudioAnalyticsPage() {
  const { timeZone } = route.useLoaderData();
  const { id: channel } = route.useRouteContext().studio.channel;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const period = periodOf(search, timeZone);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...operationQuery(AnalyticsOverview, { channel, ...period }),
    ...KEEP_PREVIOUS,
  });
  const analytics = data?.channel?.analytics;
  const change = (chosen: PeriodSearch): void => void navigate({ search: chosen, replace: true, resetScroll: false });
  return (
    <div className="space-y-6">
      <title>Analytics · Reelgraph</title>
      <header className="space-y-3">
        <h1 className="text-3xl font-bold">Analytics</h1>
        <PeriodPicker period={search} timeZone={timeZone} onChange={change} />
      </header>
      {error !== null && (
        <ErrorNotice error={error} action={<Button onClick={() => void refetch()}>Try again</Button>} />
      )}
      {data && !analytics && <Empty title="No access">Only members of this channel can view its analytics.</Empty>}
      {analytics ? (
        <div className={`space-y-6 ${isPlaceholderData ? 'opacity-60' : ''}`}>
          <Cards analytics={analytics} timeZone={timeZone} />
          {isEmpty(analytics) && <NoData />}
          <SeriesPanel
            metrics={CHARTED}
            queryKey={['AnalyticsTimeSeries', { channel, ...period }]}
            usual={usualGranularity(search)}
            timeZone={timeZone}
            load={async (metric, granularity) => {
              const { channel: found } = await api(AnalyticsTimeSeries, { channel, metric, granularity, ...period });
              if (!found?.analytics) throw new Error('Only members of this channel can view its analytics.');
              return found.analytics.timeseries;
            }}
          />
          <VideosTable channel={channel} period={period} />
          <Audience audience={analytics.audience} />
          <FollowersPanel followers={analytics.subscribers} timeZone={timeZone} />
          <p className="text-sm text-muted">
            Days start at midnight in the channel’s time zone, {timeZone.replaceAll('_', ' ')}. Data is delayed by a few
            seconds.
          </p>
        </div>
      ) : (
        error === null && !data && <Loading />
      )}
    </div>
  );
}

function Cards({ analytics, timeZone }: { analytics: ChannelAnalytics; timeZone: string }) {
  const { overview } = analytics;
  const card = (metric: (typeof CHARTED)[number], kpi: ChannelAnalytics['overview']['views']) => ({
    ...METRICS[metric],
    kpi,
  });
  return (
    <KpiCards
      cards={[
        card('VIEWS', overview.views),
        card('WATCH_MINUTES', overview.watchMinutes),
        card('UNIQUE_VIEWERS', overview.uniqueViewers),
        card('CHANNEL_SUBSCRIBERS', overview.channelSubscribers),
        card('IMPRESSIONS', overview.impressions),
        card('CLICKS', overview.clicks),
        { ...CLICK_THROUGH_RATE, kpi: overview.clickThroughRate },
        card('NEW_CHANNEL_SUBSCRIBERS', overview.newChannelSubscribers),
      ]}
      previous={spanName(overview.previousFrom, overview.previousTo, timeZone)}
      subject="channel"
    />
  );
}

function isEmpty({ overview, subscribers }: ChannelAnalytics): boolean {
  const { views, watchMinutes, channelSubscribers: followers } = overview;
  return views.value + watchMinutes.value + followers.value + subscribers.gained + subscribers.lost === 0;
}

function Loading() {
  return (
    <div role="status" aria-label="Loading" className="space-y-6">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
          <div key={key} className="skeleton h-29 rounded-2xl" />
        ))}
      </div>
      <div className="skeleton h-96 rounded-2xl" />
    </div>
  );
}
