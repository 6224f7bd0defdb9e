import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from './graphql/load.ts';
import { table } from './results.ts';
import { findArguments } from './scale/arguments.ts';
import { casesFor } from './scale/cases.ts';
import { openScaleDatabase, type ScaleDatabase } from './scale/database.ts';
import { type Cpu, measureCase, type Result, type Side } from './scale/measure.ts';
import { startServer, stopServer } from './server.ts';

const GOAL = 1.2;
/** The first requests of a process include compilation. */
const WARM_UP = JSON.stringify({
  query: '{ features(first: 20) { edges { cursor node { id metadata { title } channel { id } } } totalCount } }',
});

/**
 * The cost of a page on a large database against a small one: CPU per request of the API process and its database
 * backends, in alternating rounds, for first and deep pages with their exact totalCount. `--keep FOLDER` keeps the
 * databases there for the next run; `--only TEXT` measures the cases whose name contains the text, or one of
 * several separated by commas.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      contents: { type: 'string', default: '1000000' },
      comments: { type: 'string', default: '5000000' },
      times: { type: 'string', default: '100' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', default: '' },
      keep: { type: 'string' },
    },
  });
  const folder = values.keep ?? (await mkdtemp(join(tmpdir(), 'reelgraph-bench-')));
  const times = Number(values.times);
  const large = { contents: Number(values.contents), comments: Number(values.comments) };
  const small = { contents: Math.ceil(large.contents / times), comments: Math.ceil(large.comments / times) };
  const servers: ScaleServer[] = [];
  try {
    for (const [name, size] of Object.entries({ small, large })) servers.push(await start(join(folder, name), size));
    const [a, b] = servers;
    if (!a || !b) throw new Error('Two servers are needed.');
    console.log(
      `${small.contents} and ${large.contents} contents, ${small.comments} and ${large.comments} ` +
        `comments; CPU microseconds per request, medians of ${values.rounds}\n`,
    );
    for (const { target, databaseUrl } of servers) await measure(target, [WARM_UP], 3_000, 4, databaseUrl);
    await compare([a, b], values.only, Number(values.rounds));
  } finally {
    for (const server of servers) {
      await stopServer(server.child);
      await server.database.postgres.stop();
    }
    if (!values.keep) await rm(folder, { recursive: true, force: true });
  }
}

interface ScaleServer extends Side {
  readonly child: ChildProcess;
  readonly database: ScaleDatabase;
}

async function start(folder: string, size: { contents: number; comments: number }): Promise<ScaleServer> {
  await mkdir(folder, { recursive: true });
  const database = await openScaleDatabase(folder, size, console.log);
  const { child, url } = await startServer('../server/src/main.ts', ['--role', 'api'], {
    ...{ DATABASE_URL: database.postgres.url, SECRET_KEY: database.secretKey, DATA_DIR: join(folder, 'data') },
    ...{ RATE_LIMIT_POINTS: String(10 ** 12), RATE_LIMIT_RESTORE: String(10 ** 12) },
  });
  const headers = { authorization: `Bearer ${database.apiKey}` };
  return {
    child,
    database,
    databaseUrl: database.postgres.url,
    target: { pid: child.pid ?? 0, url, application: 'reelgraph', headers },
  };
}

async function compare(servers: readonly [ScaleServer, ScaleServer], only: string, rounds: number): Promise<void> {
  // Both databases have the same structure, but different identifiers, which contain times.
  const cases = [
    casesFor(await findArguments(servers[0].database)),
    casesFor(await findArguments(servers[1].database)),
  ] as const;
  const head = [
    'page of 20',
    'server',
    'large',
    'database',
    'large',
    'large/small',
    'deep, large',
    'large/small',
    'deep/first',
  ];
  const rows: string[][] = [];
  for (const [index, item] of cases[0].entries()) {
    const other = cases[1][index];
    if (!other || !only.split(',').some((text) => item.name.includes(text))) continue;
    rows.push(resultRow(item.name, await measureCase([item, other], servers, rounds)));
    console.error(rows.at(-1)?.join('  '));
  }
  console.log(table([head, ...rows]));
  console.log(`\ngoal of each ratio: ${GOAL.toFixed(2)}`);
}

function resultRow(name: string, { first: [small, large], deep }: Result): string[] {
  const total = ({ serverUs, databaseUs }: Cpu) => serverUs + databaseUs;
  const ratio = (a: Cpu, b: Cpu) => (total(a) / total(b)).toFixed(2);
  return [
    name,
    ...[small.serverUs, large.serverUs, small.databaseUs, large.databaseUs].map((us) => us.toFixed(0)),
    ratio(large, small),
    ...(deep ? [total(deep[1]).toFixed(0), ratio(deep[1], deep[0]), ratio(deep[1], large)] : ['', '', '']),
  ];
}
