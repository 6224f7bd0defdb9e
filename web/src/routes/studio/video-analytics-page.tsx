import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Audience } from '../../features/analytics/audience/share-bars.tsx';
import { TrafficPanel } from '../../features/analytics/audience/traffic-panel.tsx';
import { ForecastPanel } from '../../features/analytics/forecast/forecast-panel.tsx';
import { PartMetrics } from '../../features/analytics/metrics/part-metrics.tsx';
import { periodOf, usualGranularity } from '../../features/analytics/period/period.ts';
import { PeriodPicker } from '../../features/analytics/period/period-picker.tsx';
import type { PeriodSearch } from '../../features/analytics/period/period-search.ts';
import { PlaybackQuality } from '../../features/analytics/playback/playback-quality.tsx';
import { RetentionPanel } from '../../features/analytics/playback/retention-panel.tsx';
import { AnalyticsVideo, AnalyticsVideoSeries } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { contentTail } from '../../lib/did.ts';
import { t } from '../../lib/i18n.ts';
import { KEEP_PREVIOUS, operationQuery } from '../../lib/query.ts';
import { siteName } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';

const route = getRouteApi('/studio/analytics/video/$');
const LINK = 'text-accent-text underline underline-offset-3';

/** Analytics of one video, or of the episodes of a series together. */
export function StudioVideoAnalyticsPage() {
  const { content, timeZone } = route.useLoaderData();
  const { id: channel } = route.useRouteContext().studio.channel;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isSeries = /\/(?:serie|season|miniserie)\//.test(content);
  const period = periodOf(search, timeZone);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...operationQuery(AnalyticsVideo, { channel, content, ...period }),
    ...KEEP_PREVIOUS,
  });
  const video = data?.channel?.analytics?.video;
  const change = (chosen: PeriodSearch): void => void navigate({ search: chosen, replace: true, resetScroll: false });
  return (
    <div className="space-y-6">
      <title>{`${video ? t`${video.content.metadata.title}, analytics` : t`Analytics`} · ${siteName()}`}</title>
      <header className="space-y-3">
        <p>
          <Link to="/studio/analytics" search={search} className={LINK}>{t`Channel analytics`}</Link>
        </p>
        <h1 className="text-3xl font-bold [overflow-wrap:anywhere]">
          <bdi>{video?.content.metadata.title ?? t`Analytics`}</bdi>
        </h1>
        {video && (
          <p>
            <Link to="/watch/$" params={{ _splat: contentTail(content) }} className={LINK}>
              {isSeries ? t`View series` : t`Watch video`}
            </Link>
          </p>
        )}
        <PeriodPicker period={search} timeZone={timeZone} onChange={change} />
      </header>
      {error !== null && (
        <ErrorNotice error={error} action={<Button onClick={() => void refetch()}>{t`Try again`}</Button>} />
      )}
      {data && !video && (
        <Empty
          title={t`Video not found`}
        >{t`It was deleted, or it belongs to a channel you are not a member of.`}</Empty>
      )}
      {video ? (
        <div className={`space-y-6 ${isPlaceholderData ? 'opacity-60' : ''}`}>
          <PartMetrics
            subject={video.content.metadata.title}
            overview={video.overview}
            period={period}
            usual={usualGranularity(search)}
            timeZone={timeZone}
            queryKey={['AnalyticsVideoSeries', { channel, content }]}
            load={async (of, granularity) => {
              const variables = { channel, content, granularity, ...of };
              return (await api(AnalyticsVideoSeries, variables)).channel?.analytics?.video ?? {};
            }}
          />
          <RetentionPanel video={video} />
          {!isSeries && <ForecastPanel content={content} />}
          <TrafficPanel sources={video.trafficSources} />
          <Audience audience={video.audience} />
          <PlaybackQuality quality={video.quality} />
        </div>
      ) : (
        error === null && !data && <div role="status" aria-label={t`Loading`} className="skeleton h-96 rounded-2xl" />
      )}
    </div>
  );
}
