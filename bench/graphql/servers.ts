import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../../server/src/domains/accounts/index.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { secretsFrom } from '../../server/src/platform/config/secret-key.ts';
import { openDatabase } from '../../server/src/platform/db/database.ts';
import { startLocalPostgres } from '../../server/src/platform/db/local/local-postgres.ts';
import { migrate } from '../../server/src/platform/db/migrations.ts';
import { startServer, stopServer } from '../server.ts';
import type { Target } from './load.ts';
import { OPERATIONS, type Operation, type OperationName } from './operations.ts';
import { seed } from './seed.ts';
import { type SeededContent, seedContent } from './seed-content.ts';

/** An API process and the raw handler, on one database. */
export interface Bench {
  readonly databaseUrl: string;
  readonly ours: Target;
  readonly raw: Target;
  readonly places: SeededContent;
}

interface Sizes {
  readonly channels: number;
  readonly contents: number;
}

/** Runs a benchmark with both servers on a new database, and removes everything afterwards. */
export async function withServers(sizes: Sizes, run: (bench: Bench) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  const children: ChildProcess[] = [];
  try {
    await run(await prepare(postgres.url, folder, children, sizes));
  } finally {
    for (const child of children) await stopServer(child);
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepare(databaseUrl: string, folder: string, children: ChildProcess[], sizes: Sizes): Promise<Bench> {
  await migrate(databaseUrl);
  await seed(databaseUrl, sizes);
  const secretKey = randomBytes(32).toString('base64');
  const db = openDatabase({ url: databaseUrl });
  const secrets = secretsFrom(Buffer.from(secretKey, 'base64'));
  const subscription = { plan: 'CREATOR_PLUS', state: 'ACTIVE' } as const;
  const account = await createAccount(
    { db, clock: systemClock, secrets },
    {
      email: 'bench@example.com',
      username: 'bench',
      name: 'Bench',
      password: randomBytes(15).toString('hex'),
      subscription,
      apiKey: true,
    },
  );
  await db.close();
  const places = await seedContent(databaseUrl, account);
  const headers = { authorization: `Bearer ${account.apiKey}` };
  const env = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey,
    DATA_DIR: join(folder, 'data'),
    RATE_LIMIT_POINTS: String(10 ** 12),
    RATE_LIMIT_RESTORE: String(10 ** 12),
  };
  const start = async (script: string, application: string, extra: string[] = []): Promise<Target> => {
    const { child, url } = await startServer(script, extra, env);
    children.push(child);
    return { pid: child.pid ?? 0, url, application, headers };
  };
  const ours = await start('../server/src/main.ts', 'reelgraph', ['--role', 'api']);
  const raw = await start('./graphql/raw/server.ts', 'raw');
  return { databaseUrl, ours, raw, places };
}

/** The request bodies of an operation. */
export function bodiesOf({ places }: Bench, name: OperationName): string[] {
  const { query, variables }: Operation = OPERATIONS[name];
  return variables(places).map((values) => JSON.stringify({ query, variables: values }));
}
