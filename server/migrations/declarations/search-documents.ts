/** What search finds of the rows of a table. Expressions are SQL over the row `t` and its channel `h`. */
export interface SearchedTable {
  readonly table: string;
  /** A literal or expression: a kind of content, CHANNEL or PLAYLIST. */
  readonly kind: string;
  readonly channelId: string;
  readonly title: string;
  /** Words of weight A, B and C. */
  readonly words: readonly [string, string, string];
  /** An array of lexemes that filters search for. */
  readonly tags: string;
  readonly publishedAt: string;
  readonly durationMs?: string;
  /** Computed once, when the document is inserted; workers refresh it afterwards. Default: 0. */
  readonly popularity?: string;
  /**
   * Whether only rows with `listed` have a document. Their texts contain the name of the channel, so renames are
   * serialized with them.
   */
  readonly ofChannel?: true;
  /** Which rows have a document; a row never changes in this. Default: all. */
  readonly when?: string;
  /** A function that maintains further tables for the same ids. */
  readonly also?: string;
  /** The columns that the document is derived from. */
  readonly columns: readonly string[];
}

/** A table of category or genre assignments, which are part of the document of another row. */
export interface TagTable {
  readonly table: string;
  readonly of: string;
  readonly key: string;
}

const TEXTS = ['title', 'summary', 'short_summary', 'keywords'];
const CHANNEL_WORDS = "concat_ws(' ', array_to_string(t.keywords, ' '), h.name, h.handle)";
const SUMMARIES = "concat_ws(' ', t.short_summary, t.summary)";

/** Every kind of search document; `npm run gen` writes repeatable/search-documents.sql from this table. */
export const SEARCHED_TABLES: readonly SearchedTable[] = [
  {
    table: 'channels',
    kind: "'CHANNEL'",
    channelId: 't.id',
    title: 't.name',
    words: ["concat_ws(' ', t.name, t.handle, t.title)", "array_to_string(t.keywords, ' ')", SUMMARIES],
    tags:
      "array['kind/CHANNEL', 'channel/' || t.id] || " +
      "array(select 'category/' || category_id from channel_categories where channel_id = t.id)",
    publishedAt: 't.created_at',
    popularity: "search_popularity(counter_value('channel:followers', t.id), 0)",
    when: 'not (t.is_test or t.is_hidden)',
    columns: ['name', 'handle', 'is_hidden', ...TEXTS],
  },
  {
    table: 'contents',
    kind: 't.kind',
    channelId: 't.channel_id',
    title: 't.title',
    words: ['t.title', CHANNEL_WORDS, SUMMARIES],
    tags: 'search_tags(t)',
    publishedAt: 't.published_at',
    durationMs: 't.duration_ms',
    popularity: "search_popularity(counter_value('content:views', t.id), counter_value('content:likes', t.id))",
    ofChannel: true,
    also: 'content_listings_write',
    columns: ['kind', 'channel_id', ...TEXTS, 'layout', 'language', 'rating_id', 'published_at', 'duration_ms'],
  },
  {
    table: 'playlists',
    kind: "'PLAYLIST'",
    channelId: 't.channel_id',
    title: 't.title',
    words: ['t.title', CHANNEL_WORDS, SUMMARIES],
    tags: "array['kind/PLAYLIST', 'channel/' || t.channel_id]",
    publishedAt: 't.created_at',
    ofChannel: true,
    columns: ['channel_id', ...TEXTS],
  },
];

export const TAG_TABLES: readonly TagTable[] = [
  { table: 'content_categories', of: 'contents', key: 'content_id' },
  { table: 'content_genres', of: 'contents', key: 'content_id' },
  { table: 'channel_categories', of: 'channels', key: 'channel_id' },
];
