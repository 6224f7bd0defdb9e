import { Agent } from 'node:http';
import { measure, send, type Target } from '../graphql/load.ts';
import { median } from '../results.ts';
import type { Case } from './cases.ts';

const PAGE_SIZE = 20;
/** A deep page begins this far from the end of its list. */
const FROM_END = 100;
/** CPU of one measurement: much more than the kernel's clock tick of 10 ms. */
const CPU_US = 600_000;
const CONCURRENCY = 4;

/** A server, and the address of its seeded database. */
export interface Side {
  readonly target: Target;
  readonly databaseUrl: string;
}

/** CPU microseconds per request: of the server process and of its database backends. */
export interface Cpu {
  readonly serverUs: number;
  readonly databaseUs: number;
}

/** One case on both databases. `deep` is a page close to the end of the list. */
export interface Result {
  readonly first: readonly [Cpu, Cpu];
  readonly deep?: readonly [Cpu, Cpu];
}

/** Measures first and deep page on both databases in turn; medians of `rounds`. */
export async function measureCase(
  items: readonly [Case, Case],
  sides: readonly [Side, Side],
  rounds: number,
): Promise<Result> {
  const small = await bodiesOf(items[0], sides[0]);
  const large = await bodiesOf(items[1], sides[1]);
  const first = await inTurn(sides, [small.first, large.first], rounds);
  return small.deep && large.deep ? { first, deep: await inTurn(sides, [small.deep, large.deep], rounds) } : { first };
}

async function bodiesOf(item: Case, { target }: Side): Promise<{ first: string; deep?: string }> {
  const body = (variables: object) => JSON.stringify({ query: item.query, variables });
  const first = body({ first: PAGE_SIZE });
  if (!item.deep) return { first };
  const agent = new Agent();
  const path = item.deep.at(-1) ?? '';
  const response = await send(
    agent,
    target,
    JSON.stringify({ query: item.query.replaceAll('endCursor', 'startCursor'), variables: { last: FROM_END } }),
  );
  agent.destroy();
  let connection: unknown = JSON.parse(response).data;
  for (const name of item.deep) connection = (connection as Record<string, unknown>)[name]; // selected by the query
  const { startCursor } = (connection as { pageInfo: { startCursor: string | null } }).pageInfo;
  if (!startCursor) throw new Error(`${item.name}: nothing in ${path}.`);
  return { first, deep: body({ first: PAGE_SIZE, after: startCursor }) };
}

async function inTurn(
  sides: readonly [Side, Side],
  bodies: readonly [string, string],
  rounds: number,
): Promise<readonly [Cpu, Cpu]> {
  const costs: [Cpu[], Cpu[]] = [[], []];
  const counts = [await requestCount(sides[0], bodies[0]), await requestCount(sides[1], bodies[1])] as const;
  for (let round = 0; round < rounds; round += 1)
    for (const at of [0, 1] as const)
      costs[at].push(await measure(sides[at].target, [bodies[at]], counts[at], CONCURRENCY, sides[at].databaseUrl));
  const mediansOf = (cpu: Cpu[]): Cpu => ({
    serverUs: median(cpu.map(({ serverUs }) => serverUs)),
    databaseUs: median(cpu.map(({ databaseUs }) => databaseUs)),
  });
  return [mediansOf(costs[0]), mediansOf(costs[1])];
}

/** Warms up, and returns how many requests take {@link CPU_US}. */
async function requestCount({ target, databaseUrl }: Side, body: string): Promise<number> {
  await measure(target, [body], 100, CONCURRENCY, databaseUrl);
  const { databaseUs, serverUs } = await measure(target, [body], 60, CONCURRENCY, databaseUrl);
  return Math.min(2000, Math.max(40, Math.ceil(CPU_US / Math.max(300, databaseUs + serverUs))));
}
