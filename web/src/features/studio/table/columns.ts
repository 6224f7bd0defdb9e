import { useState } from 'react';
import type { ChannelContentSort } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';

/** The columns that can be left out, in display order. */
export const COLUMNS = ['visibility', 'date', 'views', 'comments', 'likes'] as const;
export type Column = (typeof COLUMNS)[number];

export const COLUMN_NAMES: Readonly<Record<Column | 'title', string>> = {
  title: t`Video`,
  visibility: t`Visibility`,
  date: t`Date`,
  views: t`Views`,
  comments: t`Comments`,
  likes: t`Likes`,
};

/** Orders by a column: the one that a first click chooses, then the reverse. */
export const COLUMN_SORTS: Readonly<
  Partial<Record<Column | 'title', readonly [first: ChannelContentSort, second: ChannelContentSort]>>
> = {
  title: ['TITLE', 'TITLE_REVERSED'],
  date: ['NEWEST', 'OLDEST'],
  views: ['MOST_VIEWED', 'LEAST_VIEWED'],
  comments: ['MOST_COMMENTED', 'LEAST_COMMENTED'],
  likes: ['MOST_LIKED', 'LEAST_LIKED'],
};

/** Of the orders above, those that begin with the smallest. */
export const ASCENDING: ReadonlySet<ChannelContentSort> = new Set([
  'TITLE',
  'OLDEST',
  'LEAST_VIEWED',
  'LEAST_COMMENTED',
  'LEAST_LIKED',
]);

const KEY = 'reelgraph.hiddenColumns';

function readHidden(): ReadonlySet<Column> {
  try {
    const names = (localStorage.getItem(KEY) ?? '').split(',');
    return new Set(COLUMNS.filter((column) => names.includes(column)));
  } catch {
    return new Set();
  }
}

/** The columns that this browser shows. */
export function useColumns() {
  const [hidden, setHidden] = useState(readHidden);
  const show = (column: Column, on: boolean): void => {
    const changed = new Set(COLUMNS.filter((each) => (each === column ? !on : hidden.has(each))));
    setHidden(changed);
    try {
      localStorage.setItem(KEY, [...changed].join());
    } catch {
      // Without storage, the choice ends with the page.
    }
  };
  return { shown: COLUMNS.filter((column) => !hidden.has(column)), show };
}
