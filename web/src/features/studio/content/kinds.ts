import type { ContentKind } from '../../../gql/generated/operations.gen.ts';

/** What a kind of content is called. */
export const KIND_NAMES: Readonly<Record<ContentKind, string>> = {
  FEATURE: 'Video',
  SHORT: 'Short',
  EPISODE: 'Episode',
  STREAM: 'Stream',
  SERIE: 'Series',
  SEASON: 'Season',
  MINISERIE: 'Miniseries',
};

/** Whether a content is there to hold others and has no video of its own. */
export function isContainer(kind: ContentKind): boolean {
  return kind === 'SERIE' || kind === 'SEASON' || kind === 'MINISERIE';
}

/** The kind that an address names, as its search parameter. */
export function readKind(named: unknown): { kind?: ContentKind } {
  const kind = CONTENT_KINDS.find((each) => each === named);
  return kind ? { kind } : {};
}

/** Every kind, in the order of choices. */
export const CONTENT_KINDS = Object.keys(KIND_NAMES) as ContentKind[]; // the keys of a record of all kinds

/** Kinds that have a video of their own. */
export const VIDEO_KINDS: readonly ContentKind[] = CONTENT_KINDS.filter((kind) => !isContainer(kind));

/** Kinds that stand at the top and hold others. */
export const SERIES_KINDS: readonly ContentKind[] = ['SERIE', 'MINISERIE'];
