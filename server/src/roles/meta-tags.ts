import { formatDid, parseDid, type TrustedDocuments } from '../gql/index.ts';
import type { FirstView, LinkList, PageHead, PageHeadSource } from '../http/web/meta-tags.ts';
import { type ContentKind, contentEmbedPath, contentPagePath } from '../kernel/content-kinds.ts';
import { handlePath, isHandle } from '../kernel/handles.ts';
import { t } from '../kernel/languages/message.ts';
import { type FeedSubject, feedPath } from './feeds/read-feed.ts';

/** Results of the operations in web/src/features/browse/meta-tags.graphql. */
interface Image {
  readonly purpose: string;
  readonly alt: string | null;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly variants: readonly {
    readonly url: string;
    readonly width: number;
    readonly height: number;
    readonly format: string;
  }[];
}
interface List<Node> {
  readonly edges: readonly { readonly node: Node }[];
}
/** A content and its parents. */
interface Shown {
  readonly metadata: { readonly visibility: string };
  readonly parent?: Shown | null;
}
interface WithImages {
  readonly images: List<Image>;
}
interface Video {
  readonly playlistUrl: string | null;
  readonly width: number | null;
  readonly height: number | null;
}
interface Linked {
  readonly id: string;
  readonly kind: ContentKind;
  readonly shortCode: string;
  readonly metadata: { readonly title: string };
}
interface ContentsData {
  readonly contents: List<Linked>;
}
interface ContentData {
  readonly content: {
    readonly id: string;
    readonly kind: ContentKind;
    readonly shortCode: string;
    readonly metadata: { readonly title: string; readonly summary: string; readonly visibility: string };
    readonly parent: Shown | null;
    readonly structuredData: object | null;
    readonly channel: { readonly handle: string; readonly metadata: { readonly title: string } };
    readonly assets: WithImages & { readonly videos: List<Video> };
    readonly outputAssets: { readonly video: { readonly download: string | null } } | null;
    /** Of streams. */
    readonly broadcast?: { readonly state: string } | null;
    /** Of series, and of seasons and miniseries. */
    readonly seasons?: List<{ readonly episodes: List<Linked> }>;
    readonly episodes?: List<Linked>;
  } | null;
}
interface PlaylistData {
  readonly playlist: {
    readonly id: string;
    readonly visibility: string;
    readonly itemsCount: number;
    readonly metadata: { readonly title: string; readonly summary: string };
    readonly channel: { readonly metadata: { readonly title: string } };
    readonly items: List<{ readonly content: PlaylistedContent | null }>;
    readonly assets: WithImages;
  } | null;
}
interface PlaylistedContent extends Linked {
  readonly assets: WithImages;
}
interface ChannelData {
  readonly channel: {
    readonly id: string;
    readonly handle: string;
    readonly metadata: { readonly title: string; readonly summary: string };
    readonly assets: WithImages;
  } | null;
}

/** The instance of the pages. */
interface Site {
  /** Namespace of its DIDs. */
  readonly namespace: string;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
}

/**
 * The pages with meta tags: home, videos, embeds, series, playlists and channels. Throws when the web's documents lack
 * the operations, so that a stale build fails at startup.
 */
export function pageHeadSources(documents: TrustedDocuments, { namespace, baseUrl }: Site): PageHeadSource[] {
  const [contentId, seriesId] = [idOf(documents, 'ContentMetaTags'), idOf(documents, 'SeriesMetaTags')];
  const contents = (prefix: string, kind: string, read: (data: ContentData) => PageHead | null): PageHeadSource => ({
    prefix,
    documentId: kind === 'serie' ? seriesId : contentId,
    variables: (rest) => (SHORT_CODE.test(rest) ? { shortCode: rest } : variables(contentDid(rest, kind, namespace))),
    read: (data) => read(data as ContentData), // selected by ContentMetaTags
  });
  const videosOfChannel: PageHeadSource['more'] = {
    documentId: idOf(documents, 'ChannelVideosMetaTags'),
    variables: (data) => {
      const { channel } = data as ChannelData; // selected by the operations for channels
      return channel && { channel: channel.id };
    },
  };
  const readChannel: PageHeadSource['read'] = (data, more) =>
    channelHead(data as ChannelData, more as ContentsData | null);
  return [
    {
      prefix: '/',
      isOnlyPage: true,
      documentId: idOf(documents, 'HomeMetaTags'),
      variables: () => ({}),
      read: (data) => homeHead(data as ContentsData), // selected by HomeMetaTags
    },
    { ...contents('/w/', 'feature', contentHead), redirects: true },
    { ...contents('/watch/', 'feature', contentHead), redirects: true },
    contents('/series/', 'serie', contentHead),
    contents('/embed/', 'feature', embedHead),
    {
      prefix: '/playlist/',
      documentId: idOf(documents, 'PlaylistMetaTags'),
      variables: (rest) => variables(canonical(`did:${namespace}:content/playlist/${rest}`, namespace)),
      read: (data) => playlistHead(data as PlaylistData, baseUrl), // selected by PlaylistMetaTags
    },
    {
      prefix: '/@',
      redirects: true,
      documentId: idOf(documents, 'HandleMetaTags'),
      variables: (rest) => (isHandle(rest) ? { handle: rest } : null),
      more: videosOfChannel,
      read: readChannel,
    },
    {
      prefix: '/channel/',
      documentId: idOf(documents, 'ChannelMetaTags'),
      variables: (rest) => variables(canonical(`did:${namespace}:channel/${uuidOf(rest)}`, namespace)),
      more: videosOfChannel,
      read: readChannel,
    },
  ];
}

function idOf(documents: TrustedDocuments, operation: string): string {
  for (const [id, text] of documents) if (new RegExp(`^query ${operation}\\b`).test(text)) return id;
  throw new Error(`The web app's documents have no query ${operation}: run "npm run gen".`);
}

function variables(id: string | null): { id: string } | null {
  return id === null ? null : { id };
}

/** The short code of a content: 11 characters of base64url. */
const SHORT_CODE = /^[\w-]{11}$/;

/** `<id>` is of the kind given, `<kind>/<id>` of any; whole DIDs are taken too, as in the app. */
function contentDid(rest: string, kind: string, namespace: string): string | null {
  const tail = rest.replace(/^did:[a-z0-9]+:/, '').replace(/^content\//, '');
  return canonical(`did:${namespace}:content/${tail.includes('/') ? tail : `${kind}/${tail}`}`, namespace);
}

function canonical(did: string, namespace: string): string | null {
  const parsed = parseDid(namespace, did);
  return parsed && formatDid(namespace, parsed.kind, parsed.id);
}

/** What follows the last slash of a DID. */
const uuidOf = (did: string): string => did.slice(did.lastIndexOf('/') + 1);

const OPEN_GRAPH_TYPES: Partial<Record<ContentKind, string>> = {
  SERIES: 'video.tv_show',
  SEASON: 'video.tv_show',
  MINISERIES: 'video.tv_show',
  EPISODE: 'video.episode',
};

function homeHead({ contents }: ContentsData): PageHead {
  return {
    title: null,
    description: t`Watch, publish and build on video.`,
    path: '/',
    type: 'website',
    image: null,
    author: null,
    player: null,
    listed: true,
    links: linksOf(t`Latest videos`, contents),
    structuredData: null,
  };
}

function linksOf(heading: LinkList['heading'], { edges }: List<Linked>): LinkList {
  const items = edges.map(({ node }) => ({
    path: contentPagePath({ ...node, id: uuidOf(node.id) }),
    title: node.metadata.title,
  }));
  return { heading, items };
}

function contentHead({ content }: ContentData): PageHead | null {
  if (!content) return null;
  const { id, kind, shortCode, metadata, channel, assets, structuredData, seasons, episodes } = content;
  const path = contentPagePath({ kind, id: uuidOf(id), shortCode });
  const { title } = channel.metadata;
  return {
    title: metadata.title,
    description: metadata.summary || (path.startsWith('/series/') ? t`A series of ${title}.` : t`A video of ${title}.`),
    path,
    type: OPEN_GRAPH_TYPES[kind] ?? 'video.other',
    image: selectImage(assets, metadata.title, 'SOCIAL_SHARE', 'POSTER', 'THUMBNAIL'),
    author: { name: channel.metadata.title, path: handlePath(channel.handle) },
    player: playerOf(contentEmbedPath(kind, uuidOf(id)), content),
    listed: isListed(content),
    firstView: firstViewOf(content),
    links:
      seasons || episodes
        ? linksOf(t`Episodes`, {
            edges: [...(seasons?.edges.flatMap(({ node }) => node.episodes.edges) ?? []), ...(episodes?.edges ?? [])],
          })
        : null,
    structuredData: structuredData && JSON.stringify(structuredData),
  };
}

/** The same poster and files that the player chooses from. */
function firstViewOf({ assets, outputAssets }: NonNullable<ContentData['content']>): FirstView | null {
  const video = playableOf(assets.videos);
  if (!video) return null;
  const images = assets.images.edges.map(({ node }) => node);
  const image = ['POSTER', 'THUMBNAIL'].map((wanted) => images.find(({ purpose }) => purpose === wanted)).find(Boolean);
  const poster = (image?.variants ?? [])
    .filter(({ format }) => format === 'WEBP')
    .map(({ url, width }) => ({ url, width }))
    .sort((a, b) => a.width - b.width);
  return { poster, ...video, file: outputAssets?.video.download ?? null };
}

/** The stream that is played, and its size in pixels; null where nothing is playable. */
function playableOf(videos: List<Video>): Omit<FirstView, 'poster' | 'file'> | null {
  const video = videos.edges.map(({ node }) => node).find(({ playlistUrl }) => playlistUrl !== null);
  if (!video?.playlistUrl) return null;
  const [width, height] = video.width && video.height ? [video.width, video.height] : [16, 9];
  return { width, height, stream: video.playlistUrl };
}

/** A season or an episode is indexed where all its parents are. */
function isListed({ metadata, parent }: Shown): boolean {
  return metadata.visibility === 'PUBLIC' && (parent == null || isListed(parent));
}

/** Search engines index the page of the video, not the embed player. Null where nothing is playable, or announced. */
function embedHead(data: ContentData): PageHead | null {
  const head = contentHead(data);
  return head?.player ? { ...head, listed: false, structuredData: null } : null;
}

/** Proposed width of the frame in pixels. */
const FRAME_WIDTH = 1_280;

/** States of broadcasts that the player counts down to. */
const ANNOUNCED = ['SCHEDULED', 'CONNECTED'];

function playerOf(path: string | null, { assets, broadcast }: NonNullable<ContentData['content']>): PageHead['player'] {
  const isAnnounced = broadcast != null && ANNOUNCED.includes(broadcast.state);
  const video = playableOf(assets.videos) ?? (isAnnounced ? { width: 16, height: 9 } : null);
  if (path === null || !video) return null;
  return { path, width: FRAME_WIDTH, height: Math.round((FRAME_WIDTH * video.height) / video.width) };
}

function playlistHead({ playlist }: PlaylistData, baseUrl: string): PageHead | null {
  if (!playlist) return null;
  const { id, metadata, channel, visibility, itemsCount, items, assets } = playlist;
  const contents = items.edges.flatMap(({ node }) => node.content ?? []);
  const path = `/playlist/${uuidOf(id)}`;
  const [first] = contents;
  return {
    title: metadata.title,
    description: metadata.summary || t`A playlist of ${channel.metadata.title}.`,
    path,
    type: 'website',
    image:
      selectImage(assets, metadata.title, 'SOCIAL_SHARE', 'POSTER', 'THUMBNAIL') ??
      (first ? selectImage(first.assets, metadata.title, 'THUMBNAIL', 'POSTER') : null),
    author: null,
    player: null,
    listed: visibility === 'PUBLIC',
    feeds: feedsOf({ playlist: uuidOf(id) }, metadata.title),
    links: linksOf(t`Videos`, { edges: contents.map((node) => ({ node })) }),
    structuredData: JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'ItemList',
      name: metadata.title,
      url: baseUrl + path,
      numberOfItems: itemsCount,
      itemListElement: contents.map((content, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: content.metadata.title,
        url: baseUrl + contentPagePath({ ...content, id: uuidOf(content.id) }),
      })),
    }),
  };
}

function channelHead({ channel }: ChannelData, videos: ContentsData | null): PageHead | null {
  if (!channel) return null;
  const { title, summary } = channel.metadata;
  return {
    title,
    description: summary || t`Videos of ${title} (@${channel.handle}).`,
    path: handlePath(channel.handle),
    type: 'profile',
    image: selectImage(channel.assets, title, 'BANNER', 'AVATAR'),
    author: null,
    player: null,
    listed: true,
    feeds: feedsOf({ handle: channel.handle }, title),
    links: videos && linksOf(t`Latest videos`, videos.contents),
    structuredData: null,
  };
}

function feedsOf(subject: FeedSubject, title: string): NonNullable<PageHead['feeds']> {
  return [
    { path: feedPath(subject, 'videos'), title: t`${title}: videos` },
    { path: feedPath(subject, 'podcast'), title: t`${title}: podcast` },
  ];
}

/** Wide enough for every preview; larger ones are refused by some readers. */
const WIDEST = 1_280;

/** A JPEG, because not every reader of previews supports newer formats. */
function selectImage({ images }: WithImages, alt: string, ...purposes: string[]): PageHead['image'] {
  const nodes = images.edges.map(({ node }) => node);
  const node = purposes.map((purpose) => nodes.find((candidate) => candidate.purpose === purpose)).find(Boolean);
  if (!node) return null;
  const [jpeg] = node.variants
    .filter(({ format, width }) => format === 'JPEG' && width <= WIDEST)
    .sort((a, b) => b.width - a.width);
  const { url, width, height } = jpeg ?? node;
  return { url, width, height, alt: node.alt || alt };
}
