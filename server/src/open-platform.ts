import { join } from 'node:path';
import { systemClock } from './platform/clock.ts';
import type { Config } from './platform/config/config.ts';
import { loadSecrets } from './platform/config/secret-key.ts';
import { openDatabase } from './platform/db/database.ts';
import { checkSecretKey } from './platform/db/facts.ts';
import { awaitServer } from './platform/db/local/await-server.ts';
import { hasLocalPostgres, startLocalPostgres } from './platform/db/local/local-postgres.ts';
import { migrate } from './platform/db/migrations.ts';
import { withReconnect } from './platform/db/with-reconnect.ts';
import { openEvents } from './platform/events/events.ts';
import { openJobs } from './platform/jobs/jobs.ts';
import type { Logger } from './platform/log.ts';
import type { Platform } from './platform/platform.ts';
import { openStorage } from './platform/storage/open-storage.ts';
import type { ReceivingStore } from './platform/storage/receiving-store.ts';

/** The database address, and a function to release it. */
export interface DatabaseServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The operator's PostgreSQL, or the one in the data folder: started or adopted and, with `supervise`, kept running. */
export async function openDatabaseServer(
  config: Config,
  options: { supervise?: Logger } = {},
): Promise<DatabaseServer> {
  if (config.DATABASE_URL) return { url: config.DATABASE_URL, stop: async () => {} };
  return startLocalPostgres(join(config.DATA_DIR, 'postgres'), options);
}

/** Whether there is a database; `openDatabaseServer` would create one otherwise. */
export function hasDatabase(config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): boolean {
  return config.DATABASE_URL !== undefined || hasLocalPostgres(join(config.DATA_DIR, 'postgres'));
}

export interface OpenPlatform extends Platform {
  readonly databaseUrl: string;
  readonly receiving: ReceivingStore;
  /** Closes connections; a local database is stopped. */
  close(): Promise<void>;
}

/**
 * From settings to adapters: a migrated database, the object store, jobs and events, not started yet. An abort of
 * `signal` ends it before the next step.
 */
export async function openPlatform(
  config: Config,
  log: Logger,
  { worker, signal }: { worker: boolean; signal: AbortSignal },
): Promise<OpenPlatform> {
  const server = await openDatabaseServer(config, { supervise: log });
  try {
    signal.throwIfAborted();
    if (config.DATABASE_URL) await awaitServer(server.url, { log, signal });
    const applied = await withReconnect(() => migrate(server.url), { log, step: 'migrations' });
    if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
    signal.throwIfAborted();
    const secrets = loadSecrets(config);
    const db = openDatabase({ url: server.url, onError: (error) => log.warn({ error }, 'database connection lost') });
    await withReconnect(() => checkSecretKey(db, secrets), { log, step: 'secret key' });
    const { store, receiving, space } = await openStorage(config);
    const jobs = openJobs({ url: server.url, db, log, worker });
    const events = openEvents({ url: server.url, db, log, keepDays: config.EVENT_LOG_DAYS });
    const close = async () => {
      await db.close();
      await server.stop();
    };
    const storage = { store, receiving, space };
    return { config, clock: systemClock, log, db, secrets, ...storage, jobs, events, databaseUrl: server.url, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
