import { createRoute, lazyRouteComponent, notFound, retainSearchParams } from '@tanstack/react-router';
import { CONTENT_LISTS } from '../../features/analytics/content-list-names.ts';
import { readPeriod } from '../../features/analytics/period-search.ts';
import { SERIES_KINDS, VIDEO_KINDS } from '../../features/studio/content/kinds.ts';
import { readEditTab } from '../../features/studio/edit/edit-tabs.ts';
import { loadStudioContext } from '../../features/studio/studio-context.ts';
import { listVariables, readListSearch } from '../../features/studio/table/list-search.ts';
import {
  AnalyticsChannel,
  OpenUploads,
  StudioChannel,
  StudioComments,
  StudioContentDetails,
  StudioContents,
  StudioDashboard,
  StudioPlaylist,
  StudioPlaylists,
  StudioTrash,
  Taxonomy,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { contentDid, didOf, namespace } from '../../lib/did.ts';
import { oneOf } from '../../lib/url.ts';
import { notFoundAsMissing, requireSignIn, root } from '../root.tsx';

/** `channel`: id of the channel; the account's own by default. */
interface StudioSearch {
  readonly channel?: string;
}

const studio = createRoute({
  getParentRoute: () => root,
  path: '/studio',
  validateSearch: (search: Record<string, unknown>): StudioSearch =>
    typeof search.channel === 'string' ? { channel: search.channel } : {},
  search: { middlewares: [retainSearchParams<StudioSearch>(['channel'])] },
  beforeLoad: async ({ location, search }) => {
    await requireSignIn({ location });
    return { studio: await loadStudioContext(search.channel) };
  },
  component: lazyRouteComponent(() => import('./studio-shell.tsx'), 'StudioShell'),
});

/** Pages reload when the channel changes, and are never cached. */
const channelScoped = {
  loaderDeps: ({ search }: { search: StudioSearch }) => ({ channel: search.channel }),
  gcTime: 0,
};

/** Fields that only members can see are null for others, who get the not-found page. */
function orNotFound<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw notFound();
  return value;
}

const dashboard = createRoute({
  getParentRoute: () => studio,
  path: '/',
  ...channelScoped,
  loader: async ({ context: { studio } }) =>
    orNotFound((await api(StudioDashboard, { channel: studio.channel.id })).channelDashboard),
  component: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'StudioDashboardPage'),
});

const contents = createRoute({
  getParentRoute: () => studio,
  path: '/videos',
  validateSearch: readListSearch,
  loaderDeps: ({ search }) => search,
  gcTime: 0,
  loader: async ({ context: { studio }, deps }) => {
    const [{ channel }, { me }] = await Promise.all([
      api(StudioContents, { id: studio.channel.id, ...listVariables(deps) }),
      api(OpenUploads, {}),
    ]);
    return { contents: orNotFound(channel?.contents), uploads: me.ingestions.edges.map(({ node }) => node) };
  },
  component: lazyRouteComponent(() => import('./contents-page.tsx'), 'StudioVideosPage'),
});

const content = createRoute({
  getParentRoute: () => studio,
  path: '/content/$',
  validateSearch: readEditTab,
  gcTime: 0,
  loader: async ({ params }) => {
    const id = orNotFound(contentDid(params._splat ?? '', namespace()));
    const [found, taxonomy] = await Promise.all([notFoundAsMissing(api(StudioContentDetails, { id })), api(Taxonomy)]);
    const item = orNotFound(found.content);
    orNotFound(item.channel.viewerRole);
    return { content: item, taxonomy };
  },
  component: lazyRouteComponent(() => import('./content-page.tsx'), 'StudioContentPage'),
});

const series = createRoute({
  getParentRoute: () => studio,
  path: '/series',
  ...channelScoped,
  loader: async ({ context: { studio } }) =>
    orNotFound((await api(StudioContents, { id: studio.channel.id, kinds: SERIES_KINDS })).channel?.contents),
  component: lazyRouteComponent(() => import('./series-page.tsx'), 'StudioSeriesPage'),
});

const playlists = createRoute({
  getParentRoute: () => studio,
  path: '/playlists',
  ...channelScoped,
  loader: async ({ context: { studio } }) =>
    orNotFound((await api(StudioPlaylists, { id: studio.channel.id })).channel).playlists,
  component: lazyRouteComponent(() => import('./playlists-page.tsx'), 'StudioPlaylistsPage'),
});

const playlist = createRoute({
  getParentRoute: () => studio,
  path: '/playlists/$id',
  gcTime: 0,
  loader: async ({ params }) => {
    const found = await notFoundAsMissing(
      api(StudioPlaylist, { id: orNotFound(didOf('content/playlist', params.id, namespace())) }),
    );
    const item = orNotFound(found.playlist);
    orNotFound(item.channel.viewerRole);
    const { channel: home } = await api(StudioContents, { id: item.channel.id, kinds: VIDEO_KINDS });
    return { playlist: item, contents: orNotFound(home?.contents) };
  },
  component: lazyRouteComponent(() => import('./playlist-page.tsx'), 'StudioPlaylistPage'),
});

const comments = createRoute({
  getParentRoute: () => studio,
  path: '/comments',
  validateSearch: (search: Record<string, unknown>) => oneOf('filter', search.filter, ['UNANSWERED', 'HELD']),
  ...channelScoped,
  loader: async ({ context: { studio } }) => orNotFound((await api(StudioComments, { id: studio.channel.id })).channel),
  component: lazyRouteComponent(() => import('./comments-page.tsx'), 'StudioCommentsPage'),
});

/** Days in analytics start at midnight in the channel's time zone. */
async function timeZoneOf(channel: string): Promise<string> {
  return orNotFound((await api(AnalyticsChannel, { channel })).channel).timeZone;
}

const analytics = createRoute({
  getParentRoute: () => studio,
  path: '/analytics',
  validateSearch: (search: Record<string, unknown>) => ({
    ...readPeriod(search),
    ...oneOf('view', search.view, ['content', 'audience']),
    ...oneOf('list', search.list, CONTENT_LISTS),
  }),
  ...channelScoped,
  loader: async ({ context: { studio } }) => ({ timeZone: await timeZoneOf(studio.channel.id) }),
  component: lazyRouteComponent(() => import('./analytics-page.tsx'), 'StudioAnalyticsPage'),
});

const videoAnalytics = createRoute({
  getParentRoute: () => studio,
  path: '/analytics/video/$',
  validateSearch: readPeriod,
  ...channelScoped,
  loader: async ({ context: { studio }, params }) => ({
    content: orNotFound(contentDid(params._splat ?? '', namespace())),
    timeZone: await timeZoneOf(studio.channel.id),
  }),
  component: lazyRouteComponent(() => import('./video-analytics-page.tsx'), 'StudioVideoAnalyticsPage'),
});

const playlistAnalytics = createRoute({
  getParentRoute: () => studio,
  path: '/analytics/playlist/$id',
  validateSearch: readPeriod,
  ...channelScoped,
  loader: async ({ context: { studio }, params }) => ({
    playlist: orNotFound(didOf('content/playlist', params.id, namespace())),
    timeZone: await timeZoneOf(studio.channel.id),
  }),
  component: lazyRouteComponent(() => import('./playlist-analytics-page.tsx'), 'StudioPlaylistAnalyticsPage'),
});

const channel = createRoute({
  getParentRoute: () => studio,
  path: '/channel',
  ...channelScoped,
  loader: async ({ context: { studio } }) => orNotFound((await api(StudioChannel, { id: studio.channel.id })).channel),
  component: lazyRouteComponent(() => import('./channel-page.tsx'), 'StudioChannelPage'),
});

const trash = createRoute({
  getParentRoute: () => studio,
  path: '/trash',
  ...channelScoped,
  loader: async ({ context: { studio } }) => ({
    trash: orNotFound((await api(StudioTrash, { id: studio.channel.id })).channel?.trash),
  }),
  component: lazyRouteComponent(() => import('./trash-page.tsx'), 'StudioTrashPage'),
});

const newChannel = createRoute({
  getParentRoute: () => studio,
  path: '/new-channel',
  component: lazyRouteComponent(() => import('./new-channel-page.tsx'), 'StudioNewChannelPage'),
});

/** The studio routes. */
export const studioRoutes = studio.addChildren([
  dashboard,
  contents,
  content,
  series,
  playlists,
  playlist,
  comments,
  analytics,
  videoAnalytics,
  playlistAnalytics,
  channel,
  trash,
  newChannel,
]);
