import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import { getIntrospectionQuery } from 'graphql';
import { type Cost, fetchBytes, measure, type Target } from './graphql/load.ts';
import { OPERATIONS } from './graphql/operations.ts';
import { type Bench, bodiesOf, withServers } from './graphql/servers.ts';
import { median, table } from './results.ts';

const CODINGS = ['identity', 'br', 'zstd', 'gzip'] as const;
/** Maximum CPU of a list of 20 in each coding, of server and database, against the same list uncompressed. */
const GOAL = '1.10';
const WARM_UP_ROUNDS = 3;

type Coding = (typeof CODINGS)[number];

/** Requests by what their responses contain. */
function cases(bench: Bench): Record<string, readonly string[]> {
  const listOf = (count: number) => [
    JSON.stringify({ query: OPERATIONS.list.query.replace('first: 20', `first: ${count}`) }),
  ];
  return {
    'list of 20': listOf(20),
    'list of 50': listOf(50),
    'list of 100': listOf(100),
    'watch page': bodiesOf(bench, 'watch'),
    '20 comments with replies': bodiesOf(bench, 'comments'),
    'search of 20': bodiesOf(bench, 'search'),
    introspection: [JSON.stringify({ query: getIntrospectionQuery() })],
  };
}

/**
 * CPU per request with each content coding, of the API process and its database backends, against the same requests
 * without one in alternating rounds.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      requests: { type: 'string', default: '2000' },
      rounds: { type: 'string', default: '5' },
      concurrency: { type: 'string', default: '16' },
      only: { type: 'string' },
    },
  });
  const rows = [['', 'coding', 'bytes', 'of plain', 'server us', 'ratio', 'server + database us', 'ratio', 'goal']];
  await withServers({ channels: 100, contents: 5_000 }, async (bench) => {
    for (const [name, bodies] of Object.entries(cases(bench))) {
      if (values.only && !name.includes(values.only)) continue;
      const requests = name === 'introspection' ? Math.ceil(Number(values.requests) / 20) : Number(values.requests);
      const costs = await compare(bench, bodies, requests, Number(values.rounds), Number(values.concurrency));
      rows.push(...(await resultRows(bench, name, bodies, costs)));
    }
  });
  console.log(`${values.rounds} rounds of ${values.requests} requests, ${values.concurrency} at a time; medians\n`);
  console.log(table(rows));
}

function asking({ ours }: Bench, coding: Coding): Target {
  return { ...ours, headers: { ...ours.headers, 'accept-encoding': coding } };
}

async function compare(
  bench: Bench,
  bodies: readonly string[],
  requests: number,
  rounds: number,
  concurrency: number,
): Promise<Map<Coding, Cost[]>> {
  const costs = new Map<Coding, Cost[]>(CODINGS.map((coding) => [coding, []]));
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    for (const coding of CODINGS) {
      const cost = await measure(asking(bench, coding), bodies, requests, concurrency, bench.databaseUrl);
      if (round >= WARM_UP_ROUNDS) costs.get(coding)?.push(cost);
    }
  }
  return costs;
}

async function resultRows(
  bench: Bench,
  name: string,
  bodies: readonly string[],
  costs: ReadonlyMap<Coding, readonly Cost[]>,
): Promise<string[][]> {
  const of = (coding: Coding, part: (cost: Cost) => number) => median((costs.get(coding) ?? []).map(part));
  const server = (cost: Cost) => cost.serverUs;
  const both = (cost: Cost) => cost.serverUs + cost.databaseUs;
  const ratio = (coding: Coding, part: (cost: Cost) => number) => (of(coding, part) / of('identity', part)).toFixed(2);
  const plain = await size(asking(bench, 'identity'), bodies);
  const rows: string[][] = [];
  for (const coding of CODINGS) {
    const bytes = await size(asking(bench, coding), bodies);
    rows.push([
      ...[name, coding, String(bytes), `${Math.round((bytes / plain) * 100)} %`],
      ...[of(coding, server).toFixed(0), ratio(coding, server), of(coding, both).toFixed(0), ratio(coding, both)],
      name === 'list of 20' && coding !== 'identity' ? GOAL : '',
    ]);
  }
  return rows;
}

/** Bytes of the first response. */
async function size(target: Target, bodies: readonly string[]): Promise<number> {
  const agent = new Agent();
  const bytes = await fetchBytes(agent, target, bodies[0] ?? '');
  agent.destroy();
  return bytes.length;
}
