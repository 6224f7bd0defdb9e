import { t } from '../../../lib/i18n.ts';
/** The lists of a channel's analytics. */
export const CONTENT_LIST_NAMES = { videos: t`Videos`, series: t`Series`, playlists: t`Playlists` } as const;
export type ContentList = keyof typeof CONTENT_LIST_NAMES;
export const CONTENT_LISTS = Object.keys(CONTENT_LIST_NAMES) as ContentList[]; // Object.keys loses the literal type
