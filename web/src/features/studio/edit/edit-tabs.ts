import type { ContentKind } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { oneOf } from '../../../lib/url.ts';
import { isContainer } from '../content/kinds.ts';

const TABS = ['children', 'details', 'video', 'trim', 'captions', 'chapters', 'tests', 'comments'] as const;
export type EditTab = (typeof TABS)[number];

/** Reads the tab of the editor from search parameters; without one it is the first. */
export const readEditTab = (search: Record<string, unknown>): { tab?: EditTab } => oneOf('tab', search.tab, TABS);

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
  const own = TABS.filter((tab) =>
    isContainer(kind) ? !['video', 'trim', 'captions', 'chapters'].includes(tab) : tab !== 'children',
  );
  return own.map((tab) => [tab, tab === 'children' && kind === 'SERIE' ? t`Seasons` : NAMES[tab]]);
}
