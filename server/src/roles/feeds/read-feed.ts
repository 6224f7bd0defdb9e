import { formatDid, parseDid } from '../../gql/index.ts';
import { type ContentKind, contentPagePath } from '../../kernel/content-kinds.ts';
import { handlePath, isHandle } from '../../kernel/handles.ts';
import type { Feed, FeedItem } from './feed-document.ts';

/** What a feed is of, as its address names it. */
export type FeedSubject = { readonly handle: string } | { readonly playlist: string };
/** `videos`: all of them, with files where downloads are allowed. `podcast`: the sound of those. */
export type FeedForm = 'videos' | 'podcast';

/** Runs an operation of web/src/features/browse/feeds.graphql as an anonymous visitor; null when nothing is public. */
export type FeedQuery = (operation: string, variables: Readonly<Record<string, unknown>>) => Promise<unknown>;

interface List<Node> {
  readonly edges: readonly { readonly node: Node }[];
}
interface Image {
  readonly purpose: string;
  readonly url: string;
  readonly variants: readonly { readonly url: string; readonly width: number; readonly format: string }[];
}
interface WithImages {
  readonly images: List<Image>;
}
interface Described {
  readonly metadata: { readonly title: string; readonly summary: string };
  readonly assets: WithImages;
}
interface Item extends Described {
  readonly id: string;
  readonly kind: ContentKind;
  readonly shortCode: string;
  readonly publishedAt: string | null;
  readonly metadata: Described['metadata'] & { readonly duration: number | null };
  readonly channel: { readonly metadata: { readonly title: string } };
  readonly outputAssets: {
    readonly video: { readonly download: string | null };
    readonly audio: { readonly download: string | null };
  } | null;
}
interface ChannelData {
  readonly channel: (Described & { readonly id: string; readonly handle: string }) | null;
}
interface PlaylistData {
  readonly playlist:
    | (Described & {
        readonly id: string;
        readonly channel: { readonly metadata: { readonly title: string } };
        readonly items: List<{ readonly content: Item | null }>;
      })
    | null;
}

interface Site {
  readonly namespace: string;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
}

/** Path of a feed. */
export function feedPath(subject: FeedSubject, form: FeedForm): string {
  const [kind, name] = 'handle' in subject ? ['channel', subject.handle] : ['playlist', subject.playlist];
  return `/feeds/${kind}/${encodeURIComponent(name)}/${form}.xml`;
}

/** The feed as everybody may read it; null where nothing is public. */
export async function readFeed(
  query: FeedQuery,
  site: Site,
  subject: FeedSubject,
  form: FeedForm,
): Promise<Feed | null> {
  const found = await ('handle' in subject
    ? readChannel(query, subject.handle)
    : readPlaylist(query, site, subject.playlist));
  if (!found) return null;
  const items = found.items.flatMap((item) => itemOf(item, site, form));
  return {
    title: found.title,
    description: found.description,
    author: found.author,
    link: site.baseUrl + found.path,
    self: site.baseUrl + feedPath(subject, form),
    image: found.image ?? items.find(({ image }) => image !== null)?.image ?? null,
    items,
  };
}

interface Found {
  readonly title: string;
  readonly description: string;
  readonly author: string;
  readonly path: string;
  readonly image: string | null;
  readonly items: readonly Item[];
}

async function readChannel(query: FeedQuery, handle: string): Promise<Found | null> {
  if (!isHandle(handle)) return null;
  const channel = ((await query('ChannelFeed', { handle })) as ChannelData | null)?.channel; // as selected
  if (!channel) return null;
  const listed = (await query('ChannelFeedItems', { channel: channel.id })) as { contents: List<Item> } | null;
  return {
    title: channel.metadata.title,
    description: channel.metadata.summary,
    author: channel.metadata.title,
    path: handlePath(channel.handle),
    image: pictureOf(channel.assets, 'AVATAR', 'BANNER'),
    items: listed?.contents.edges.map(({ node }) => node) ?? [],
  };
}

async function readPlaylist(query: FeedQuery, { namespace }: Site, uuid: string): Promise<Found | null> {
  const parsed = parseDid(namespace, `did:${namespace}:content/playlist/${uuid}`);
  if (!parsed) return null;
  const id = formatDid(namespace, parsed.kind, parsed.id);
  const playlist = ((await query('PlaylistFeed', { id })) as PlaylistData | null)?.playlist; // as selected
  if (!playlist) return null;
  return {
    title: playlist.metadata.title,
    description: playlist.metadata.summary,
    author: playlist.channel.metadata.title,
    path: `/playlist/${parsed.id}`,
    image: pictureOf(playlist.assets, 'THUMBNAIL', 'POSTER', 'BANNER'),
    items: playlist.items.edges.flatMap(({ node }) => node.content ?? []),
  };
}

function itemOf(item: Item, { baseUrl }: Site, form: FeedForm): readonly FeedItem[] {
  const { id, kind, shortCode, metadata, channel, assets, publishedAt, outputAssets } = item;
  const file =
    form === 'podcast'
      ? fileOf(outputAssets?.audio.download, 'audio/mp4')
      : fileOf(outputAssets?.video.download, 'video/mp4');
  const holds = kind === 'SERIES' || kind === 'SEASON' || kind === 'MINISERIES';
  if (publishedAt === null || holds || (form === 'podcast' && file === null)) return [];
  return [
    {
      id,
      title: metadata.title,
      description: metadata.summary,
      author: channel.metadata.title,
      link: baseUrl + contentPagePath({ kind, id: id.slice(id.lastIndexOf('/') + 1), shortCode }),
      publishedAt,
      durationSeconds: metadata.duration,
      image: pictureOf(assets, 'THUMBNAIL', 'POSTER'),
      file,
    },
  ];
}

const fileOf = (url: string | null | undefined, type: string): FeedItem['file'] => (url ? { url, type } : null);

/** A JPEG, because not every reader of feeds supports newer formats. */
function pictureOf({ images }: WithImages, ...purposes: string[]): string | null {
  const nodes = images.edges.map(({ node }) => node);
  const node = purposes.map((purpose) => nodes.find((each) => each.purpose === purpose)).find(Boolean) ?? nodes[0];
  const [jpeg] = node?.variants.filter(({ format }) => format === 'JPEG').sort((a, b) => b.width - a.width) ?? [];
  return jpeg?.url ?? node?.url ?? null;
}
