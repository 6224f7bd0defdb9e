import type { Secrets } from '../config/secret-key.ts';
import type { Executor } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { HASH_COLUMNS, type HashColumnName } from './secret-columns.ts';

// A process that still has an earlier key as its current one finds the row, and leaves it to those with the newest.
const STATEMENTS = Object.fromEntries(
  Object.entries(HASH_COLUMNS).map(([name, { table, column, type }]) => [
    name,
    sql(
      `find_hash_in_${table}`,
      `with moved as (
         update ${table} set ${column} = $1 where ${column} = any($2::${type}[])
           and not exists (select from ${table} where ${column} = $1)
           and exists (select from platform_metadata where name = 'secret_key_newest' and value = $3)
         returning ${column} as hash
       )
       select coalesce((select hash from moved), (select ${column} from ${table} where ${column} = $1),
         (select ${column} from ${table} where ${column} = any($2::${type}[]) limit 1)) as hash`,
    ),
  ]),
);

/**
 * The HMAC by which the row of `text` is found: that under SECRET_KEY. A row that has one under another accepted key
 * gets the current one before. Costs nothing while no other key is accepted.
 */
export async function findableHash(
  db: Executor,
  secrets: Pick<Secrets, 'accepted'>,
  name: HashColumnName,
  text: string,
): Promise<Buffer> {
  const { purpose, type } = HASH_COLUMNS[name];
  const [current, ...others] = secrets.accepted.map((key) => key.mac(purpose, text));
  const [newest] = secrets.accepted;
  const statement = STATEMENTS[name];
  if (!current || !newest || !statement) throw new Error('There is no SECRET_KEY.');
  if (others.length === 0) return current;
  const stored = (hash: Buffer) => (type === 'text' ? hash.toString('base64url') : hash);
  const found = await db.first<{ hash: Buffer | string | null }>(statement, [
    stored(current),
    others.map(stored),
    newest.fingerprint,
  ]);
  if (found?.hash == null) return current;
  return typeof found.hash === 'string' ? Buffer.from(found.hash, 'base64url') : found.hash;
}
