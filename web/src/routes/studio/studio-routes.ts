import { createRoute, retainSearchParams } from '@tanstack/react-router';
import { CONTENT_LISTS } from '../../features/analytics/contents/content-list-names.ts';
import { readPeriod } from '../../features/analytics/period/period-search.ts';
import { readEditTab } from '../../features/studio/edit/edit-tab-search.ts';
import { readListSearch } from '../../features/studio/table/list-search.ts';
import { lazyFile, lazyPage } from '../../lib/lazy-page.ts';
import { oneOf } from '../../lib/url.ts';
import { requireSignIn, root } from '../root.tsx';

/** What pages load is loaded with the first of them, so that viewers do not load it. */
const loaders = lazyFile(() => import('./studio-loaders.ts'));

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
    return { studio: await (await loaders()).loadStudioContext(search.channel) };
  },
  component: lazyPage(() => import('./studio-shell.tsx'), 'StudioShell'),
});

/** Pages reload when the channel changes, and are never cached. */
const channelScoped = {
  loaderDeps: ({ search }: { search: StudioSearch }) => ({ channel: search.channel }),
  gcTime: 0,
};

const dashboard = createRoute({
  getParentRoute: () => studio,
  path: '/',
  ...channelScoped,
  loader: async ({ context: { studio } }) => (await loaders()).dashboard(studio),
  component: lazyPage(() => import('./dashboard-page.tsx'), 'StudioDashboardPage'),
});

const contents = createRoute({
  getParentRoute: () => studio,
  path: '/videos',
  validateSearch: readListSearch,
  loaderDeps: ({ search }) => search,
  gcTime: 0,
  loader: async ({ context: { studio }, deps }) => (await loaders()).contents(studio, deps),
  component: lazyPage(() => import('./contents-page.tsx'), 'StudioVideosPage'),
});

const content = createRoute({
  getParentRoute: () => studio,
  path: '/content/$',
  validateSearch: readEditTab,
  gcTime: 0,
  loader: async ({ params }) => (await loaders()).content(params._splat ?? ''),
  component: lazyPage(() => import('./content-page.tsx'), 'StudioContentPage'),
});

const live = createRoute({
  getParentRoute: () => studio,
  path: '/live',
  ...channelScoped,
  loader: async ({ context: { studio } }) => (await loaders()).live(studio),
  component: lazyPage(() => import('./live-page.tsx'), 'StudioLivePage'),
});

const series = createRoute({
  getParentRoute: () => studio,
  path: '/series',
  ...channelScoped,
  loader: async ({ context: { studio } }) => (await loaders()).series(studio),
  component: lazyPage(() => import('./series-page.tsx'), 'StudioSeriesPage'),
});

const playlists = createRoute({
  getParentRoute: () => studio,
  path: '/playlists',
  ...channelScoped,
  loader: async ({ context: { studio } }) => (await loaders()).playlists(studio),
  component: lazyPage(() => import('./playlists-page.tsx'), 'StudioPlaylistsPage'),
});

const playlist = createRoute({
  getParentRoute: () => studio,
  path: '/playlists/$id',
  gcTime: 0,
  loader: async ({ params }) => (await loaders()).playlist(params.id),
  component: lazyPage(() => import('./playlist-page.tsx'), 'StudioPlaylistPage'),
});

const comments = createRoute({
  getParentRoute: () => studio,
  path: '/comments',
  validateSearch: (search: Record<string, unknown>) => oneOf('filter', search.filter, ['UNANSWERED', 'HELD']),
  ...channelScoped,
  loader: async ({ context: { studio } }) => (await loaders()).comments(studio),
  component: lazyPage(() => import('./comments-page.tsx'), 'StudioCommentsPage'),
});

const analytics = createRoute({
  getParentRoute: () => studio,
  path: '/analytics',
  validateSearch: (search: Record<string, unknown>) => ({
    ...readPeriod(search),
    ...oneOf('view', search.view, ['content', 'audience']),
    ...oneOf('list', search.list, CONTENT_LISTS),
  }),
  ...channelScoped,
  loader: async ({ context: { studio } }) => (await loaders()).analytics(studio),
  component: lazyPage(() => import('./analytics-page.tsx'), 'StudioAnalyticsPage'),
});

const videoAnalytics = createRoute({
  getParentRoute: () => studio,
  path: '/analytics/video/$',
  validateSearch: readPeriod,
  ...channelScoped,
  loader: async ({ context: { studio }, params }) => (await loaders()).videoAnalytics(studio, params._splat ?? ''),
  component: lazyPage(() => import('./video-analytics-page.tsx'), 'StudioVideoAnalyticsPage'),
});

const playlistAnalytics = createRoute({
  getParentRoute: () => studio,
  path: '/analytics/playlist/$id',
  validateSearch: readPeriod,
  ...channelScoped,
  loader: async ({ context: { studio }, params }) => (await loaders()).playlistAnalytics(studio, params.id),
  component: lazyPage(() => import('./playlist-analytics-page.tsx'), 'StudioPlaylistAnalyticsPage'),
});

const channel = createRoute({
  getParentRoute: () => studio,
  path: '/channel',
  ...channelScoped,
  loader: async ({ context: { studio } }) => (await loaders()).channel(studio),
  component: lazyPage(() => import('./channel-page.tsx'), 'StudioChannelPage'),
});

const trash = createRoute({
  getParentRoute: () => studio,
  path: '/trash',
  ...channelScoped,
  loader: async ({ context: { studio } }) => (await loaders()).trash(studio),
  component: lazyPage(() => import('./trash-page.tsx'), 'StudioTrashPage'),
});

const newChannel = createRoute({
  getParentRoute: () => studio,
  path: '/new-channel',
  component: lazyPage(() => import('./new-channel-page.tsx'), 'StudioNewChannelPage'),
});

/** The studio routes. */
export const studioRoutes = studio.addChildren([
  dashboard,
  contents,
  content,
  live,
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
