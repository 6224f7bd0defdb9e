/** A table whose rows people edit: an update of it that changes nothing writes nothing. */
export interface EditedTable {
  readonly table: string;
  /** What its rows are, for the comment of the function. */
  readonly what: string;
  /**
   * The columns of its forms: a change of one of these gives the row the next revision. `::text`: upper and lower case
   * are a difference.
   */
  readonly edited: readonly string[];
  /** Columns that PostgreSQL computes after the triggers. */
  readonly generated?: readonly string[];
}

const TEXTS = ['title', 'summary', 'short_summary', 'keywords'];

/** Every table with revisions; `npm run gen` writes repeatable/revisions.sql from this table. */
export const EDITED_TABLES: readonly EditedTable[] = [
  {
    table: 'contents',
    what: 'a content',
    edited: [
      ...[...TEXTS, 'language', 'rating_id', 'visibility', 'layout', 'contains_ads', 'allow_download'],
      ...['is_premiere', 'is_finale', 'note', 'chapters', 'comment_mode'],
    ],
    generated: ['listed', 'effective_visibility'],
  },
  {
    table: 'channels',
    what: 'a channel',
    edited: [
      ...[...TEXTS, 'name', 'handle::text', 'time_zone', 'website_url', 'keep_originals', 'encrypt_private_videos'],
      ...['encode_av1', 'encode_hevc', 'prefer_enhanced'],
    ],
  },
  { table: 'playlists', what: 'a playlist', edited: [...TEXTS, 'visibility'], generated: ['listed', 'open'] },
  { table: 'captions', what: 'captions', edited: ['language', 'label', 'kind', 'is_default', 'is_forced', 'vtt'] },
  { table: 'channel_moderation', what: 'rules of moderation', edited: ['blocked_words', 'hold_links'] },
  { table: 'chats', what: 'a chat', edited: ['mode', 'slow_mode_ms'] },
  { table: 'webhooks', what: 'a webhook', edited: ['url', 'events', 'description', 'delivery_order', 'is_enabled'] },
  {
    table: 'live_inputs',
    what: 'a live input',
    edited: [
      'name',
      'latency',
      'recording',
      'visibility',
      'start_mode',
      'reconnect_window_ms',
      'srt',
      'chat_mode',
      'chat_slow_mode_ms',
    ],
  },
  { table: 'simulcast_targets', what: 'a simulcast target', edited: ['name', 'url', 'stream_key', 'is_enabled'] },
  {
    table: 'account_settings',
    what: 'settings of an account',
    edited: ['do_not_track', 'keep_history', 'language'],
  },
  {
    table: 'api_key_usage_limits',
    what: 'usage limits of a key',
    edited: ['deletes_per_day', 'publishes_per_hour', 'processing_minutes_per_day'],
  },
];
