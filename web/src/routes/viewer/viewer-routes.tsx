import { createRoute, notFound, redirect } from '@tanstack/react-router';
import { forgetInvitationToken, takeInvitationToken } from '../../features/invitations/invitation-token.ts';
import { isPlayedKind, WATCH_LATER_LIST } from '../../features/queue/queue.ts';
import { readSearchParams, type SearchParams, searchVariables } from '../../features/search/search-params.ts';
import {
  Categories,
  ChannelOfHandle,
  ChannelPage,
  Contents,
  HandleOfChannel,
  Home,
  Miniserie,
  SeasonSeries,
  Serie,
  Trending,
} from '../../gql/generated/handles/browse.gen.ts';
import { InvitationByLink, OwnInvitations } from '../../gql/generated/handles/invitations.gen.ts';
import { Feed, Following, LikedContents, OwnHome, WatchHistory } from '../../gql/generated/handles/library.gen.ts';
import { Notifications } from '../../gql/generated/handles/notifications.gen.ts';
import { OwnPlaylists, Playlist, WatchLater } from '../../gql/generated/handles/playlist.gen.ts';
import { Search } from '../../gql/generated/handles/search.gen.ts';
import { SharedContents } from '../../gql/generated/handles/sharing.gen.ts';
import { ShortCard } from '../../gql/generated/handles/shorts.gen.ts';
import { ContentAddress, Watch } from '../../gql/generated/handles/watch.gen.ts';
import type { ContentCardFragment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { byName } from '../../lib/by-name.ts';
import { channelDid, contentDid, didOf, namespace, seriesTail } from '../../lib/did.ts';
import { lazyPage } from '../../lib/lazy-page.ts';
import { currentUser } from '../../lib/session.ts';
import { oneOf, shortId, wholeNumber } from '../../lib/url.ts';
import { notFoundAsMissing, requireSignIn, root } from '../root.tsx';
import { SERIES, SHORTS } from './browse-lists.ts';

/**
 * Videos that the viewer started but did not finish, and the latest ones of the channels that they follow. Optional:
 * errors are ignored.
 */
async function ownHome(): Promise<Record<'watched' | 'followed', readonly ContentCardFragment[]>> {
  const user = await currentUser().catch(() => null);
  const own = user && (await api(OwnHome).catch(() => null));
  const began = own?.watchHistory.edges.filter(({ node }) => !node.completed && node.positionMs >= 5_000) ?? [];
  return {
    watched: began.flatMap(({ node }) => (node.content ? [node.content] : [])).slice(0, 8),
    followed: own?.feed.edges.map(({ node }) => node) ?? [],
  };
}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  loader: async () => {
    const [home, own] = await Promise.all([api(Home, {}), ownHome()]);
    return { home, ...own };
  },
  component: lazyPage(() => import('./home-page.tsx'), 'HomePage'),
});

const trending = createRoute({
  getParentRoute: () => root,
  path: '/trending',
  loader: async () => (await api(Trending, {})).trending,
  component: lazyPage(() => import('./browse-pages.tsx'), 'TrendingPage'),
});

const shorts = createRoute({
  getParentRoute: () => root,
  path: '/shorts',
  /** `v`: id of the short that is shown first; it follows the feed. */
  validateSearch: (search: Record<string, unknown>) => shortId('v', search.v),
  loader: async ({ location }) => {
    const { v } = location.search as { v?: string }; // validated above
    const id = v === undefined ? null : contentDid(`short/${v}`, namespace());
    const [named, { contents }] = await Promise.all([
      id === null ? null : notFoundAsMissing(api(ShortCard, { id })),
      api(Contents, SHORTS),
    ]);
    return { named: named?.content ?? null, first: contents };
  },
  // The address changes with the short; the list stays.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  component: lazyPage(() => import('./shorts-page.tsx'), 'ShortsPage'),
});

const allSeries = createRoute({
  getParentRoute: () => root,
  path: '/browse/series',
  loader: async () => (await api(Contents, SERIES)).contents,
  component: lazyPage(() => import('./browse-pages.tsx'), 'AllSeriesPage'),
});

/**
 * `t`: start in seconds; `list`: id of the playlist, or Watch later; `item`: id of the playlist item; `comment`: id of
 * the comment that is shown first.
 */
const watchSearch = (
  search: Record<string, unknown>,
): { t?: number; list?: string; item?: string; comment?: string } => ({
  ...wholeNumber('t', search.t),
  ...(search.list === WATCH_LATER_LIST ? { list: WATCH_LATER_LIST } : shortId('list', search.list)),
  ...shortId('item', search.item),
  ...shortId('comment', search.comment),
});

const watch = createRoute({
  getParentRoute: () => root,
  path: '/w/$code',
  validateSearch: watchSearch,
  loader: async ({ params: { code } }) => {
    const { content } = await notFoundAsMissing(api(Watch, { code }));
    if (!content) throw notFound();
    // Series, seasons and miniseries have their own pages.
    if (!isPlayedKind(content)) {
      const _splat = seriesTail(content.id);
      throw redirect({ to: '/series/$', params: { _splat }, replace: true });
    }
    return content;
  },
  component: lazyPage(() => import('./watch-page.tsx'), 'WatchPage'),
});

/** Addresses by identifier lead to those by code. */
const watchById = createRoute({
  getParentRoute: () => root,
  path: '/watch/$',
  validateSearch: watchSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) => {
    const id = contentDid(params._splat ?? '', namespace());
    if (!id) throw notFound();
    const { content } = await notFoundAsMissing(api(ContentAddress, { id }));
    if (!content) throw notFound();
    throw redirect({ to: '/w/$code', params: { code: content.shortCode }, search: deps, replace: true });
  },
});

export const CHANNEL_TABS = ['videos', 'shorts', 'series', 'playlists', 'about'] as const;

const channel = createRoute({
  getParentRoute: () => root,
  path: '/@{$handle}',
  validateSearch: (search: Record<string, unknown>) => oneOf('tab', search.tab, CHANNEL_TABS),
  loader: async ({ params: { handle } }) => {
    const { channel: named } = await notFoundAsMissing(api(ChannelOfHandle, { handle }));
    if (!named) throw notFound();
    // The address has the handle as it is stored.
    if (named.handle !== handle)
      throw redirect({ to: '/@{$handle}', params: { handle: named.handle }, search: true, replace: true });
    const page = await notFoundAsMissing(api(ChannelPage, { id: named.id }));
    if (!page.channel) throw notFound();
    return { ...page, channel: page.channel };
  },
  component: lazyPage(() => import('./channel-page.tsx'), 'ChannelPage'),
});

/** Addresses by identifier lead to those by handle. */
const channelById = createRoute({
  getParentRoute: () => root,
  path: '/channel/$id',
  validateSearch: (search: Record<string, unknown>) => oneOf('tab', search.tab, CHANNEL_TABS),
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) => {
    const id = channelDid(params.id, namespace());
    if (!id) throw notFound();
    const { channel: found } = await notFoundAsMissing(api(HandleOfChannel, { id }));
    if (!found) throw notFound();
    throw redirect({ to: '/@{$handle}', params: { handle: found.handle }, search: deps, replace: true });
  },
});

const series = createRoute({
  getParentRoute: () => root,
  path: '/series/$',
  /** `season`: number of the selected season. */
  validateSearch: (search: Record<string, unknown>): { season?: number } => wholeNumber('season', search.season),
  // The address of all series that people guess, too.
  beforeLoad: ({ params }) => {
    if (!params._splat) throw redirect({ to: '/browse/series', replace: true });
  },
  loader: async ({ params }) => {
    const tail = params._splat ?? '';
    const id = contentDid(tail.includes('/') ? tail : `serie/${tail}`, namespace());
    if (!id) throw notFound();
    if (id.includes('/miniserie/')) {
      const { miniserie } = await notFoundAsMissing(api(Miniserie, { id }));
      if (!miniserie) throw notFound();
      return { ...miniserie, kind: 'MINISERIES' as const, chosen: null };
    }
    const season = id.includes('/season/') ? (await notFoundAsMissing(api(SeasonSeries, { id }))).season : null;
    const { serie } = await notFoundAsMissing(api(Serie, { id: season?.associatedSeries?.id ?? id }));
    if (!serie) throw notFound();
    return { ...serie, kind: 'SERIES' as const, chosen: season?.metadata.number ?? null };
  },
  component: lazyPage(() => import('./series-page.tsx'), 'SeriesPage'),
});

const playlist = createRoute({
  getParentRoute: () => root,
  path: '/playlist/$id',
  loader: async ({ params }) => {
    const id = didOf('content/playlist', params.id, namespace());
    if (!id) throw notFound();
    const { playlist: found } = await notFoundAsMissing(api(Playlist, { id }));
    if (!found) throw notFound();
    return found;
  },
  component: lazyPage(() => import('./playlist-page.tsx'), 'PlaylistPage'),
});

const category = createRoute({
  getParentRoute: () => root,
  path: '/category/$slug',
  validateSearch: (search: Record<string, unknown>) => oneOf('sort', search.sort, ['views', 'likes']),
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) => {
    const { categories } = await api(Categories, {});
    const all = byName(categories.edges);
    const found = all.find(({ slug }) => slug === params.slug);
    if (!found) throw notFound();
    const query = {
      filter: { categories: [found.id], kinds: ['FEATURE', 'SHORT', 'EPISODE', 'STREAM', 'SERIES', 'MINISERIES'] },
      sort: deps.sort === 'views' ? 'MOST_VIEWED' : deps.sort === 'likes' ? 'MOST_LIKED' : 'NEWEST',
    } as const;
    return { category: found, all, query, contents: (await api(Contents, query)).contents };
  },
  component: lazyPage(() => import('./category-page.tsx'), 'CategoryPage'),
});

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: (search: Record<string, unknown>): SearchParams => readSearchParams(search),
  // Without what validation left out, which the router keeps.
  loaderDeps: ({ search }) => readSearchParams({ ...search }),
  loader: async ({ deps }) => {
    const categories = byName((await api(Categories, {})).categories.edges);
    const variables = searchVariables(deps, categories, Date.now());
    return { categories, variables, found: variables && (await api(Search, variables)).search };
  },
  component: lazyPage(() => import('./search-page.tsx'), 'SearchPage'),
});

/** An address that people guess from the name of the page. */
const following = createRoute({
  getParentRoute: () => root,
  path: '/following',
  beforeLoad: () => {
    throw redirect({ to: '/feed', replace: true });
  },
});

const feed = createRoute({
  getParentRoute: () => root,
  path: '/feed',
  beforeLoad: requireSignIn,
  loader: async () => {
    const [{ feed: contents }, { me }] = await Promise.all([api(Feed, {}), api(Following, {})]);
    return { contents, following: me.followedChannels };
  },
  gcTime: 0, // follows change on other pages
  component: lazyPage(() => import('./library-pages.tsx'), 'FeedPage'),
});

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  beforeLoad: requireSignIn,
  loader: async () => (await api(WatchHistory, { first: 30 })).watchHistory,
  gcTime: 0, // history changes on other pages
  component: lazyPage(() => import('./history-page.tsx'), 'HistoryPage'),
});

const liked = createRoute({
  getParentRoute: () => root,
  path: '/liked',
  beforeLoad: requireSignIn,
  loader: async () => (await api(LikedContents, {})).me.likedContents,
  gcTime: 0, // likes change on other pages
  component: lazyPage(() => import('./library-pages.tsx'), 'LikedPage'),
});

const watchLater = createRoute({
  getParentRoute: () => root,
  path: '/watch-later',
  beforeLoad: requireSignIn,
  loader: async () => (await api(WatchLater, {})).me.watchLater,
  gcTime: 0, // it changes on other pages
  component: lazyPage(() => import('./watch-later-page.tsx'), 'WatchLaterPage'),
});

const shared = createRoute({
  getParentRoute: () => root,
  path: '/shared',
  beforeLoad: requireSignIn,
  loader: async () => (await api(SharedContents, {})).me.sharedContents,
  gcTime: 0, // others change it
  component: lazyPage(() => import('./shared-page.tsx'), 'SharedPage'),
});

/** What the link to a private video opens. */
const shareLink = createRoute({
  getParentRoute: () => root,
  path: '/share/$token',
  component: lazyPage(() => import('./share-page.tsx'), 'SharePage'),
});

const ownPlaylists = createRoute({
  getParentRoute: () => root,
  path: '/playlists',
  beforeLoad: requireSignIn,
  loader: async () => {
    const { channel: own } = await api(OwnPlaylists, {});
    if (!own) throw notFound();
    return own.playlists;
  },
  gcTime: 0, // they change on other pages
  component: lazyPage(() => import('./own-playlists-page.tsx'), 'OwnPlaylistsPage'),
});

const notifications = createRoute({
  getParentRoute: () => root,
  path: '/notifications',
  beforeLoad: requireSignIn,
  loader: async () => (await api(Notifications, { first: 30 })).notifications,
  gcTime: 0, // there are new ones
  component: lazyPage(() => import('./notifications-page.tsx'), 'NotificationsPage'),
});

const invitations = createRoute({
  getParentRoute: () => root,
  path: '/invitations',
  // The token of a link is behind # in the address, and is not passed on with it.
  beforeLoad: async () => {
    const token = takeInvitationToken();
    await requireSignIn({ location: { href: '/invitations' } });
    return { token };
  },
  loader: async ({ context: { token } }) => {
    const byLink = token === '' ? null : (await api(InvitationByLink, { token })).channelInvitation;
    if (!byLink) forgetInvitationToken();
    const own = (await api(OwnInvitations)).me.channelInvitations.edges.map(({ node }) => node);
    return { token, byLink, own };
  },
  gcTime: 0,
  component: lazyPage(() => import('./invitations-page.tsx'), 'InvitationsPage'),
});

export const viewerRoutes = [
  home,
  trending,
  shorts,
  allSeries,
  watch,
  watchById,
  channel,
  channelById,
  series,
  playlist,
  category,
  search,
  following,
  feed,
  history,
  liked,
  watchLater,
  shared,
  shareLink,
  ownPlaylists,
  notifications,
  invitations,
] as const;
