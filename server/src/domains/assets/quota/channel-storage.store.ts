import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** What a channel stores. */
export interface ChannelStorage {
  readonly channelId: string;
  readonly handle: string;
  /** Username of its owner. */
  readonly owner: string;
  /** Original videos, images, and the size of open uploads. */
  readonly usedBytes: number;
  readonly derivedBytes: number;
  readonly totalBytes: number;
}

const SIZES = `
  sizes as (
    select key as id, coalesce(sum(value) filter (where scope = 'channel:storage'), 0)::bigint as used,
      coalesce(sum(value) filter (where scope = 'channel:derived-bytes'), 0)::bigint as derived
    from counters where scope in ('channel:storage', 'channel:derived-bytes') group by key
  )`;

const LARGEST = sql(
  'largest_channels',
  `with ${SIZES}
   select c.id as "channelId", c.handle::text as handle, a.username::text as owner, coalesce(s.used, 0) as "usedBytes",
     coalesce(s.derived, 0) as "derivedBytes", coalesce(s.used + s.derived, 0) as "totalBytes"
   from channels c join accounts a on a.id = c.account_id left join sizes s on s.id = c.id
   order by "totalBytes" desc, c.id limit $1`,
);

/** The channels that store the most, largest first. */
export function largestChannels(db: Executor, limit: number): Promise<ChannelStorage[]> {
  return db.run<ChannelStorage>(LARGEST, [limit]);
}

const TOTAL = sql(
  'storage_of_all_channels',
  `with ${SIZES}
   select coalesce(sum(used), 0)::bigint as "usedBytes", coalesce(sum(derived), 0)::bigint as "derivedBytes",
     coalesce(sum(used + derived), 0)::bigint as "totalBytes" from sizes`,
);

/** All channels together, including deleted ones whose files are not deleted yet. */
export async function storageOfAllChannels(
  db: Executor,
): Promise<Pick<ChannelStorage, 'usedBytes' | 'derivedBytes' | 'totalBytes'>> {
  return (await db.first<ChannelStorage>(TOTAL, [])) ?? { usedBytes: 0, derivedBytes: 0, totalBytes: 0 };
}
