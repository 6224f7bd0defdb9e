import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../kernel/errors.ts';
import { type ContentId, newId } from '../../kernel/ids.ts';
import { requestLanguage } from '../../kernel/languages/languages.ts';
import { ManualClock } from '../../platform/clock.ts';
import { readConfig } from '../../platform/config/config.ts';
import { secretsFrom } from '../../platform/config/secret-key.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Statement, sql } from '../../platform/db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../../platform/db/testing.ts';
import { openEvents } from '../../platform/events/events.ts';
import { openJobs } from '../../platform/jobs/jobs.ts';
import { createLogger } from '../../platform/log.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import { DiskReceivingStore } from '../../platform/storage/disk-receiving.ts';
import { DiskStore } from '../../platform/storage/disk-store.ts';
import type { ReceivingStore } from '../../platform/storage/receiving-store.ts';
import { type StorageSpace, UNLIMITED_SPACE } from '../../platform/storage/storage-space.ts';
import { until } from '../../testing/until.ts';

export interface AssetsTestPlatform extends Platform {
  readonly clock: ManualClock;
  readonly test: TestDatabase;
  readonly databaseUrl: string;
  readonly receiving: ReceivingStore;
  close(): Promise<void>;
}

/**
 * A platform with its own database and folder; the clock stands still until moved. Jobs and events are not started.
 * `space` is the capacity of its store, unlimited by default, so that tests do not depend on the machine's disk.
 */
export async function createAssetsTestPlatform(
  env: Record<string, string> = {},
  space: StorageSpace = UNLIMITED_SPACE,
): Promise<AssetsTestPlatform> {
  const test = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-assets-'));
  const log = createLogger({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  return {
    test,
    databaseUrl: test.url,
    db: test.db,
    clock: new ManualClock(Date.now()),
    secrets: secretsFrom(Buffer.alloc(32, 7)),
    config: readConfig({ BASE_URL: 'http://reelgraph.test', DATA_DIR: folder, ...env }),
    log,
    store: new DiskStore(join(folder, 'objects')),
    receiving: new DiskReceivingStore(join(folder, 'objects')),
    space,
    jobs: openJobs({ url: test.url, db: test.db, log, worker: true }),
    events: openEvents({ url: test.url, db: test.db, log }),
    async close() {
      await test.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const ACCOUNT = sql(
  'test_account',
  `insert into accounts (id, email, name, username) values ($1, $2, 'Test', $3) ` +
    'returning primary_channel_id as "channelId"',
);
const CONTENT = sql(
  'test_content',
  `insert into contents (id, channel_id, kind, title, visibility) values ($1, $2, 'FEATURE', 'A video', $3)`,
);

/** A draft of a new account. */
export async function makeContent(
  { db }: Pick<Platform, 'db'>,
  visibility = 'PUBLIC',
): Promise<{ contentId: ContentId; channelId: string; accountId: string }> {
  const accountId = newId();
  const name = `u${accountId.slice(-12)}`;
  const row = await db.first<{ channelId: string }>(ACCOUNT, [accountId, `${name}@example.com`, name]);
  if (!row) throw new Error('the account was not created');
  const contentId = newId<'content'>();
  await db.run(CONTENT, [contentId, row.channelId, visibility]);
  return { contentId, channelId: row.channelId, accountId };
}

/** Serves routes, whose patterns may end in `/*`, over a real socket and renders what they throw as the edge does. */
export async function serveAssetRoutes(routes: readonly Route[]): Promise<{ address: string; close(): Promise<void> }> {
  const matches = (path: string, pathname: string) =>
    path.endsWith('/*') ? pathname.startsWith(path.slice(0, -1)) : path === pathname;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const route = routes.find(
      ({ path, method }) => (method === '*' || method === request.method) && matches(path, url.pathname),
    );
    try {
      if (!route) throw new AppError('RESOURCE_NOT_FOUND');
      const { signal: closing } = new AbortController();
      await route.handle(request, response, {
        requestId: 'test',
        language: requestLanguage(request),
        url,
        params: {},
        clientAddress: '127.0.0.1',
        closing,
      });
    } catch (error) {
      const known =
        error instanceof AppError ? error : new AppError('INTERNAL_SERVER_ERROR', String(error), { cause: error });
      if (response.headersSent) return void response.destroy();
      response.writeHead(known.httpStatus, { 'content-type': 'application/json', ...known.headers });
      response.end(JSON.stringify({ errors: [{ code: known.code, field: known.field, message: known.message }] }));
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    address: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/**
 * Watches the reports of running jobs to the database. Returns a wait: until a job has asked once more whether it is
 * still current, and has the answer.
 */
export function watchReports(db: Database): () => Promise<void> {
  const first = db.first.bind(db);
  let [reports, refusals] = [0, 0];
  Object.assign(db, {
    first: async (statement: Statement, values: readonly unknown[]) => {
      const row = await first(statement, values);
      if (!statement.name.startsWith('report_progress:')) return row;
      reports += 1;
      if (row === null) refusals += 1;
      return row;
    },
  });
  return async () => {
    const seen = { reports, refusals };
    // The first of two reports may have been on its way already. After a refusal there are no more.
    await until(() => reports >= seen.reports + 2 || refusals > seen.refusals, 'no job reports its progress');
  };
}
