import type { ParsedDid } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { type Statement, sql } from '../../../platform/db/statement.ts';

const objectsOutside = (further: string) => `select o.place::int - 1 as index
   from unnest($2::text[], $3::uuid[]) with ordinality o (kind, id, place)
   cross join lateral channel_of_object(o.kind, o.id) as at (channel_id) ${further}
   where at.channel_id <> all($1::uuid[]) and object_is_public(o.kind, o.id) order by o.place limit 1`;

const FOREIGN = sql(
  'object_of_other_channel',
  objectsOutside('join channel_members m on m.channel_id = at.channel_id and m.account_id = $4'),
);
const OUTSIDE = sql('object_outside_channels', objectsOutside(''));

/** The position of the first public object that is in a channel of the account, but none of these; else null. */
export async function findForeignObject(
  db: Executor,
  accountId: string,
  channels: readonly string[],
  objects: readonly ParsedDid[],
): Promise<number | null> {
  return position(db, FOREIGN, [channels, ...columns(objects), accountId]);
}

/** The position of the first public object that is in any channel but these. */
export async function findOutsideObject(
  db: Executor,
  channels: readonly string[],
  objects: readonly ParsedDid[],
): Promise<number | null> {
  return position(db, OUTSIDE, [channels, ...columns(objects)]);
}

const columns = (objects: readonly ParsedDid[]) => [objects.map(({ kind }) => kind), objects.map(({ id }) => id)];

async function position(db: Executor, statement: Statement, values: readonly unknown[]): Promise<number | null> {
  return (await db.first<{ index: number }>(statement, values))?.index ?? null;
}
