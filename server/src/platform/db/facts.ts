import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Secrets } from '../config/secret-key.ts';
import type { Database } from './database.ts';
import { sql } from './statement.ts';

const REMEMBER = sql(
  'remember_fact',
  'insert into platform_metadata (name, value) values ($1, $2) on conflict (name) do nothing',
);
const RECALL = sql('recall_fact', 'select value from platform_metadata where name = $1');

/** Stores a fact about this platform unless it is already stored; returns the stored value. */
export async function establishFact(db: Database, name: string, value: string): Promise<string> {
  await db.run(REMEMBER, [name, value]);
  const row = await db.first<{ value: string }>(RECALL, [name]);
  if (!row) throw new AppError('INTERNAL_SERVER_ERROR', t`The fact ${name} was not stored.`);
  return row.value;
}

/** Tells whether two processes have the same SECRET_KEY. */
export function keyFingerprint(secrets: Secrets): string {
  return secrets.mac('fingerprint', 'reelgraph').toString('hex').slice(0, 16);
}

/**
 * Every instance on one database must have the same SECRET_KEY, or each would refuse the keys and addresses of the
 * others. Throws when this one differs.
 */
export async function checkSecretKey(db: Database, secrets: Secrets): Promise<void> {
  const mine = keyFingerprint(secrets);
  if ((await establishFact(db, 'secret_key_fingerprint', mine)) !== mine) {
    throw new Error(
      'SECRET_KEY is not the one this database was created with: give ' +
        'every instance the same SECRET_KEY (or its DATA_DIR/secret-key).',
    );
  }
}
