import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { freePort } from '../server/src/platform/config/free-port.ts';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { migrate } from '../server/src/platform/db/migrations.ts';
import { backendsOf, cpuUs } from './graphql/load.ts';
import { seed } from './graphql/seed.ts';
import { median, table } from './results.ts';

const GOAL = 0.5;
const COLUMNS =
  'day, session_id, seq, kind, content_id, channel_id, viewer, account_id, occurred_at, country, ' +
  'device, os, browser, duration_ms, position_ms, ranges, value_ms, detail';
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

interface Size {
  readonly events: number;
  readonly perRequest: number;
  readonly concurrency: number;
}

/**
 * Events per second of CPU: beacons over HTTP from many addresses until they are committed (API process and database
 * backends), against COPY of the same rows from a file into the same empty table (database backend only), in
 * alternating rounds.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '200000' },
      'per-request': { type: 'string', default: '100' },
      concurrency: { type: 'string', default: '32' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const size = {
    events: Number(values.events),
    perRequest: Number(values['per-request']),
    concurrency: Number(values.concurrency),
  };
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  let api: Api | null = null;
  try {
    await migrate(postgres.url);
    await seed(postgres.url, { channels: 10, contents: 100 });
    api = await startApi(postgres.url, folder);
    const rounds: Round[] = [];
    // The first requests of a process include compilation.
    await measureRound(postgres.url, api, folder, size);
    for (let round = 0; round < Number(values.rounds); round += 1)
      rounds.push(await measureRound(postgres.url, api, folder, size));
    report(size, rounds);
  } finally {
    if (api) await stop(api.child);
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Api {
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcess;
}

async function startApi(databaseUrl: string, folder: string): Promise<Api> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../server/src/main.ts', import.meta.url)), '--role', 'api'],
    {
      env: {
        ...process.env,
        ...{
          DATABASE_URL: databaseUrl,
          SECRET_KEY: randomBytes(32).toString('base64'),
          DATA_DIR: join(folder, 'data'),
        },
        ...{
          LOG_LEVEL: 'warn',
          HOST: '127.0.0.1',
          TRUST_PROXY: 'on',
          PORT: String(port),
          BASE_URL: `http://127.0.0.1:${port}`,
        },
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (
      await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { url, pid: child.pid ?? 0, child };
    await sleep(100);
  }
  throw new Error(`Nothing listens on port ${port}.`);
}

interface Round {
  /** Microseconds of CPU per event. */
  readonly serverUs: number;
  readonly databaseUs: number;
  readonly copyUs: number;
  /** Of COPY in the binary format, which the platform uses. */
  readonly binaryCopyUs: number;
  readonly perSecond: number;
}

async function measureRound(databaseUrl: string, api: Api, folder: string, size: Size): Promise<Round> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'copy' });
  await client.connect();
  try {
    await client.query('truncate watch_events');
    const bodies = await makeBodies(client, size);
    const [server, database] = [cpuUs([api.pid]), cpuUs(await backendsOf(databaseUrl, 'reelgraph'))];
    const startedAt = performance.now();
    await sendAll(api.url, bodies, size.concurrency);
    const seconds = (performance.now() - startedAt) / 1000;
    const serverUs = (cpuUs([api.pid]) - server) / size.events;
    const databaseUs = (cpuUs(await backendsOf(databaseUrl, 'reelgraph')) - database) / size.events;
    const { n } = (await client.query<{ n: number }>('select count(*)::integer as n from watch_events')).rows[0] ?? {};
    if (n !== size.events) throw new Error(`${n} of ${size.events} events were kept.`);
    const copyUs = await measureCopy(client, databaseUrl, folder, 'text');
    const binaryCopyUs = await measureCopy(client, databaseUrl, folder, 'binary');
    return { serverUs, databaseUs, copyUs: copyUs / n, binaryCopyUs: binaryCopyUs / n, perSecond: n / seconds };
  } finally {
    await client.end();
  }
}

/** Writes the rows of the round to a file and reads them back into the emptied table; microseconds of CPU. */
async function measureCopy(
  client: pg.Client,
  databaseUrl: string,
  folder: string,
  format: 'text' | 'binary',
): Promise<number> {
  const exchange = join(folder, 'exchange');
  await mkdir(exchange, { recursive: true });
  await Promise.all([chmod(folder, 0o711), chmod(exchange, 0o777)]);
  const file = join(exchange, randomUUID());
  await client.query(`copy (select ${COLUMNS} from watch_events order by xact) to '${file}' with (format ${format})`);
  await client.query('truncate watch_events');
  const backend = await backendsOf(databaseUrl, 'copy');
  const before = cpuUs(backend);
  await client.query(`copy watch_events (${COLUMNS}) from '${file}' with (format ${format})`);
  const us = cpuUs(backend) - before;
  await rm(file, { force: true });
  return us;
}

/** Sessions of twenty events over different contents, as players send them. */
async function makeBodies(client: pg.Client, { events, perRequest }: Size): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from contents where listed and kind = 'FEATURE' limit 100`,
  );
  const bodies: string[] = [];
  for (let created = 0; created < events; ) {
    const batch: object[] = [];
    while (batch.length < perRequest && created < events) {
      const contentId = `did:reelgraph:content/feature/${rows[created % rows.length]?.id}`;
      const sessionId = randomUUID();
      for (let seq = 0; seq < 20 && batch.length < perRequest && created < events; seq += 1, created += 1) {
        const common = { contentId, sessionId, seq, occurredAt: new Date().toISOString(), positionMs: seq * 100 };
        if (seq === 0) batch.push({ kind: 'START', startupMs: 300, ...common });
        else batch.push({ kind: 'HEARTBEAT', ranges: [{ startMs: (seq - 1) * 100, endMs: seq * 100 }], ...common });
      }
    }
    bodies.push(JSON.stringify({ events: batch }));
  }
  return bodies;
}

async function sendAll(url: string, bodies: readonly string[], concurrency: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  let next = 0;
  const sender = async (): Promise<void> => {
    for (let at = next++; at < bodies.length; at = next++) await send(agent, url, bodies[at] ?? '', at);
  };
  await Promise.all(Array.from({ length: concurrency }, sender));
  agent.destroy();
}

function send(agent: Agent, url: string, body: string, at: number): Promise<void> {
  // The requests come from 10,000 addresses.
  const address = `8.${(at >> 8) % 40}.${at % 250}.8`;
  const headers = {
    'content-type': 'text/plain',
    'content-length': Buffer.byteLength(body),
    'user-agent': USER_AGENT,
    'x-forwarded-for': address,
  };
  return new Promise((done, fail) => {
    const outgoing = request(`${url}/api/engagement`, { agent, method: 'POST', headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (incoming.statusCode === 202 && text.includes('"refused":0')) done();
        else fail(new Error(`${incoming.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

function report(size: Size, rounds: readonly Round[]): void {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick));
  const perCpuSecond = (us: number) => (1e6 / us).toFixed(0);
  const ratios = (reference: (round: Round) => number) =>
    rounds.map((round) => reference(round) / (round.serverUs + round.databaseUs));
  const ratioRow = (name: string, values: readonly number[]) => [
    name,
    median(values).toFixed(2),
    `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`,
  ];
  console.log(
    `${size.events} events, ${size.perRequest} a request, ${size.concurrency} requests at a time, ` +
      `${rounds.length} rounds; medians\n`,
  );
  console.log(
    table([
      ['', 'CPU us per event', 'events per CPU second'],
      ['COPY of the same rows', of(({ copyUs }) => copyUs).toFixed(2), perCpuSecond(of(({ copyUs }) => copyUs))],
      [
        'the same in the binary format',
        of(({ binaryCopyUs }) => binaryCopyUs).toFixed(2),
        perCpuSecond(of(({ binaryCopyUs }) => binaryCopyUs)),
      ],
      ['API process', of(({ serverUs }) => serverUs).toFixed(2), ''],
      ['its database backends', of(({ databaseUs }) => databaseUs).toFixed(2), ''],
      [
        'beacons, committed',
        of(({ serverUs, databaseUs }) => serverUs + databaseUs).toFixed(2),
        perCpuSecond(of(({ serverUs, databaseUs }) => serverUs + databaseUs)),
      ],
      ratioRow(
        `ratio (goal ${GOAL})`,
        ratios(({ copyUs }) => copyUs),
      ),
      ratioRow(
        'ratio to the binary format',
        ratios(({ binaryCopyUs }) => binaryCopyUs),
      ),
    ]),
  );
  console.log(`\n${of(({ perSecond }) => perSecond).toFixed(0)} events per second of wall time`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await Promise.race([ended, sleep(15_000)]);
  child.kill('SIGKILL');
}
