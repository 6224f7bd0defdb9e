/** A counter that the rows of a table add to. Expressions are SQL over the row `t`. */
export interface Counter {
  readonly scope: string;
  /** SQL appended to the scope, for one counter per kind or status. */
  readonly scopeSuffix?: string;
  /** The column with the key. Default: one counter for everything. */
  readonly key?: string;
  /** What a row adds. Default: 1. */
  readonly amount?: string;
  /** Rows that count. Default: all. */
  readonly when?: string;
  /** The table whose row the key names: deleting that row deletes the counter. */
  readonly owner?: string;
}

/** A table with counters in the table `counters`. */
export interface CountedTable {
  readonly table: string;
  /**
   * Whether an update can change what a row adds. Columns: only a change of one of these, which is counted row by row,
   * so that other updates cost nothing.
   */
  readonly updates?: true | readonly string[];
  readonly counters: readonly Counter[];
}

/** A table whose rows are counted in a column of another table, because lists are sorted by it. */
export interface CountedColumn {
  readonly table: string;
  readonly key: string;
  readonly countedIn: string;
  readonly column: string;
}

/** The key of counters of everything. */
export const EVERYTHING = '00000000-0000-0000-0000-000000000000';

const KEPT = 't.deleted_at is null';

/** Of a video: its file, and the original where it was trimmed. */
const UPLOADED_BYTES = 't.original_bytes + case when t.original_deleted_at is null then t.size_bytes else 0 end';

/** Every exact counter; `npm run gen` writes repeatable/counters.sql from this table. */
export const COUNTED_TABLES: readonly CountedTable[] = [
  { table: 'channels', updates: true, counters: [{ scope: 'channels', when: 'not (t.is_test or t.is_hidden)' }] },
  {
    table: 'channel_members',
    counters: [
      { scope: 'account:channels', key: 'account_id' },
      { scope: 'channel:members', key: 'channel_id' },
    ],
  },
  { table: 'channel_blocks', counters: [{ scope: 'channel:blocks', key: 'channel_id' }] },
  {
    table: 'contents',
    updates: true,
    counters: [
      { scope: 'listed:', scopeSuffix: 't.kind', when: 't.listed' },
      { scope: 'channel:listed:', scopeSuffix: 't.kind', key: 'channel_id', when: 't.listed' },
      { scope: 'channel:contents', key: 'channel_id', when: KEPT },
      { scope: 'channel:', scopeSuffix: "t.kind || ':' || t.status", key: 'channel_id', when: KEPT },
      { scope: 'channel:trash', key: 'channel_id', when: 't.deleted_at is not null and t.trashed_with is null' },
      { scope: 'children:kept', key: 'parent_id', when: KEPT, owner: 'contents' },
      {
        scope: 'children:shown',
        key: 'parent_id',
        when: `${KEPT} and t.status = 'PUBLISHED' and t.visibility = 'PUBLIC'`,
        owner: 'contents',
      },
    ],
  },
  {
    table: 'playlists',
    updates: true,
    counters: [
      { scope: 'listed:PLAYLIST', when: 't.listed' },
      { scope: 'channel:listed:PLAYLIST', key: 'channel_id', when: 't.listed' },
      { scope: 'channel:playlists', key: 'channel_id' },
    ],
  },
  {
    table: 'playlist_items',
    updates: true,
    counters: [
      { scope: 'playlist:items', key: 'playlist_id', owner: 'playlists' },
      { scope: 'playlist:open', key: 'playlist_id', when: 't.open', owner: 'playlists' },
    ],
  },
  {
    table: 'ingestions',
    updates: ['state', 'size_bytes'],
    counters: [
      { scope: 'channel:ingestions', key: 'channel_id', when: 'not t.is_partial' },
      { scope: 'channel:storage', key: 'channel_id', amount: 't.size_bytes', when: "t.state = 'OPEN'" },
    ],
  },
  {
    table: 'video_assets',
    updates: ['derived_bytes', 'derived_files', 'original_deleted_at'],
    counters: [
      { scope: 'channel:videos', key: 'channel_id' },
      { scope: 'channel:storage', key: 'channel_id', amount: UPLOADED_BYTES },
      { scope: 'channel:originals', key: 'channel_id', amount: UPLOADED_BYTES },
      { scope: 'channel:derived-bytes', key: 'channel_id', amount: 't.derived_bytes' },
      { scope: 'channel:derived-files', key: 'channel_id', amount: 't.derived_files' },
    ],
  },
  {
    table: 'image_assets',
    updates: ['variants'],
    counters: [
      { scope: 'channel:images', key: 'channel_id' },
      { scope: 'channel:storage', key: 'channel_id', amount: 'image_bytes(t.variants)' },
    ],
  },
  {
    table: 'transcode_jobs',
    counters: [{ scope: 'channel:jobs', key: 'channel_id' }],
  },
  {
    table: 'upload_charges',
    counters: [
      { scope: 'minutes:', scopeSuffix: "to_char(t.month, 'YYYY-MM')", key: 'account_id', amount: 't.duration_ms' },
    ],
  },
  {
    table: 'broadcast_charges',
    updates: ['duration_ms'],
    counters: [
      {
        ...{ scope: 'broadcast-minutes:', scopeSuffix: "to_char(t.month, 'YYYY-MM')", key: 'account_id' },
        amount: 't.duration_ms',
      },
    ],
  },
  {
    table: 'generation_charges',
    counters: [
      { scope: 'generation:', scopeSuffix: "to_char(t.month, 'YYYY-MM')", key: 'account_id', amount: 't.credits' },
    ],
  },
  { table: 'likes', counters: [{ scope: 'content:likes', key: 'content_id', owner: 'contents' }] },
  {
    table: 'follows',
    counters: [
      { scope: 'channel:followers', key: 'channel_id' },
      { scope: 'account:follows', key: 'account_id' },
    ],
  },
  {
    table: 'comments',
    updates: true,
    counters: [
      { scope: 'content:comments', key: 'content_id', when: `t.status = 'PUBLISHED' and ${KEPT}`, owner: 'contents' },
      { scope: 'content:threads', key: 'content_id', when: 't.listed and t.parent_id is null', owner: 'contents' },
      { scope: 'comment:replies', key: 'parent_id', when: 't.listed', owner: 'comments' },
      { scope: 'comment:thread', key: 'root_id', when: 't.listed', owner: 'comments' },
      { scope: 'channel:held', key: 'channel_id', when: `t.status = 'HELD' and ${KEPT}` },
      { scope: 'account:comments', key: 'account_id' },
    ],
  },
  {
    table: 'reports',
    updates: true,
    counters: [{ scope: 'channel:reports:', scopeSuffix: 't.status', key: 'channel_id' }],
  },
  {
    table: 'content_daily',
    updates: true,
    counters: [{ scope: 'content:views', key: 'content_id', amount: 't.views', owner: 'contents' }],
  },
  { table: 'watch_positions', counters: [{ scope: 'account:history', key: 'account_id' }] },
  { table: 'content_listing_terms', counters: [{ scope: 'term:listed:', scopeSuffix: 't.kind', key: 'term_id' }] },
  { table: 'webhook_deliveries', counters: [{ scope: 'webhook:deliveries', key: 'webhook_id' }] },
];

export const COUNTED_COLUMNS: readonly CountedColumn[] = [
  { table: 'comment_likes', key: 'comment_id', countedIn: 'comments', column: 'likes_count' },
];

/** SQL of what the rows of the table `rows` add: (scope, key, n) for each row and counter. */
export function countedRows({ counters }: CountedTable, rows: string): string {
  const values = counters.map(({ scope, scopeSuffix, key, amount = '1', when }) => {
    const scopeSql = scopeSuffix ? `'${scope}' || ${scopeSuffix}` : `'${scope}'`;
    const keySql = key ? `t.${key}` : `'${EVERYTHING}'::uuid`;
    return `(${scopeSql}, ${keySql}, ${when ? `case when ${when} then ${amount} else 0 end` : amount})`;
  });
  return `${rows} t cross join lateral (values\n        ${values.join(',\n        ')}) d (scope, key, n)`;
}

/** SQL of what the counters of a table must be: (scope, key, value), without those that are 0. */
export function recount(counted: CountedTable): string {
  return `select d.scope, d.key, sum(d.n)::bigint as value from ${countedRows(counted, counted.table)}
    where d.key is not null group by 1, 2 having sum(d.n) <> 0`;
}
