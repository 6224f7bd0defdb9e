import type { ParsedDid } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const FOREIGN = sql(
  'object_of_other_channel',
  `select o.place::int - 1 as index
   from unnest($3::text[], $4::uuid[]) with ordinality o (kind, id, place)
   cross join lateral channel_of_object(o.kind, o.id) as at (channel_id)
   join channel_members m on m.channel_id = at.channel_id and m.account_id = $1
   where at.channel_id <> all($2::uuid[]) order by o.place limit 1`,
);

/** The position of the first object that is in a channel of the account, but none of these; null if all may be used. */
export async function findForeignObject(
  db: Executor,
  accountId: string,
  channels: readonly string[],
  objects: readonly ParsedDid[],
): Promise<number | null> {
  const values = [accountId, channels, objects.map(({ kind }) => kind), objects.map(({ id }) => id)];
  return (await db.first<{ index: number }>(FOREIGN, values))?.index ?? null;
}
