/** A table whose rows change what lists are sorted by: writes queue the content or channel for the next refresh. */
export interface QueuedTable {
  readonly table: string;
  /** The comment of the function: what is queued, and why. */
  readonly about: string;
  /** The column with the content or channel. */
  readonly id: string;
  /** Rows that are queued, as SQL over the row `t`. Default: all. */
  readonly when?: string;
  /**
   * The day that a row counts for, as SQL over the row `t`: the change of the number of rows is queued for each day,
   * in the column `likes`.
   */
  readonly countedOn?: string;
  /**
   * Updates that are queued: the row's key, and what has to differ, each a column or a term that begins with one.
   * Default: none.
   */
  readonly update?: { readonly key: readonly string[]; readonly differs: readonly string[] };
  /** Whether deletions are queued. */
  readonly deletes: boolean;
}

/** What fills `stats_dirty_queue`; `npm run gen` writes repeatable/stats-queue.sql from this table. */
export const QUEUED_TABLES: readonly QueuedTable[] = [
  {
    table: 'likes',
    about: 'Queues the contents for the next refresh of lists, with the change of their likes by day.',
    id: 'content_id',
    countedOn: "(t.created_at at time zone 'UTC')::date",
    deletes: true,
  },
  {
    table: 'content_daily',
    about:
      'Queues the contents for the next refresh of lists: for every change of their views and for every five minutes ' +
      'of watching, which trends count like a view.',
    id: 'content_id',
    update: { key: ['content_id', 'day'], differs: ['views', 'watch_ms / 300000'] },
    deletes: true,
  },
  {
    table: 'follows',
    about: 'Queues the channels for the next refresh of lists.',
    id: 'channel_id',
    deletes: true,
  },
  {
    table: 'search_documents',
    about:
      'Queues new documents for the next refresh of lists: their views and likes are of a snapshot that may be older ' +
      'than the latest changes.',
    id: 'id',
    when: "t.kind <> 'PLAYLIST'",
    deletes: false,
  },
];
