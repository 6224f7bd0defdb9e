import type { ContentKind } from '../../../gql/generated/operations.gen.ts';
import { t, tc } from '../../../lib/i18n.ts';

/** Labels of content kinds. */
export const KIND_NAMES: Readonly<Record<ContentKind, string>> = {
  FEATURE: t`Video`,
  SHORT: tc('noun', 'Short'),
  EPISODE: t`Episode`,
  STREAM: t`Stream`,
  SERIES: t`Series`,
  SEASON: t`Season`,
  MINISERIES: t`Miniseries`,
};

/** Asks whether to delete a content of a kind. */
export const DELETE_QUESTIONS: Readonly<Record<ContentKind, string>> = {
  FEATURE: t`Delete this video?`,
  SHORT: t`Delete this short?`,
  EPISODE: t`Delete this episode?`,
  STREAM: t`Delete this stream?`,
  SERIES: t`Delete this series?`,
  SEASON: t`Delete this season?`,
  MINISERIES: t`Delete this miniseries?`,
};
