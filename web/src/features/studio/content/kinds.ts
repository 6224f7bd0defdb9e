import type { ContentKind } from '../../../gql/generated/operations.gen.ts';
import { t, tc } from '../../../lib/i18n.ts';

/** Labels of content kinds. */
export const KIND_NAMES: Readonly<Record<ContentKind, string>> = {
  FEATURE: t`Video`,
  SHORT: tc('noun', 'Short'),
  EPISODE: t`Episode`,
  STREAM: t`Stream`,
  SERIE: t`Series`,
  SEASON: t`Season`,
  MINISERIE: t`Miniseries`,
};

/** Asks whether to delete a content of a kind. */
export const DELETE_QUESTIONS: Readonly<Record<ContentKind, string>> = {
  FEATURE: t`Delete this video?`,
  SHORT: t`Delete this short?`,
  EPISODE: t`Delete this episode?`,
  STREAM: t`Delete this stream?`,
  SERIE: t`Delete this series?`,
  SEASON: t`Delete this season?`,
  MINISERIE: t`Delete this miniseries?`,
};

/** Whether a content contains others and has no video of its own. */
export function isContainer(kind: ContentKind): boolean {
  return kind === 'SERIE' || kind === 'SEASON' || kind === 'MINISERIE';
}

/** All kinds, in display order. */
export const CONTENT_KINDS = Object.keys(KIND_NAMES) as ContentKind[]; // the keys of a record of all kinds

/** Kinds that have a video of their own. */
export const VIDEO_KINDS: readonly ContentKind[] = CONTENT_KINDS.filter((kind) => !isContainer(kind));

/** Kinds at the top level that contain others. */
export const SERIES_KINDS: readonly ContentKind[] = ['SERIE', 'MINISERIE'];
