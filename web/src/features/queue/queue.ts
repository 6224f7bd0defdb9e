import type { CardFragment, ContentKind } from '../../gql/generated/operations.gen.ts';

/** Names Watch later in URLs, where playlists have their id. */
export const WATCH_LATER_LIST = 'watch-later';

/** Series, seasons and miniseries are opened, not played. */
export function isPlayedKind({ kind }: { readonly kind: ContentKind }): boolean {
  return kind !== 'SERIES' && kind !== 'SEASON' && kind !== 'MINISERIES';
}

/** A queue of videos: the episodes of a season, or a playlist. */
export interface Queue {
  readonly title: string;
  /** Path of the page of the series or playlist. */
  readonly path: string;
  readonly entries: readonly QueueEntry[];
  readonly totalCount: number;
  /** Index of the current entry; -1 when it is not in `entries`. */
  readonly index: number;
}

/** An entry of a queue. A content can occur several times. */
export interface QueueEntry {
  readonly key: string;
  readonly label: string;
  readonly content: {
    readonly id: string;
    readonly kind: ContentKind;
    readonly shortCode: string;
    readonly metadata: { readonly title: string; readonly duration: number | null };
    readonly watchPosition: { readonly positionMs: number; readonly completed: boolean } | null;
    readonly card: CardFragment;
  };
  /** Search parameters that keep the queue in the URL. */
  readonly search: { readonly list?: string; readonly item?: string };
}

/** The previous and the next entry. */
export function neighbours({ entries, index }: Pick<Queue, 'entries' | 'index'>): {
  readonly previous: QueueEntry | null;
  readonly next: QueueEntry | null;
} {
  if (index < 0) return { previous: null, next: entries[0] ?? null };
  return { previous: entries[index - 1] ?? null, next: entries[index + 1] ?? null };
}

/** Index of the item, or of the first entry with the content. */
export function indexInQueue(entries: readonly QueueEntry[], contentId: string, item: string | undefined): number {
  const exact = entries.findIndex(
    ({ search, content }) => item !== undefined && search.item === item && content.id === contentId,
  );
  return exact >= 0 ? exact : entries.findIndex(({ content }) => content.id === contentId);
}
