import type { ContentKind } from '../../../gql/generated/operations.gen.ts';

/** Whether a content contains others and has no video of its own. */
export function isContainer(kind: ContentKind): boolean {
  return kind === 'SERIES' || kind === 'SEASON' || kind === 'MINISERIES';
}

/** All kinds, in display order. */
const CONTENT_KINDS = Object.keys({
  FEATURE: true,
  SHORT: true,
  EPISODE: true,
  STREAM: true,
  SERIES: true,
  SEASON: true,
  MINISERIES: true,
} satisfies Record<ContentKind, true>) as ContentKind[]; // the keys of a record of all kinds

/** Kinds that have a video of their own. */
export const VIDEO_KINDS: readonly ContentKind[] = CONTENT_KINDS.filter((kind) => !isContainer(kind));

/** Kinds at the top level that contain others. */
export const SERIES_KINDS: readonly ContentKind[] = ['SERIES', 'MINISERIES'];
