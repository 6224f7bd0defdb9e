/**
 * Every kind of content: the name of its identifiers, its type in the API, whether it is a video or a container, and
 * its description. The table `contents` and the API use the same names.
 */
export const CONTENT_KINDS = {
  FEATURE: { did: 'feature', type: 'Feature', holds: null, is: 'A standalone video.' },
  SHORT: { did: 'short', type: 'Short', holds: null, is: 'A short portrait video.' },
  SERIES: { did: 'serie', type: 'Serie', holds: 'SEASON', is: 'A series: seasons of episodes.' },
  SEASON: { did: 'season', type: 'Season', holds: 'EPISODE', is: 'A season of a series.' },
  EPISODE: { did: 'episode', type: 'Episode', holds: null, is: 'A video that is part of a season or of a miniseries.' },
  MINISERIES: { did: 'miniserie', type: 'Miniseries', holds: 'EPISODE', is: 'A series without seasons.' },
  STREAM: { did: 'stream', type: 'Stream', holds: null, is: 'A recorded broadcast.' },
} as const satisfies Record<string, { did: string; type: string; holds: string | null; is: string }>;

export type ContentKind = keyof typeof CONTENT_KINDS;
export type ContentDidKind = (typeof CONTENT_KINDS)[ContentKind]['did'];

export const CONTENT_KIND_NAMES = Object.keys(CONTENT_KINDS) as ContentKind[]; // Object.keys loses the literal type
/** The identifier names of all kinds of contents. */
export const CONTENT_DID_KINDS: readonly ContentDidKind[] = CONTENT_KIND_NAMES.map((kind) => CONTENT_KINDS[kind].did);

const KIND_OF = new Map<string, ContentKind>(CONTENT_KIND_NAMES.map((kind) => [CONTENT_KINDS[kind].did, kind]));

/** The kind with this identifier name. Throws for any other name: callers have checked it. */
export function contentKindOf(did: string): ContentKind {
  const kind = KIND_OF.get(did);
  if (!kind) throw new Error(`${did} is no kind of content`);
  return kind;
}

/** What the addresses of a content's pages are made of. */
export interface Addressed {
  readonly kind: ContentKind;
  /** UUID. */
  readonly id: string;
  /** Its 11 random characters. */
  readonly shortCode: string;
}

/** Path of a content's page in the web application: an overview for containers, a watch page for the others. */
export function contentPagePath({ kind, id, shortCode }: Addressed): string {
  const { did, holds } = CONTENT_KINDS[kind];
  if (holds === null) return `/w/${shortCode}`;
  return kind === 'SERIES' ? `/series/${id}` : `/series/${did}/${id}`;
}

/** Path of a content's page in Studio. */
export function contentStudioPath({ kind, id }: Omit<Addressed, 'shortCode'>): string {
  return kind === 'FEATURE' ? `/studio/content/${id}` : `/studio/content/${CONTENT_KINDS[kind].did}/${id}`;
}

/** Path of a content's embed page, which contains only the player; null for containers. */
export function contentEmbedPath(kind: ContentKind, id: string): string | null {
  if (CONTENT_KINDS[kind].holds !== null) return null;
  return kind === 'FEATURE' ? `/embed/${id}` : `/embed/${CONTENT_KINDS[kind].did}/${id}`;
}
