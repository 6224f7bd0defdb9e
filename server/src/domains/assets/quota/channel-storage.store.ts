import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** Bytes in the store. */
export interface StoredBytes {
  /** Uploaded files of videos. */
  readonly originalBytes: number;
  /** These, images, and the size of open uploads. */
  readonly usedBytes: number;
  /** Files derived from the videos. */
  readonly derivedBytes: number;
  readonly totalBytes: number;
}

/** What a channel stores. */
export interface ChannelStorage extends StoredBytes {
  readonly channelId: string;
  readonly handle: string;
  readonly title: string;
  /** Username of its owner. */
  readonly owner: string;
}

/** What all channels store together, and those that store the most, largest first. */
export interface ServerStorage {
  /** Including deleted channels whose files are not deleted yet. */
  readonly total: StoredBytes;
  readonly channels: readonly ChannelStorage[];
}

const STORAGE = sql(
  'storage_by_channel',
  `with sizes as (
     select key as id, coalesce(sum(value) filter (where scope = 'channel:originals'), 0)::bigint as originals,
       coalesce(sum(value) filter (where scope = 'channel:storage'), 0)::bigint as used,
       coalesce(sum(value) filter (where scope = 'channel:derived-bytes'), 0)::bigint as derived
     from counters where scope in ('channel:originals', 'channel:storage', 'channel:derived-bytes') group by key
   ),
   total as (
     select coalesce(sum(originals), 0)::bigint as "originalBytes", coalesce(sum(used), 0)::bigint as "usedBytes",
       coalesce(sum(derived), 0)::bigint as "derivedBytes", coalesce(sum(used + derived), 0)::bigint as "totalBytes"
     from sizes
   ),
   largest as (
     select c.id as "channelId", c.handle::text as handle, c.title, a.username::text as owner,
       coalesce(s.originals, 0) as "originalBytes", coalesce(s.used, 0) as "usedBytes",
       coalesce(s.derived, 0) as "derivedBytes", coalesce(s.used + s.derived, 0) as "totalBytes"
     from channels c join accounts a on a.id = c.account_id left join sizes s on s.id = c.id
     order by "totalBytes" desc, c.id limit $1
   )
   select (select row_to_json(t) from total t) as total,
     (select coalesce(json_agg(l order by l."totalBytes" desc, l."channelId"), '[]') from largest l) as channels`,
);

/** Reads what is stored: of all channels together, and of the `limit` channels that store the most. */
export async function readStorage(db: Executor, limit: number): Promise<ServerStorage> {
  const storage = await db.first<ServerStorage>(STORAGE, [limit]);
  if (!storage) throw new Error('A statement without a table returned no row.');
  return storage;
}
