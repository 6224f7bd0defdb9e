import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createAccount } from '../server/src/domains/accounts/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { secretsFrom } from '../server/src/platform/config/secret-key.ts';
import { openDatabase } from '../server/src/platform/db/database.ts';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { migrate } from '../server/src/platform/db/migrations.ts';
import { type Cost, measure, send, type Target } from './graphql/load.ts';
import { OPERATION_NAMES, OPERATIONS, type Operation, type OperationName } from './graphql/operations.ts';
import { seed } from './graphql/seed.ts';
import { type SeededContent, seedContent } from './graphql/seed-content.ts';
import { median, table } from './results.ts';
import { startServer, stopServer } from './server.ts';

const DATABASE_GOAL = 1.1;
/** Requests that estimate the cost of one. */
const SAMPLE = 200;
/** Warm-up: a process keeps compiling hot code for about 10,000 requests. */
const WARM_UP_ROUNDS = 3;
/**
 * Maximum CPU of the raw handler and its database in one round: expensive operations are measured with fewer requests.
 */
const MOST_CPU_US = 3_000_000;

interface Bench {
  readonly databaseUrl: string;
  readonly ours: Target;
  readonly raw: Target;
  readonly places: SeededContent;
}

/**
 * CPU per request of the API process and its database backends, against a raw node:http handler with hand-written SQL,
 * in alternating rounds on one database.
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
      only: { type: 'string', default: OPERATION_NAMES.join() },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  const children: ChildProcess[] = [];
  try {
    const bench = await prepare(postgres.url, folder, children, {
      channels: Number(values.channels),
      contents: Number(values.contents),
    });
    const rows = [
      ['CPU per request', 'server', 'raw', 'ratio', 'goal', 'database', 'raw', 'ratio', 'goal', 'trips', 'requests/s'],
    ];
    for (const name of OPERATION_NAMES) {
      if (!values.only.split(',').includes(name)) continue;
      await requireSameResults(bench, bodiesOf(bench, name));
      const results = await compare(bench, name, {
        rounds: Number(values.rounds),
        requests: Number(values.requests),
        concurrency: Number(values.concurrency),
      });
      rows.push(resultRow(name, results, await statementsPerRequest(bench, name)));
    }
    console.log(
      `${values.contents} contents, ${values.channels} channels; ${values.rounds} rounds of ${values.requests} ` +
        `requests, ${values.concurrency} at a time; microseconds, medians\n`,
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

function bodiesOf({ places }: Bench, name: OperationName): string[] {
  const { query, variables }: Operation = OPERATIONS[name];
  return variables(places).map((values) => JSON.stringify({ query, variables: values }));
}

/** Fails unless both responses are equal, except for opaque cursors and the server's own addresses. */
async function requireSameResults({ ours, raw }: Bench, bodies: readonly string[]): Promise<void> {
  const agent = new Agent();
  for (const body of bodies.slice(0, 10)) {
    const [mine, theirs] = [
      comparable(ours, await send(agent, ours, body)),
      comparable(raw, await send(agent, raw, body)),
    ];
    assert.deepEqual(mine, theirs, body.slice(0, 200));
  }
  agent.destroy();
}

const CHANGING = new Set(['cursor', 'endCursor', 'startCursor', 'updatedAt']);

function comparable({ url }: Target, response: string): unknown {
  const blank = (name: string, value: unknown) => (CHANGING.has(name) && value !== null ? typeof value : value);
  // `send` throws for responses with errors.
  const { data } = JSON.parse(response.replaceAll(url, ''), blank) as { data: unknown };
  return data;
}

async function compare(
  bench: Bench,
  name: OperationName,
  size: { rounds: number; requests: number; concurrency: number },
): Promise<{ ours: Cost[]; raw: Cost[] }> {
  const bodies = bodiesOf(bench, name);
  const ours: Cost[] = [];
  const raw: Cost[] = [];
  const sample = Math.min(size.requests, SAMPLE);
  const cost = await measure(bench.raw, bodies, sample, size.concurrency, bench.databaseUrl);
  const requests = Math.min(size.requests, Math.ceil(MOST_CPU_US / (cost.serverUs + cost.databaseUs)));
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    for (const target of [bench.ours, bench.raw])
      await measure(target, bodies, requests, size.concurrency, bench.databaseUrl);
  }
  for (let round = 0; round < size.rounds; round += 1) {
    ours.push(await measure(bench.ours, bodies, requests, size.concurrency, bench.databaseUrl));
    raw.push(await measure(bench.raw, bodies, requests, size.concurrency, bench.databaseUrl));
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

function resultRow(name: OperationName, { ours, raw }: { ours: Cost[]; raw: Cost[] }, trips: number): string[] {
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
