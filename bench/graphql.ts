import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createAccount } from '../server/src/domains/accounts/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { secretsFrom } from '../server/src/platform/config/secret-key.ts';
import { openDatabase } from '../server/src/platform/db/database.ts';
import { startLocalPostgres } from '../server/src/platform/db/local-postgres.ts';
import { migrate } from '../server/src/platform/db/migrations.ts';
import { median, table } from './figures.ts';
import { type Cost, measure, send, type Target } from './graphql/load.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from './graphql/operations.ts';
import { seed } from './graphql/seed.ts';
import { startServer, stopServer } from './server.ts';

const DATABASE_GOAL = 1.1;

interface Bench {
  readonly databaseUrl: string;
  readonly ours: Target;
  readonly raw: Target;
  readonly contentIds: readonly string[];
}

/**
 * CPU per request of the API process and of its database backends, against a raw node:http handler with SQL written by
 * hand, in alternating rounds on one database.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      contents: { type: 'string', default: '100000' },
      channels: { type: 'string', default: '1000' },
      requests: { type: 'string', default: '5000' },
      rounds: { type: 'string', default: '5' },
      concurrency: { type: 'string', default: '16' },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  const children: ChildProcess[] = [];
  try {
    const bench = await prepare(postgres.url, folder, children, { channels: Number(values.channels), contents: Number(values.contents) });
    const rows = [['CPU per request', 'server', 'raw', 'ratio', 'goal', 'database', 'raw', 'ratio', 'goal', 'trips', 'requests/s']];
    for (const name of OPERATION_NAMES) {
      const results = await compare(bench, name, {
        rounds: Number(values.rounds),
        requests: Number(values.requests),
        concurrency: Number(values.concurrency),
      });
      rows.push(figures(name, results, await statementsPerRequest(bench, name)));
    }
    console.log(
      `${values.contents} contents, ${values.channels} channels; ${values.rounds} rounds of ${values.requests} requests, ${values.concurrency} at a time; microseconds, medians\n`,
    );
    console.log(table(rows));
  } finally {
    for (const child of children) await stopServer(child);
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepare(
  databaseUrl: string,
  folder: string,
  children: ChildProcess[],
  sizes: { channels: number; contents: number },
): Promise<Bench> {
  await migrate(databaseUrl);
  await seed(databaseUrl, sizes);
  const secretKey = randomBytes(32).toString('base64');
  const db = openDatabase({ url: databaseUrl });
  const secrets = secretsFrom(Buffer.from(secretKey, 'base64'));
  const subscription = { plan: 'CREATOR_PLUS', state: 'ACTIVE' } as const;
  const account = await createAccount(
    { db, clock: systemClock, secrets },
    { email: 'bench@example.com', username: 'bench', name: 'Bench', password: randomBytes(15).toString('hex'), subscription, apiKey: true },
  );
  await db.close();
  const contentIds = await ownContents(databaseUrl, account.channelId);
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
  const raw = await start('./graphql/raw-handler.ts', 'raw');
  return { databaseUrl, ours, raw, contentIds };
}

async function ownContents(databaseUrl: string, channelId: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    `insert into contents (id, channel_id, kind, status, title) select gen_random_uuid(), $1, 'FEATURE', 'READY', 'Mine ' || n from generate_series(1, 200) n returning id`,
    [channelId],
  );
  await client.end();
  return rows.map(({ id }) => `did:reelgraph:content/feature/${id}`);
}

function bodiesOf(bench: Bench, name: OperationName): string[] {
  const { query } = OPERATIONS[name];
  if (name !== 'mutation') return [JSON.stringify({ query })];
  return bench.contentIds.map((id, index) => JSON.stringify({ query, variables: { id, title: `Renamed ${index}` } }));
}

async function compare(
  bench: Bench,
  name: OperationName,
  size: { rounds: number; requests: number; concurrency: number },
): Promise<{ ours: Cost[]; raw: Cost[] }> {
  const bodies = bodiesOf(bench, name);
  const ours: Cost[] = [];
  const raw: Cost[] = [];
  for (const target of [bench.ours, bench.raw]) await measure(target, bodies, size.requests, size.concurrency, bench.databaseUrl);
  for (let round = 0; round < size.rounds; round += 1) {
    ours.push(await measure(bench.ours, bodies, size.requests, size.concurrency, bench.databaseUrl));
    raw.push(await measure(bench.raw, bodies, size.requests, size.concurrency, bench.databaseUrl));
  }
  return { ours, raw };
}

/** Database round trips per request, from the server's own metrics. */
async function statementsPerRequest(bench: Bench, name: OperationName): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const before = await roundTrips(bench.ours);
  for (let count = 0; count < 50; count += 1) await send(agent, bench.ours, bodiesOf(bench, name)[0] ?? '');
  agent.destroy();
  return Math.round(((await roundTrips(bench.ours)) - before) / 5) / 10;
}

async function roundTrips(target: Target): Promise<number> {
  const text = await (await fetch(`${target.url}/metrics`)).text();
  return Number(/^database_round_trips_total (\d+)/m.exec(text)?.[1]);
}

function figures(name: OperationName, { ours, raw }: { ours: Cost[]; raw: Cost[] }, trips: number): string[] {
  const pick = (costs: Cost[], of: keyof Cost) => median(costs.map((cost) => cost[of]));
  const ratio = (of: 'serverUs' | 'databaseUs') => (pick(ours, of) / pick(raw, of)).toFixed(2);
  const us = (costs: Cost[], of: 'serverUs' | 'databaseUs') => pick(costs, of).toFixed(0);
  const { goal } = OPERATIONS[name];
  return [
    name,
    us(ours, 'serverUs'),
    us(raw, 'serverUs'),
    ratio('serverUs'),
    goal.toFixed(2),
    us(ours, 'databaseUs'),
    us(raw, 'databaseUs'),
    ratio('databaseUs'),
    DATABASE_GOAL.toFixed(2),
    String(trips),
    pick(ours, 'requestsPerSecond').toFixed(0),
  ];
}
