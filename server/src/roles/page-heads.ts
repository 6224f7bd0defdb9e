import { DID_KINDS, formatDid, parseDid, type TrustedDocuments } from '../gql/index.ts';
import type { PageHead, PageHeadSource } from '../http/page-heads.ts';

/** What the operations of web/src/features/browse/heads.graphql select. */
interface Picture {
  readonly purpose: string;
  readonly alt: string | null;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly variants: readonly { readonly url: string; readonly width: number; readonly height: number; readonly format: string }[];
}
interface Pictures {
  readonly images: { readonly edges: readonly { readonly node: Picture }[] };
}
/** A content and what it is part of. */
interface Shown {
  readonly metadata: { readonly visibility: string };
  readonly parent?: Shown | null;
}
interface WatchData {
  readonly content: {
    readonly id: string;
    readonly metadata: { readonly title: string; readonly summary: string; readonly visibility: string };
    readonly parent: Shown | null;
    readonly structuredData: string | null;
    readonly channel: { readonly metadata: { readonly title: string } };
    readonly assets: Pictures;
  } | null;
}
interface ChannelData {
  readonly channel: {
    readonly id: string;
    readonly handle: string;
    readonly metadata: { readonly title: string; readonly summary: string };
    readonly assets: Pictures;
  } | null;
}

/**
 * The pages that say what they show before any script runs: videos and channels. Throws when the web's documents lack
 * the operations, so that a stale build is noticed at start.
 */
export function pageHeadSources(documents: TrustedDocuments, namespace: string): PageHeadSource[] {
  return [
    {
      prefix: '/watch/',
      documentId: idOf(documents, 'WatchHead'),
      variables: (rest) => variables(contentDid(rest, namespace)),
      read: (data) => watchHead(data as WatchData), // selected by WatchHead
    },
    {
      prefix: '/channel/',
      documentId: idOf(documents, 'ChannelHead'),
      variables: (rest) => variables(channelDid(rest, namespace)),
      read: (data) => channelHead(data as ChannelData), // selected by ChannelHead
    },
  ];
}

function idOf(documents: TrustedDocuments, operation: string): string {
  for (const [id, text] of documents) if (text.startsWith(`query ${operation}(`)) return id;
  throw new Error(`The web app's documents have no query ${operation}: run "npm run gen".`);
}

function variables(id: string | null): { id: string } | null {
  return id === null ? null : { id };
}

/** `<id>` is a feature, `<kind>/<id>` any other kind; whole DIDs are taken too, as in the app. */
function contentDid(rest: string, namespace: string): string | null {
  const tail = rest.replace(/^did:[a-z0-9]+:/, '').replace(/^content\//, '');
  const did = `did:${namespace}:content/${tail.includes('/') ? tail : `feature/${tail}`}`;
  return canonical(did, namespace);
}

function channelDid(rest: string, namespace: string): string | null {
  return canonical(`did:${namespace}:channel/${rest.slice(rest.lastIndexOf('/') + 1)}`, namespace);
}

function canonical(did: string, namespace: string): string | null {
  const parsed = parseDid(namespace, did);
  return parsed && formatDid(namespace, parsed.kind, parsed.id);
}

function watchHead({ content }: WatchData): PageHead | null {
  if (!content) return null;
  const { metadata, channel, assets, structuredData } = content;
  const [kind, id] = content.id.split('/').slice(-2);
  return {
    title: metadata.title,
    description: metadata.summary || `A video of ${channel.metadata.title}.`,
    path: `/watch/${`content/${kind}` === DID_KINDS.feature ? id : `${kind}/${id}`}`,
    type: 'video.other',
    image: picture(assets, metadata.title, 'POSTER', 'THUMBNAIL'),
    listed: isListed(content),
    structuredData,
  };
}

/** A season or an episode is listed where everything it is part of is. */
function isListed({ metadata, parent }: Shown): boolean {
  return metadata.visibility === 'PUBLIC' && (parent == null || isListed(parent));
}

function channelHead({ channel }: ChannelData): PageHead | null {
  if (!channel) return null;
  const { title, summary } = channel.metadata;
  return {
    title,
    description: summary || `Videos of ${title} (@${channel.handle}).`,
    path: `/channel/${channel.id.slice(channel.id.lastIndexOf('/') + 1)}`,
    type: 'profile',
    image: picture(channel.assets, title, 'BANNER', 'AVATAR'),
    listed: true,
    structuredData: null,
  };
}

/** Wide enough for every preview; larger ones are refused by some readers. */
const WIDEST = 1_280;

/** A JPEG, because not every reader of previews knows newer formats. */
function picture({ images }: Pictures, alt: string, ...purposes: string[]): PageHead['image'] {
  const nodes = images.edges.map(({ node }) => node);
  const node = purposes.map((purpose) => nodes.find((candidate) => candidate.purpose === purpose)).find(Boolean);
  if (!node) return null;
  const [jpeg] = node.variants.filter(({ format, width }) => format === 'JPEG' && width <= WIDEST).sort((a, b) => b.width - a.width);
  const { url, width, height } = jpeg ?? node;
  return { url, width, height, alt: node.alt || alt };
}
