import pg from 'pg';
import { translate } from '../../../kernel/database-errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { endPool } from '../../../platform/db/end-pool.ts';
import { OLDEST_SECRET_KEY, recallFact } from '../../../platform/db/facts.ts';
import { readFetchAllow } from '../../../platform/fetch/fetch-allow.ts';
import type { Platform } from '../../../platform/platform.ts';
import { openMetadataDocuments } from '../oauth/metadata-document.ts';
import type { PasswordHashing } from '../passwords/hash-password.ts';
import { withCurrentSignatures } from './library-secrets.ts';
import type { SignInLibrary } from './sign-in-library.ts';

export interface Auth {
  /** Loads the library, which takes a third of a second; otherwise the first request does. */
  open(): Promise<void>;
  /**
   * Handles a request under /api/auth. Throws unexpected errors; SERVICE_UNAVAILABLE when the database is unavailable.
   */
  handler(request: Request): Promise<Response>;
  /**
   * Signs in an account that proved itself in another way than by its password; the response has the session cookie.
   * Throws like `handler`.
   */
  startSession(accountId: AccountId, headers: Headers): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Sign-up, sign-in and sessions by better-auth, which only a process in which people sign in loads. It has a small pool
 * of its own, because the library reads timestamps as Date. Passwords are hashed by the library (scrypt) unless
 * `hashing` says otherwise.
 */
export function createAuth(
  platform: Pick<Platform, 'config' | 'clock' | 'log' | 'secrets' | 'db'>,
  databaseUrl: string,
  hashing?: PasswordHashing,
): Auth {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 4,
    idleTimeoutMillis: 30_000,
    options: '-c timezone=UTC',
    statement_timeout: 10_000,
    application_name: 'reelgraph auth',
  });
  pool.on('error', (error) => platform.log.warn({ error }, 'A database connection of the sign-in was lost.'));
  // The pool listens to idle connections only; one that is lost in use fails its statement, and must not end the
  // process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const { secrets } = platform;
  const withSignatures = (given: Headers): Headers => {
    const headers = new Headers(given);
    const cookies = headers.get('cookie');
    if (cookies !== null) headers.set('cookie', withCurrentSignatures(secrets, cookies));
    return headers;
  };
  const signedAnew = (request: Request): Request =>
    secrets.accepted.length === 1 ? request : new Request(request, { headers: withSignatures(request.headers) });
  const documents = openMetadataDocuments(readFetchAllow(platform.config.FETCH_ALLOW));
  let opened: Promise<SignInLibrary> | undefined;
  const open = async () => {
    const { signInLibrary } = await import('./sign-in-library.ts');
    return signInLibrary(platform, pool, documents, await recallFact(platform.db, OLDEST_SECRET_KEY), hashing);
  };
  const library = () => {
    opened ??= open();
    return opened;
  };
  return {
    async open() {
      await library();
    },
    async handler(request) {
      const { handler } = await library();
      // The library opens its context at once; an error surfaces with the first request.
      return handler(signedAnew(request)).catch(rethrow);
    },
    async startSession(accountId, headers) {
      const { startSession } = await library();
      return startSession(accountId, withSignatures(headers)).catch(rethrow);
    },
    async close() {
      await documents.close();
      await endPool(pool);
    },
  };
}

function rethrow(error: unknown): never {
  throw translate(error);
}
