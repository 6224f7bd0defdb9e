import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Secrets } from '../config/secret-key.ts';
import type { Database, Executor } from './database.ts';
import { sql } from './statement.ts';

const REMEMBER = sql(
  'remember_fact',
  'insert into platform_metadata (name, value) values ($1, $2) on conflict (name) do nothing',
);
const REPLACE = sql(
  'replace_fact',
  'insert into platform_metadata (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
);
const RECALL = sql('recall_fact', 'select value from platform_metadata where name = $1');

/** Stores a fact about this platform unless it is already stored; returns the stored value. */
export async function establishFact(db: Database, name: string, value: string): Promise<string> {
  await db.run(REMEMBER, [name, value]);
  const row = await db.first<{ value: string }>(RECALL, [name]);
  if (!row) throw new AppError('INTERNAL_SERVER_ERROR', t`The fact ${name} was not stored.`);
  return row.value;
}

/** Replaces a fact. */
export async function setFact(db: Executor, name: string, value: string): Promise<void> {
  await db.run(REPLACE, [name, value]);
}

/** The fact, or null. */
export async function recallFact(db: Executor, name: string): Promise<string | null> {
  return (await db.first<{ value: string }>(RECALL, [name]))?.value ?? null;
}

/** Fingerprint of the oldest key that something in the database is encrypted with. */
export const OLDEST_SECRET_KEY = 'secret_key_fingerprint';
/** Fingerprint of the key that the process started last makes everything with. */
export const NEWEST_SECRET_KEY = 'secret_key_newest';

/** Fact of when a backup of this database was made last, ISO 8601. */
export const LAST_BACKUP_AT = 'last_backup_at';

/**
 * Every instance on one database must accept the same keys, or each would refuse the keys and addresses of the others.
 * Throws when this one does not accept the oldest key that is needed, or the newest.
 */
export async function checkSecretKey(db: Database, secrets: Secrets): Promise<void> {
  const { fingerprint } = secrets;
  const oldest = await establishFact(db, OLDEST_SECRET_KEY, fingerprint);
  const problem = secretKeyProblem({ oldest, newest: fingerprint }, secrets);
  if (problem !== null) throw new Error(problem);
  const newest = await establishFact(db, NEWEST_SECRET_KEY, fingerprint);
  const other = secretKeyProblem({ oldest, newest }, secrets);
  if (other !== null) throw new Error(other);
  if (newest !== fingerprint) await setFact(db, NEWEST_SECRET_KEY, fingerprint);
}

/** Why {@link checkSecretKey} would throw, or null; changes nothing. */
export async function findSecretKeyProblem(db: Executor, secrets: Secrets): Promise<string | null> {
  const oldest = (await recallFact(db, OLDEST_SECRET_KEY)) ?? secrets.fingerprint;
  const newest = (await recallFact(db, NEWEST_SECRET_KEY)) ?? secrets.fingerprint;
  return secretKeyProblem({ oldest, newest }, secrets);
}

/** What is wrong with these keys for a database that names the fingerprints of its own; null if nothing is. Pure. */
function secretKeyProblem(
  { oldest, newest }: { readonly oldest: string; readonly newest: string },
  { accepted }: Pick<Secrets, 'accepted'>,
): string | null {
  const isAccepted = (known: string) => accepted.some((key) => key.fingerprint === known);
  if (!isAccepted(oldest))
    return (
      'SECRET_KEY is not the one this database was created with: give every instance the same SECRET_KEY (or its ' +
      'DATA_DIR/secret-key). If it was changed, the former one belongs in SECRET_KEY_PREVIOUS until npm run admin ' +
      '-- rotate-secret-key has finished.'
    );
  if (!isAccepted(newest))
    return (
      'SECRET_KEY was changed on another instance: give every instance the new SECRET_KEY, and the former one in ' +
      'SECRET_KEY_PREVIOUS.'
    );
  return null;
}
