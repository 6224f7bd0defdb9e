import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Audience } from '../../features/analytics/audience/share-bars.tsx';
import { TrafficPanel } from '../../features/analytics/audience/traffic-panel.tsx';
import { PartMetrics } from '../../features/analytics/metrics/part-metrics.tsx';
import { periodOf, usualGranularity } from '../../features/analytics/period/period.ts';
import { PeriodPicker } from '../../features/analytics/period/period-picker.tsx';
import type { PeriodSearch } from '../../features/analytics/period/period-search.ts';
import { AnalyticsPlaylist, AnalyticsPlaylistSeries } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { didSuffix } from '../../lib/did.ts';
import { t } from '../../lib/i18n.ts';
import { KEEP_PREVIOUS, operationQuery } from '../../lib/query.ts';
import { siteName } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';

const route = getRouteApi('/studio/analytics/playlist/$id');
const LINK = 'text-accent-text underline underline-offset-3';

/** Analytics of the videos of one playlist together. */
export function StudioPlaylistAnalyticsPage() {
  const { playlist, timeZone } = route.useLoaderData();
  const { id: channel } = route.useRouteContext().studio.channel;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const period = periodOf(search, timeZone);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...operationQuery(AnalyticsPlaylist, { channel, playlist, ...period }),
    ...KEEP_PREVIOUS,
  });
  const found = data?.channel?.analytics?.playlist;
  const title = found?.playlist.metadata.title ?? t`Playlist`;
  const change = (chosen: PeriodSearch): void => void navigate({ search: chosen, replace: true, resetScroll: false });
  return (
    <div className="space-y-6">
      <title>{`${t`${title}, analytics`} · ${siteName()}`}</title>
      <header className="space-y-3">
        <p>
          <Link
            to="/studio/analytics"
            search={{ ...search, view: 'content', list: 'playlists' }}
            className={LINK}
          >{t`Channel analytics`}</Link>
        </p>
        <h1 className="text-3xl font-bold [overflow-wrap:anywhere]">
          <bdi>{title}</bdi>
        </h1>
        <p className="text-muted">{t`The channel’s videos in this playlist together, wherever they were watched.`}</p>
        {found && (
          <p>
            <Link to="/playlist/$id" params={{ id: didSuffix(playlist) }} className={LINK}>{t`View playlist`}</Link>
          </p>
        )}
        <PeriodPicker period={search} timeZone={timeZone} onChange={change} />
      </header>
      {error !== null && (
        <ErrorNotice error={error} action={<Button onClick={() => void refetch()}>{t`Try again`}</Button>} />
      )}
      {data && !found && (
        <Empty
          title={t`Playlist not found`}
        >{t`It was deleted, or it belongs to a channel you are not a member of.`}</Empty>
      )}
      {!data && error === null && <div role="status" aria-label={t`Loading`} className="skeleton h-96 rounded-2xl" />}
      {found && (
        <div className={`space-y-6 ${isPlaceholderData ? 'opacity-60' : ''}`}>
          <PartMetrics
            subject={title}
            overview={found.overview}
            period={period}
            usual={usualGranularity(search)}
            timeZone={timeZone}
            queryKey={['AnalyticsPlaylistSeries', { channel, playlist }]}
            load={async (of, granularity) => {
              const variables = { channel, playlist, granularity, ...of };
              return (await api(AnalyticsPlaylistSeries, variables)).channel?.analytics?.playlist ?? {};
            }}
          />
          <TrafficPanel sources={found.trafficSources} />
          <Audience audience={found.audience} />
        </div>
      )}
    </div>
  );
}
