import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { translate } from '../../../kernel/database-errors.ts';
import { AppError } from '../../../kernel/errors.ts';
import { ConfigError } from '../../config/config.ts';
import type { Logger } from '../../log.ts';

/** Of PostgreSQL: the schema uses uuidv7(), casefold() and the old and new rows of returning. */
const OLDEST = 18;
const PAUSE_MS = 500;
const CONNECT_MS = 5_000;
/** Network errors that occur only before a connection is established. */
const ON_THE_WAY = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']);

/**
 * Waits until the operator's PostgreSQL, which may be starting at the same time, is ready.
 * @throws ConfigError with the server, its error and a suggested fix, when it is unavailable for `patienceMs`, rejects
 *   the login or is too old, or when `url` is invalid; AbortError when `signal` is aborted.
 */
export async function awaitServer(
  url: string,
  { log, patienceMs = 30_000, signal }: { log: Logger; patienceMs?: number; signal?: AbortSignal },
): Promise<void> {
  if (!URL.canParse(url))
    throw new ConfigError([
      'DATABASE_URL: not of the form postgres://user:password@host:port/database; in a password, write @ as %40, ' +
        ': as %3A, / as %2F.',
    ]);
  const givenUpMs = performance.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await greet(url);
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      const reason = reasonOf(error);
      if (!mayPass(error) || performance.now() > givenUpMs)
        throw new ConfigError([
          `DATABASE_URL: PostgreSQL at ${describeServer(url)} does not accept ` +
            `the connection: ${reason}. Start it, or correct the address.`,
        ]);
      if (attempt === 1)
        log.warn({ place: describeServer(url), reason }, 'PostgreSQL is not ready yet, waiting for it');
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }
}

async function greet(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'reelgraph start',
    connectionTimeoutMillis: CONNECT_MS,
  });
  client.on('error', () => {}); // the query returns it
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
    const version = rows[0]?.version ?? '';
    if (Number.parseInt(version, 10) < OLDEST)
      throw new ConfigError([
        `DATABASE_URL: PostgreSQL at ${describeServer(url)} is ${version}; version ${OLDEST} or newer is needed.`,
      ]);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Errors that another attempt may avoid; a timeout has no code. */
function mayPass(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || ON_THE_WAY.has(code) || translate(error) instanceof AppError;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** An error for all addresses of a host has no message. */
function reasonOf(error: unknown): string {
  return (error instanceof Error && error.message) || (codeOf(error) ?? String(error));
}

/** Host, port and database, without credentials. */
export function describeServer(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}
