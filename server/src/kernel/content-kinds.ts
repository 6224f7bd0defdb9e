/**
 * Every kind of content, once: what its identifiers are called, whether it is a video itself or holds others, and what
 * it is. The table `contents` and the API spell the kinds alike.
 */
export const CONTENT_KINDS = {
  FEATURE: { did: 'feature', holds: null, is: 'A standalone video.' },
  SHORT: { did: 'short', holds: null, is: 'A short portrait video.' },
  SERIE: { did: 'serie', holds: 'SEASON', is: 'A series: seasons of episodes.' },
  SEASON: { did: 'season', holds: 'EPISODE', is: 'A season of a series.' },
  EPISODE: { did: 'episode', holds: null, is: 'A video that is part of a season or of a miniseries.' },
  MINISERIE: { did: 'miniserie', holds: 'EPISODE', is: 'A series without seasons.' },
  STREAM: { did: 'stream', holds: null, is: 'A recorded broadcast.' },
} as const satisfies Record<string, { did: string; holds: string | null; is: string }>;

export type ContentKind = keyof typeof CONTENT_KINDS;
export type ContentDidKind = (typeof CONTENT_KINDS)[ContentKind]['did'];

export const CONTENT_KIND_NAMES = Object.keys(CONTENT_KINDS) as ContentKind[]; // Object.keys loses the literal type
/** What the identifiers of contents are called, all kinds of them. */
export const CONTENT_DID_KINDS: readonly ContentDidKind[] = CONTENT_KIND_NAMES.map((kind) => CONTENT_KINDS[kind].did);

const KIND_OF = new Map<string, ContentKind>(CONTENT_KIND_NAMES.map((kind) => [CONTENT_KINDS[kind].did, kind]));

/** The kind whose identifiers are called `did`. Throws for any other name: callers have checked it. */
export function contentKindOf(did: string): ContentKind {
  const kind = KIND_OF.get(did);
  if (!kind) throw new Error(`${did} is no kind of content`);
  return kind;
}

/**
 * Path of a content's page in the web application: what holds others is opened, everything else is watched. `id` is a
 * UUID.
 */
export function contentPagePath(kind: ContentKind, id: string): string {
  const { did, holds } = CONTENT_KINDS[kind];
  if (holds !== null) return kind === 'SERIE' ? `/series/${id}` : `/series/${did}/${id}`;
  return kind === 'FEATURE' ? `/watch/${id}` : `/watch/${did}/${id}`;
}

/**
 * Path of a page that holds nothing but the player of a content, for other sites to frame; null for what holds others.
 */
export function contentEmbedPath(kind: ContentKind, id: string): string | null {
  if (CONTENT_KINDS[kind].holds !== null) return null;
  return kind === 'FEATURE' ? `/embed/${id}` : `/embed/${CONTENT_KINDS[kind].did}/${id}`;
}
