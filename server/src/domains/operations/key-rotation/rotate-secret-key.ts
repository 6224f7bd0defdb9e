import type { Secrets } from '../../../platform/config/secret-key.ts';
import { NEWEST_SECRET_KEY, OLDEST_SECRET_KEY, recallFact, setFact } from '../../../platform/db/facts.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  HASH_COLUMNS,
} from '../../../platform/secret-columns/secret-columns.ts';
import { type LibraryCipher, libraryCipher } from '../../accounts/index.ts';
import { type CredentialsLeft, countLeft } from './credentials-left.store.ts';
import { type EncryptedRow, encryptedRows, replaceEncrypted } from './encrypted-rows.store.ts';

/** Fingerprint of the current key and the instant of the first run with it. */
const SINCE = 'secret_key_since';
/** Signed addresses are valid for a day at most, rounded up to the hour. */
const ADDRESS_MS = 25 * 3_600_000;

/** How far a change of SECRET_KEY is. */
export interface KeyRotation {
  /** Fingerprint of the current key. */
  readonly key: string;
  readonly otherKeys: readonly string[];
  /** Since when all processes have the current key, as the operator promised by the first run with it. */
  readonly since: string;
  /** Values by column that were encrypted with the current key now. */
  readonly reencrypted: Readonly<Record<string, number>>;
  /** Values by column that no accepted key opens. */
  readonly unreadable: Readonly<Record<string, number>>;
  /** What would end with the earlier keys. */
  readonly left: CredentialsLeft;
  /** When the last address that an earlier key signed ends. */
  readonly addressesEnd: string;
  readonly mayRemovePrevious: boolean;
  readonly next: string;
}

type Needs = Pick<Platform, 'db' | 'clock' | 'secrets'>;

/**
 * Encrypts everything with the current key that an earlier one encrypted, in batches: values that have the current key
 * are skipped, so that an interrupted run is continued by the next one. Then counts what still needs an earlier key.
 */
export async function rotateSecretKey({ db, clock, secrets }: Needs): Promise<KeyRotation> {
  const nowMs = clock.now();
  const since = await sinceOf(db, secrets, nowMs);
  const library = await libraryCipher(secrets, await recallFact(db, OLDEST_SECRET_KEY));
  const reencrypted: Record<string, number> = {};
  const unreadable: Record<string, number> = {};
  for (const column of ENCRYPTED_COLUMNS) {
    const name = `${column.table}.${column.column}`;
    const counts = await reencrypt(db, column, cipherOf(column, secrets, library));
    if (counts.changed > 0) reencrypted[name] = counts.changed;
    if (counts.unreadable > 0) unreadable[name] = counts.unreadable;
  }
  const isReadable = Object.keys(unreadable).length === 0;
  // From now on processes may start without the earlier keys.
  if (isReadable) await setFact(db, OLDEST_SECRET_KEY, secrets.fingerprint);
  const others = secrets.accepted.slice(1).map(({ fingerprint }) => fingerprint);
  const left = others.length === 0 ? {} : await countLeft(db, since, new Date(nowMs).toISOString());
  const addressesEndMs = Date.parse(since) + ADDRESS_MS;
  const mayRemovePrevious = isReadable && Object.keys(left).length === 0 && nowMs >= addressesEndMs;
  return {
    ...{ key: secrets.fingerprint, otherKeys: others, since, reencrypted, unreadable, left },
    ...{ addressesEnd: new Date(addressesEndMs).toISOString(), mayRemovePrevious },
    next: nextStep({ isReadable, hasOthers: others.length > 0, mayRemovePrevious }),
  };
}

async function sinceOf(db: Needs['db'], { fingerprint }: Secrets, nowMs: number): Promise<string> {
  await setFact(db, NEWEST_SECRET_KEY, fingerprint);
  const [key, since] = ((await recallFact(db, SINCE)) ?? '').split(' ');
  if (key === fingerprint && since !== undefined) return since;
  const now = new Date(nowMs).toISOString();
  await setFact(db, SINCE, `${fingerprint} ${now}`);
  return now;
}

interface Cipher {
  /** The text, and whether the value has the current key. Throws where no accepted key opens it. */
  open(row: EncryptedRow): Promise<{ readonly text: string; readonly isCurrent: boolean }>;
  seal(text: string): Promise<Pick<EncryptedRow, 'stored' | 'hash'>>;
}

function cipherOf({ cipher, hash }: EncryptedColumn, secrets: Secrets, library: LibraryCipher): Cipher {
  if (cipher === 'sign-in')
    return {
      open: async ({ stored }) => ({
        text: await library.open(String(stored)),
        isCurrent: library.isCurrent(String(stored)),
      }),
      seal: async (text) => ({ stored: await library.seal(text), hash: null }),
    };
  const hashOf = (text: string) => (hash === undefined ? null : secrets.mac(HASH_COLUMNS[hash].purpose, text));
  return {
    async open({ stored, hash: stale }) {
      const sealed = Buffer.from(stored as Buffer); // all of these columns are bytea
      const opened = secrets.accepted.findIndex((key) => canOpen(key, cipher, sealed));
      const text = secrets.open(cipher, sealed);
      const current = hashOf(text);
      return { text, isCurrent: opened === 0 && (current === null || current.equals(stale ?? Buffer.of())) };
    },
    seal: async (text) => ({ stored: secrets.seal(cipher, text), hash: hashOf(text) }),
  };
}

function canOpen(key: Secrets, cipher: Exclude<EncryptedColumn['cipher'], 'sign-in'>, sealed: Buffer): boolean {
  try {
    key.open(cipher, sealed);
    return true;
  } catch {
    return false;
  }
}

async function reencrypt(
  db: Needs['db'],
  column: EncryptedColumn,
  cipher: Cipher,
): Promise<{ changed: number; unreadable: number }> {
  const counts = { changed: 0, unreadable: 0 };
  for await (const row of encryptedRows(db, column)) {
    const opened = await cipher.open(row).catch(() => null);
    if (opened === null) counts.unreadable += 1;
    else if (!opened.isCurrent && (await replaceEncrypted(db, column, row, await cipher.seal(opened.text))))
      counts.changed += 1;
  }
  return counts;
}

interface Outcome {
  readonly isReadable: boolean;
  readonly hasOthers: boolean;
  readonly mayRemovePrevious: boolean;
}

function nextStep({ isReadable, hasOthers, mayRemovePrevious }: Outcome): string {
  if (!isReadable)
    return (
      'No accepted key opens the values in "unreadable": add the key that encrypted them to SECRET_KEY_PREVIOUS and ' +
      'run this command again.'
    );
  if (!hasOthers) return 'SECRET_KEY_PREVIOUS is empty: everything has the current key.';
  if (mayRemovePrevious) return 'SECRET_KEY_PREVIOUS can be removed from all instances.';
  return (
    'Keep SECRET_KEY_PREVIOUS until "left" is empty and "addressesEnd" has passed, then run this command again. If ' +
    'an earlier key is known to others, remove it now: what is in "left" has to be created or signed in again.'
  );
}
