const EVERYTHING = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** What the triggers of the tables that were written without them would have counted: scope, key and value. */
const COUNTED: readonly string[] = [
  `select 'listed:' || kind, ${EVERYTHING}, count(*) from contents where listed group by 1`,
  `select 'channel:listed:' || kind, channel_id, count(*) from contents where listed group by 1, 2`,
  `select 'channel:contents', channel_id, count(*) from contents where deleted_at is null group by 2`,
  `select i.scope, i.key, count(*) from contents c, contents_counted_in(c.parent_id, c.channel_id, c.kind, c.status, c.visibility, c.deleted_at is null) i group by 1, 2`,
  `select 'channel:followers', channel_id, count(*) from follows group by 2`,
  `select 'account:follows', account_id, count(*) from follows group by 2`,
  `select f.scope, f.key, sum(f.n)::bigint from comments c cross join lateral comment_counts(c) f group by 1, 2`,
  `select 'listed:PLAYLIST', ${EVERYTHING}, count(*) from playlists where listed`,
  `select 'channel:listed:PLAYLIST', channel_id, count(*) from playlists where listed group by 2`,
  `select 'channel:playlists', channel_id, count(*) from playlists group by 2`,
  `select 'playlist:items', playlist_id, count(*) from playlist_items group by 2`,
  `select 'playlist:open', playlist_id, count(*) from playlist_items where open group by 2`,
];

/** What documents are weighted by. */
const FIGURES_COUNTED: readonly string[] = [
  `select 'content:likes', content_id, count(*) from likes group by 2`,
  `select 'content:views', content_id, sum(views)::bigint from content_daily group by 2`,
];

const filling = (
  text: string,
) => `insert into counters (scope, key, shard, value) select v.scope, v.key, 0, v.value from (${text}) v (scope, key, value)
    on conflict (scope, key, shard) do update set value = excluded.value`;

/** Statements that fill the counters of views and likes, and those of everything else; nothing may have counted in these scopes before. */
export const FIGURES: readonly string[] = FIGURES_COUNTED.map(filling);
export const COUNTERS: readonly string[] = COUNTED.map(filling);
