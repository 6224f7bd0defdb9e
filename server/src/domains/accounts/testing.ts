import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError, ERROR_CATALOGUE } from '../../kernel/errors.ts';
import { requestLanguage } from '../../kernel/languages/languages.ts';
import { ManualClock } from '../../platform/clock.ts';
import { type Config, readConfig } from '../../platform/config/config.ts';
import { type Secrets, secretsFrom } from '../../platform/config/secret-key.ts';
import type { Database } from '../../platform/db/database.ts';
import { createTestDatabase } from '../../platform/db/testing.ts';
import { type Jobs, openJobs } from '../../platform/jobs/jobs.ts';
import { createLogger, type Logger } from '../../platform/log.ts';
import type { Route } from '../../platform/routing.ts';
import { type CreatedAccount, storeAccount } from './sessions/create-account.ts';

export interface AccountsTestPlatform {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly clock: ManualClock;
  readonly secrets: Secrets;
  readonly config: Config;
  readonly log: Logger;
  /** Not started. */
  readonly jobs: Jobs;
  close(): Promise<void>;
}

/** The parts of a platform that this domain needs, on its own database; the clock stands still until moved. */
export async function createAccountsTestPlatform(env: Record<string, string> = {}): Promise<AccountsTestPlatform> {
  const test = await createTestDatabase();
  const log = createLogger({ level: 'silent' });
  return {
    db: test.db,
    jobs: openJobs({ url: test.url, db: test.db, log, worker: true }),
    databaseUrl: test.url,
    clock: new ManualClock(Date.now()),
    secrets: secretsFrom(Buffer.alloc(32, 7)),
    config: readConfig({ BASE_URL: 'http://reelgraph.test', SIGN_UP: 'open', ...env }),
    log,
    close: () => test.close(),
  };
}

/** Hash of `correct horse`, written down because hashing takes 100 ms. */
const PASSWORD_HASH =
  '2a161498f7ac0940ed429e717bf7419c:' +
  'c2e1c2a9ab48d24f755139a18fe2b8d03b37280ad1a543c1b4921c844ec3774a' +
  'c8f433ee4d74f276b927fc0bad8eb155932fb1436fbf6298c5f5b0fb15da070e';

/** An account on Creator+ with an API key, or on Free without one, with the password `correct horse`. */
export function createTestAccount(
  platform: Pick<AccountsTestPlatform, 'db' | 'clock' | 'secrets'>,
  username: string,
  plan: 'CREATOR_PLUS' | 'FREE' = 'CREATOR_PLUS',
): Promise<CreatedAccount> {
  const account = { email: `${username}@example.com`, username, name: username, passwordHash: PASSWORD_HASH };
  return storeAccount(
    platform,
    account,
    plan === 'FREE' ? {} : { subscription: { plan, state: 'ACTIVE' }, apiKey: true },
  );
}

/** Serves routes with fixed paths over a real socket, rendering errors like the edge; returns its address. */
export async function serveRoutes(routes: readonly Route[]): Promise<{ address: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const route = routes.find((candidate) => candidate.path === url.pathname && candidate.method === request.method);
    try {
      if (!route) throw new AppError('RESOURCE_NOT_FOUND');
      await route.handle(request, response, {
        requestId: 'test',
        language: requestLanguage(request),
        url,
        params: {},
        clientAddress: String(request.headers['x-test-address'] ?? '127.0.0.1'),
        closing: new AbortController().signal,
      });
    } catch (error) {
      const known =
        error instanceof AppError ? error : new AppError('INTERNAL_SERVER_ERROR', undefined, { cause: error });
      response.writeHead(ERROR_CATALOGUE[known.code].httpStatus, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          errors: [{ code: known.code, field: known.field, message: known.message, suggestedFix: known.suggestedFix }],
        }),
      );
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
