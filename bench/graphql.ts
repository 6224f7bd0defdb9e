import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import { type Cost, measure, send, type Target } from './graphql/load.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from './graphql/operations.ts';
import { type Bench, bodiesOf, withServers } from './graphql/servers.ts';
import { median, table } from './results.ts';

const DATABASE_GOAL = 1.1;
/** Requests that estimate the cost of one. */
const SAMPLE = 200;
/** Warm-up: a process keeps compiling hot code for about 10,000 requests. */
const WARM_UP_ROUNDS = 3;
/**
 * Maximum CPU of the raw handler and its database in one round: expensive operations are measured with fewer requests.
 */
const MOST_CPU_US = 3_000_000;

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
  const sizes = { channels: Number(values.channels), contents: Number(values.contents) };
  await withServers(sizes, async (bench) => {
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
  });
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
  const most = Math.min(size.requests, Math.ceil(MOST_CPU_US / (cost.serverUs + cost.databaseUs)));
  // Whole turns: a mutation that begins with the title that the last one ended with changes nothing.
  const requests = Math.max(1, Math.floor(most / bodies.length)) * bodies.length;
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
  const bodies = bodiesOf(bench, name);
  const before = await roundTrips(bench.ours);
  for (let count = 0; count < 50; count += 1) await send(agent, bench.ours, bodies[count % bodies.length] ?? '');
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
