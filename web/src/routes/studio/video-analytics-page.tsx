import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ForecastPanel } from '../../features/analytics/forecast-panel.tsx';
import { KpiCards } from '../../features/analytics/kpi-cards.tsx';
import { CLICK_THROUGH_RATE, METRICS } from '../../features/analytics/metrics.ts';
import { type PeriodSearch, periodOf, spanName, usualGranularity } from '../../features/analytics/period.ts';
import { PeriodPicker } from '../../features/analytics/period-picker.tsx';
import { PlaybackQuality } from '../../features/analytics/playback-quality.tsx';
import { RetentionPanel } from '../../features/analytics/retention-panel.tsx';
import { SeriesPanel } from '../../features/analytics/series-panel.tsx';
import { Audience } from '../../features/analytics/share-bars.tsx';
import {
  AnalyticsVideo,
  type AnalyticsVideoResult,
  AnalyticsVideoTimeSeries,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { watchPath } from '../../lib/did.ts';
import { KEEP_PREVIOUS, operationQuery } from '../../lib/query.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';

const route = getRouteApi('/studio/analytics/video/$');
const LINK = 'text-accent-text underline underline-offset-3';
const CHARTED = ['VIEWS', 'WATCH_MINUTES', 'UNIQUE_VIEWERS', 'IMPRESSIONS', 'CLICKS'] as const;

type Video = NonNullable<NonNullable<NonNullable<AnalyticsVideoResult['channel']>['analytics']>['video']>;

/** Analytics of one video. */
export function StudioVideoAnalyticsPage() {
  const { content, timeZone } = route.useLoaderData();
  const { id: channel } = route.useRouteContext().studio.channel;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const period = periodOf(search, timeZone);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...operationQuery(AnalyticsVideo, { channel, content, ...period }),
    ...KEEP_PREVIOUS,
  });
  const video = data?.channel?.analytics?.video;
  const change = (chosen: PeriodSearch): void => void navigate({ search: chosen, replace: true, resetScroll: false });
  return (
    <div className="space-y-6">
      <title>{`${video ? `${video.content.metadata.title}, analytics` : 'Analytics'} · Reelgraph`}</title>
      <header className="space-y-3">
        <p>
          <Link to="/studio/analytics" search={search} className={LINK}>
            Channel analytics
          </Link>
        </p>
        <h1 className="text-3xl font-bold [overflow-wrap:anywhere]">{video?.content.metadata.title ?? 'Analytics'}</h1>
        {video && (
          <p>
            <Link to="/watch/$" params={{ _splat: watchPath(content) }} className={LINK}>
              Watch video
            </Link>
          </p>
        )}
        <PeriodPicker period={search} timeZone={timeZone} onChange={change} />
      </header>
      {error !== null && (
        <ErrorNotice error={error} action={<Button onClick={() => void refetch()}>Try again</Button>} />
      )}
      {data && !video && (
        <Empty title="Video not found">It was deleted, or it belongs to a channel you are not a member of.</Empty>
      )}
      {video ? (
        <div className={`space-y-6 ${isPlaceholderData ? 'opacity-60' : ''}`}>
          <Cards video={video} timeZone={timeZone} />
          <ForecastPanel content={content} />
          <RetentionPanel video={video} />
          <SeriesPanel
            metrics={CHARTED}
            queryKey={['AnalyticsVideoTimeSeries', { channel, content, ...period }]}
            usual={usualGranularity(search)}
            timeZone={timeZone}
            load={async (metric, granularity) => {
              const { channel: found } = await api(AnalyticsVideoTimeSeries, {
                channel,
                content,
                metric,
                granularity,
                ...period,
              });
              if (!found?.analytics?.video) throw new Error('Analytics for this video are no longer available.');
              return found.analytics.video.timeseries;
            }}
          />
          <PlaybackQuality quality={video.quality} />
          <Audience audience={video.audience} />
        </div>
      ) : (
        error === null && !data && <div role="status" aria-label="Loading" className="skeleton h-96 rounded-2xl" />
      )}
    </div>
  );
}

function Cards({ video: { overview }, timeZone }: { video: Video; timeZone: string }) {
  return (
    <KpiCards
      cards={[
        { ...METRICS.VIEWS, kpi: overview.views },
        { ...METRICS.WATCH_MINUTES, kpi: overview.watchMinutes },
        { ...METRICS.UNIQUE_VIEWERS, kpi: overview.uniqueViewers },
        { ...METRICS.IMPRESSIONS, kpi: overview.impressions },
        { ...METRICS.CLICKS, kpi: overview.clicks },
        { ...CLICK_THROUGH_RATE, kpi: overview.clickThroughRate },
      ]}
      previous={spanName(overview.previousFrom, overview.previousTo, timeZone)}
      subject="video"
    />
  );
}
