import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { secretsFrom } from '../server/src/platform/config/secret-key.ts';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { migrate } from '../server/src/platform/db/migrations.ts';
import { makeAccounts } from './accounts.ts';
import { type Requests, send } from './delivery/load.ts';
import { SEGMENT_BYTES, Videos } from './delivery/videos.ts';
import { backendsOf, cpuUs } from './graphql/load.ts';
import { median, table } from './results.ts';
import { startServer, stopServer } from './server.ts';

/** CPU of a request, permission and signature included, beyond that of the bare handler. */
const GOAL_BESIDE_MS = 0.3;
const GOAL_RATIO = 1.5;
const GOAL_CORES = 0.5;
const VIEWERS = 500;
const VIEWER_BITS_PER_SECOND = 3_000_000;
/** More than the platform keeps in memory, so that each file is opened for its request. */
const MANY = 3_000;
/** It has no goal: encryption is a choice with a price, which is printed. */
const ENCRYPTED = 'segment, 1.5 MB, private and encrypted';
const WARM_UP_ROUNDS = 2;
const HEALTH: Requests = { paths: ['/healthz'], status: 200, bytes: null };

interface Case {
  readonly name: string;
  readonly requests: Requests;
  /** Of a round. */
  readonly count: number;
}

/** Milliseconds of CPU per request in one round. */
interface Round {
  readonly bare: number;
  readonly ours: number;
  readonly database: number;
}

/**
 * CPU of the API process per request below /media/, against a bare node:http handler in a process of its own that
 * streams the same file, in alternating rounds. Fails when a goal is missed.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      requests: { type: 'string', default: '4000' },
      connections: { type: 'string', default: '16' },
      only: { type: 'string', default: '' },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  const client = new pg.Client({ connectionString: postgres.url, application_name: 'bench' });
  try {
    await migrate(postgres.url);
    await client.connect();
    const secretKey = randomBytes(32).toString('base64');
    const dataDir = join(folder, 'data');
    const [account] = await makeAccounts(postgres.url, secretKey, 1);
    const videos = new Videos(client, {
      dataDir,
      channelId: account?.channelId ?? '',
      secrets: secretsFrom(Buffer.from(secretKey, 'base64')),
    });
    const cases = (await casesOf(videos, Number(values.requests))).filter(({ name }) => name.includes(values.only));
    const files = join(folder, 'files.json');
    await writeFile(files, JSON.stringify(Object.fromEntries(videos.files)));
    const bare = await startServer('delivery/bare.ts', [], { FILES: files });
    // With its access log, as in operation.
    const server = await startServer('../server/src/main.ts', ['--role', 'api'], {
      DATABASE_URL: postgres.url,
      SECRET_KEY: secretKey,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
    });
    try {
      const measure = async (one: Case): Promise<Round> => {
        const load = (url: string) => send(url, one.requests, one.count, Number(values.connections));
        const backends = await backendsOf(postgres.url, 'reelgraph');
        const [of, at, database] = [bare.child.pid ?? 0, server.child.pid ?? 0, cpuUs(backends)];
        const perRequest = (us: number) => us / one.count / 1000;
        return {
          bare: perRequest(await cpuOf(of, () => load(bare.url))),
          ours: perRequest(await cpuOf(at, () => load(server.url))),
          database: perRequest(cpuUs(backends) - database),
        };
      };
      const rounds = await measureAll(cases, Number(values.rounds), measure);
      const health = await healthCost(server.url, server.child.pid ?? 0, Number(values.requests));
      if (!report(rounds, health, Number(values.rounds))) process.exitCode = 1;
    } finally {
      await Promise.all([stopServer(server.child), stopServer(bare.child)]);
    }
  } finally {
    await client.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function casesOf(videos: Videos, count: number): Promise<Case[]> {
  const [open, hidden] = [await videos.whole('PUBLIC'), await videos.whole('PRIVATE')];
  const make = (
    name: string,
    paths: readonly string[],
    { part, longer }: { part?: { from: number; bytes: number }; longer?: true } = {},
  ): Case => {
    const bytes = part?.bytes ?? videos.files.get(paths[0] ?? '')?.sizeBytes ?? 0;
    const range = part && { range: `bytes=${part.from}-${part.from + part.bytes - 1}` };
    // Large ones take longer, so fewer are as exact.
    const fewer = bytes > 500_000 ? 8 : 1;
    const requests = { paths, bytes: longer ? null : bytes, status: part ? 206 : 200, ...range };
    return { name, requests, count: Math.ceil(count / fewer) };
  };
  return [
    make('segment, 1.5 MB, private', [hidden.segment]),
    make('segment, 1.5 MB, public', [open.segment]),
    make(ENCRYPTED, [await videos.encrypted()], { longer: true }),
    make('segment, 10 kB, private', [hidden.small]),
    make('segment, 10 kB, public', [open.small]),
    make('segment, 10 kB, each of another private video', await videos.many(MANY, 'PRIVATE')),
    make('segment, 10 kB, each of another public video', await videos.many(MANY, 'PUBLIC')),
    make('range of 100 kB of a segment', [hidden.segment], { part: { from: 200_000, bytes: 100_000 } }),
    make('master playlist', [open.master]),
    make('master playlist with captions', [await videos.captioned()], { longer: true }),
    make('media playlist of an hour, 30 kB', [hidden.media]),
    make('poster, 60 kB', [await videos.poster()]),
  ];
}

async function measureAll(
  cases: readonly Case[],
  rounds: number,
  measure: (one: Case) => Promise<Round>,
): Promise<Map<string, Round[]>> {
  const measured = new Map<string, Round[]>(cases.map(({ name }) => [name, []]));
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    for (const one of cases) {
      const costs = await measure(one);
      if (round >= WARM_UP_ROUNDS) measured.get(one.name)?.push(costs);
    }
  }
  return measured;
}

async function healthCost(url: string, pid: number, count: number): Promise<number> {
  const load = () => send(url, HEALTH, count, 16);
  await load();
  return (await cpuOf(pid, load)) / count / 1000;
}

/** Microseconds of CPU of the process while `work` runs. */
async function cpuOf(pid: number, work: () => Promise<void>): Promise<number> {
  const before = cpuUs([pid]);
  await work();
  return cpuUs([pid]) - before;
}

/** Prints the results; returns whether all goals are reached. */
function report(measured: Map<string, Round[]>, healthMs: number, rounds: number): boolean {
  const missed: string[] = [];
  const rows = [['CPU ms per request, medians', 'bare', 'ours', 'beside', 'ratio', 'least', 'most', 'database']];
  for (const [name, all] of measured) {
    const [bare, ours] = [median(all.map((round) => round.bare)), median(all.map((round) => round.ours))];
    const ratios = all.map((round) => round.ours / round.bare);
    const beside = median(all.map((round) => round.ours - round.bare));
    const hasGoal = name !== ENCRYPTED;
    if (hasGoal && beside > GOAL_BESIDE_MS) missed.push(`${name}: ${beside.toFixed(2)} ms beside the bytes`);
    if (hasGoal && median(ratios) > GOAL_RATIO) missed.push(`${name}: ratio ${median(ratios).toFixed(2)}`);
    rows.push([
      name,
      ...[bare, ours, beside].map((ms) => ms.toFixed(3)),
      ...[median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)),
      median(all.map((round) => round.database)).toFixed(3),
    ]);
  }
  rows.push(['/healthz', '', healthMs.toFixed(3), '', '', '', '', '']);
  console.log(`${rounds} rounds; goals: ratio ${GOAL_RATIO}, ${GOAL_BESIDE_MS} ms beside the bytes\n`);
  console.log(table(rows));
  const segment = measured.get('segment, 1.5 MB, private');
  const encrypted = measured.get(ENCRYPTED);
  if (segment && encrypted) {
    const [more, less] = [encrypted, segment].map((all) => median(all.map(({ ours }) => ours)));
    const perMegabyte = ((more ?? 0) - (less ?? 0)) / (SEGMENT_BYTES / 1_000_000);
    console.log(`\nEncryption costs ${perMegabyte.toFixed(2)} ms of CPU per MB`);
  }
  if (segment) {
    const perSecond = (VIEWERS * VIEWER_BITS_PER_SECOND) / 8 / SEGMENT_BYTES;
    const cores = (median(segment.map(({ ours }) => ours)) * perSecond) / 1000;
    if (cores > GOAL_CORES) missed.push(`${VIEWERS} viewers: ${cores.toFixed(2)} cores`);
    console.log(
      `\n${VIEWERS} viewers of 3 Mbit/s, ${perSecond} segments a second: ${cores.toFixed(2)} cores ` +
        `(goal ${GOAL_CORES})`,
    );
  }
  for (const goal of missed) console.log(`Missed: ${goal}`);
  return missed.length === 0;
}
