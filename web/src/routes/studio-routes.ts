import { createRoute, lazyRouteComponent, notFound, retainSearchParams } from '@tanstack/react-router';
import { readPeriod } from '../features/analytics/period.ts';
import { readKind, SERIES_KINDS, VIDEO_KINDS } from '../features/studio/content/kinds.ts';
import { openDesk } from '../features/studio/dashboard.ts';
import {
  AnalyticsChannel,
  OpenUploads,
  StudioChannel,
  StudioComments,
  StudioContents,
  StudioEdit,
  StudioPlaylist,
  StudioPlaylists,
  StudioTrash,
  Taxonomy,
} from '../gql/generated/operations.gen.ts';
import { api } from '../lib/api.ts';
import { contentDid, didOf, namespace } from '../lib/did.ts';
import { orMissing, root, signedIn } from './root.tsx';

/** What a page of the studio has in its address: the channel it is about (the end of its DID); the account's own when left out. */
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
    await signedIn({ location });
    return { desk: await openDesk(search.channel) };
  },
  component: lazyRouteComponent(() => import('./studio-shell.tsx'), 'StudioShell'),
});

/** Pages are loaded anew for another channel, and never shown from memory. */
const ofChannel = { loaderDeps: ({ search }: { search: StudioSearch }) => ({ channel: search.channel }), gcTime: 0 };

/** What members see of a channel; for anyone else the page is not there. */
function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw notFound();
  return value;
}

const contents = createRoute({
  getParentRoute: () => studio,
  path: '/',
  validateSearch: (search: Record<string, unknown>) => readKind(search.kind),
  loaderDeps: ({ search: { channel, kind } }) => ({ channel, kind }),
  gcTime: 0,
  loader: async ({ context: { desk }, deps: { kind } }) => {
    const [{ channel }, { me }] = await Promise.all([
      api(StudioContents, { id: desk.channel.id, kinds: kind ? [kind] : VIDEO_KINDS }),
      api(OpenUploads, {}),
    ]);
    return { contents: present(channel?.contents), uploads: me.ingestions.edges.map(({ node }) => node) };
  },
  component: lazyRouteComponent(() => import('./studio-page.tsx'), 'StudioPage'),
});

const content = createRoute({
  getParentRoute: () => studio,
  path: '/content/$',
  gcTime: 0,
  loader: async ({ params }) => {
    const id = present(contentDid(params._splat ?? '', namespace()));
    const [found, taxonomy] = await Promise.all([orMissing(api(StudioEdit, { id })), api(Taxonomy)]);
    const item = present(found.content);
    present(item.channel.viewerRole);
    return { content: item, taxonomy };
  },
  component: lazyRouteComponent(() => import('./studio-content-page.tsx'), 'StudioContentPage'),
});

const series = createRoute({
  getParentRoute: () => studio,
  path: '/series',
  ...ofChannel,
  loader: async ({ context: { desk } }) =>
    present((await api(StudioContents, { id: desk.channel.id, kinds: SERIES_KINDS })).channel?.contents),
  component: lazyRouteComponent(() => import('./studio-series-page.tsx'), 'StudioSeriesPage'),
});

const playlists = createRoute({
  getParentRoute: () => studio,
  path: '/playlists',
  ...ofChannel,
  loader: async ({ context: { desk } }) => present((await api(StudioPlaylists, { id: desk.channel.id })).channel).playlists,
  component: lazyRouteComponent(() => import('./studio-playlists-page.tsx'), 'StudioPlaylistsPage'),
});

const playlist = createRoute({
  getParentRoute: () => studio,
  path: '/playlists/$id',
  gcTime: 0,
  loader: async ({ params }) => {
    const found = await orMissing(api(StudioPlaylist, { id: present(didOf('content/playlist', params.id, namespace())) }));
    const item = present(found.playlist);
    present(item.channel.viewerRole);
    const { channel: home } = await api(StudioContents, { id: item.channel.id, kinds: VIDEO_KINDS });
    return { playlist: item, contents: present(home?.contents) };
  },
  component: lazyRouteComponent(() => import('./studio-playlist-page.tsx'), 'StudioPlaylistPage'),
});

const comments = createRoute({
  getParentRoute: () => studio,
  path: '/comments',
  ...ofChannel,
  loader: async ({ context: { desk } }) => present((await api(StudioComments, { id: desk.channel.id })).channel),
  component: lazyRouteComponent(() => import('./studio-comments-page.tsx'), 'StudioCommentsPage'),
});

/** The time zone of the channel decides when the days of its numbers begin. */
async function timeZoneOf(channel: string): Promise<string> {
  return present((await api(AnalyticsChannel, { channel })).channel).timeZone;
}

const analytics = createRoute({
  getParentRoute: () => studio,
  path: '/analytics',
  validateSearch: readPeriod,
  ...ofChannel,
  loader: async ({ context: { desk } }) => ({ timeZone: await timeZoneOf(desk.channel.id) }),
  component: lazyRouteComponent(() => import('./studio-analytics-page.tsx'), 'StudioAnalyticsPage'),
});

const videoAnalytics = createRoute({
  getParentRoute: () => studio,
  path: '/analytics/video/$',
  validateSearch: readPeriod,
  ...ofChannel,
  loader: async ({ context: { desk }, params }) => ({
    content: present(contentDid(params._splat ?? '', namespace())),
    timeZone: await timeZoneOf(desk.channel.id),
  }),
  component: lazyRouteComponent(() => import('./studio-video-analytics-page.tsx'), 'StudioVideoAnalyticsPage'),
});

const channel = createRoute({
  getParentRoute: () => studio,
  path: '/channel',
  ...ofChannel,
  loader: async ({ context: { desk } }) => present((await api(StudioChannel, { id: desk.channel.id })).channel),
  component: lazyRouteComponent(() => import('./studio-channel-page.tsx'), 'StudioChannelPage'),
});

const trash = createRoute({
  getParentRoute: () => studio,
  path: '/trash',
  ...ofChannel,
  loader: async ({ context: { desk } }) => ({ trash: present((await api(StudioTrash, { id: desk.channel.id })).channel?.trash) }),
  component: lazyRouteComponent(() => import('./studio-trash-page.tsx'), 'StudioTrashPage'),
});

const newChannel = createRoute({
  getParentRoute: () => studio,
  path: '/new-channel',
  component: lazyRouteComponent(() => import('./studio-new-channel-page.tsx'), 'StudioNewChannelPage'),
});

/** The studio and its pages. */
export const studioRoutes = studio.addChildren([
  contents,
  content,
  series,
  playlists,
  playlist,
  comments,
  analytics,
  videoAnalytics,
  channel,
  trash,
  newChannel,
]);
