import type { ContentKind } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { isContainer } from '../kinds/kind-lists.ts';
import { EDIT_TABS, type EditTab } from './edit-tab-search.ts';

const NAMES: Readonly<Record<EditTab, string>> = {
  children: t`Episodes`,
  details: t`Details`,
  video: t`Video`,
  trim: t`Trim`,
  captions: t`Captions`,
  chapters: t`Chapters`,
  tests: t`Tests`,
  comments: t`Comments`,
};

/** The tabs for a kind of content with their names, in display order. */
export function editTabs(kind: ContentKind): readonly (readonly [EditTab, string])[] {
  const own = EDIT_TABS.filter((tab) =>
    isContainer(kind) ? !['video', 'trim', 'captions', 'chapters'].includes(tab) : tab !== 'children',
  );
  return own.map((tab) => [tab, tab === 'children' && kind === 'SERIES' ? t`Seasons` : NAMES[tab]]);
}
