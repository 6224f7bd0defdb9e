import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import type { Database } from '../../../platform/db/database.ts';
import { establishSalt } from '../privacy.store.ts';

/** Creates the pseudonyms by which views and viewers are counted. */
export interface ViewerIdentity {
  /** For an account: the same on every device and day, and useless without SECRET_KEY. */
  ofAccount(accountId: string): string;
  /** For an address and browser: the same for one UTC day; its salt is destroyed afterwards. */
  ofBrowser(address: string, userAgent: string, nowMs: number): Promise<string>;
  /** As `ofBrowser`; null while the salt of the day is being read, which this starts. */
  ofBrowserAtOnce(address: string, userAgent: string, nowMs: number): string | null;
}

/** UTC day of an instant, `2026-11-20`. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Pseudonyms on this platform; the day's salt is shared through the database and remembered while its day lasts. */
export function viewerIdentity({ db, secrets }: { db: Database; secrets: Secrets }): ViewerIdentity {
  let today: { readonly day: string; readonly salt: Promise<KeyObject>; key: KeyObject | null } | null = null;
  const saltOf = (day: string): Promise<KeyObject> => {
    if (today?.day !== day) {
      const salt = establishSalt(db, day, randomBytes(32)).then((bytes) => createSecretKey(bytes));
      const current = { day, salt, key: null as KeyObject | null };
      today = current;
      salt.then(
        (key) => {
          current.key = key;
        },
        // A failure is not cached.
        () => {
          today = null;
        },
      );
    }
    return today.salt;
  };
  const pseudonym = (salt: KeyObject, address: string, userAgent: string) =>
    asUuid(createHmac('sha256', salt).update(`${address}\0${userAgent}`).digest());
  return {
    ofAccount: (accountId) => asUuid(secrets.mac('viewer', accountId)),
    async ofBrowser(address, userAgent, nowMs) {
      return pseudonym(await saltOf(utcDay(nowMs)), address, userAgent);
    },
    ofBrowserAtOnce(address, userAgent, nowMs) {
      const day = utcDay(nowMs);
      const salt = today?.day === day ? today.key : null;
      if (salt) return pseudonym(salt, address, userAgent);
      // `ofBrowser` reports a failure.
      saltOf(day).catch(() => {});
      return null;
    },
  };
}

/** A version 8 UUID of the first 16 bytes (RFC 9562 section 5.8). */
function asUuid(digest: Buffer): string {
  const bytes = Buffer.from(digest.subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
