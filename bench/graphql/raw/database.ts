import { createHash } from 'node:crypto';
import pg from 'pg';
import { secretsFrom } from '../../../server/src/platform/config/secret-key.ts';
import { typeParsers } from '../../../server/src/platform/db/types.ts';

/** Handler of one operation: returns its data, or null for an invalid key. */
export type Handler = (key: Buffer, variables: Readonly<Record<string, string>>) => Promise<object | null>;

/** Closed when the server ends. */
export const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 4,
  application_name: 'raw',
  // Connections stay open because their backends are measured from outside.
  idleTimeoutMillis: 0,
  types: typeParsers,
  options: '-c timezone=UTC',
});
export const secrets = secretsFrom(Buffer.from(process.env.SECRET_KEY ?? '', 'base64'));

/** The account of the key; every statement begins with it. */
export const VIEWER = `with u as (select a.id as account_id, a.username, a.primary_channel_id as channel_id, s.plan,
  s.state, s.access_until
  from api_keys k join accounts a on a.id = k.account_id join subscriptions s on s.account_id = a.id
    where k.lookup_hash = $1)`;

/** Columns of the account, in every row. */
interface ViewerColumns {
  readonly access_until: string;
}

/** Rows of a named statement that begins with {@link VIEWER}; null when the key is not valid. */
export async function query<Row extends object>(
  name: string,
  text: string,
  values: unknown[],
): Promise<(Row & ViewerColumns)[] | null> {
  const statement = { name: `${name}:${createHash('sha256').update(text).digest('hex').slice(0, 8)}`, text, values };
  const { rows } = await pool.query<Row & ViewerColumns>(statement);
  const viewer = rows[0];
  if (!viewer || viewer.access_until === '-infinity') return null;
  return rows;
}
