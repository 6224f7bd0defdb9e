import { COUNTED_TABLES, recount } from '../../server/migrations/declarations/counters.ts';

const FILLED = ['contents', 'follows', 'comments', 'playlists', 'playlist_items'];
/** Tables whose counters weight search documents. */
const WEIGHT_TABLES = ['likes', 'content_daily'];

const filling = (tables: readonly string[]): readonly string[] =>
  COUNTED_TABLES.filter(({ table }) => tables.includes(table)).map(
    (
      counted,
    ) => `insert into counters (scope, key, shard, value) select v.scope, v.key, 0, v.value from (${recount(counted)}) v
      on conflict (scope, key, shard) do update set value = excluded.value`,
  );

/** Statements that fill the counters of views and likes, and those of everything else; there must be none yet. */
export const WEIGHT_COUNTERS: readonly string[] = filling(WEIGHT_TABLES);
export const COUNTERS: readonly string[] = filling(FILLED);
