import { oneOf } from '../../../lib/url.ts';

export const EDIT_TABS = ['children', 'details', 'video', 'trim', 'captions', 'chapters', 'tests', 'comments'] as const;
export type EditTab = (typeof EDIT_TABS)[number];

/** Reads the tab of the editor from search parameters; without one it is the first. */
export const readEditTab = (search: Record<string, unknown>): { tab?: EditTab } => oneOf('tab', search.tab, EDIT_TABS);
