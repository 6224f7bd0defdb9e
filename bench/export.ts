import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { migrate } from '../server/src/platform/db/migrations.ts';
import { makeAccounts } from './accounts.ts';
import { table } from './results.ts';
import { startProcess, startServer, stopServer } from './server.ts';

/** What the export selects, and COPY writes. */
const QUERY = '{ contents { edges { node { id metadata { title summary visibility } createdAt } } } }';
const COPIED =
  `select json_build_object('id', 'did:reelgraph:content/feature/' || id, 'metadata', ` +
  `json_build_object('title', title, 'summary', summary, 'visibility', visibility), 'createdAt', created_at) ` +
  'from contents order by created_at desc, id';
/** Linux counts CPU in hundredths of a second. */
const TICKS = 100;

/**
 * A bulk export against COPY … TO of the same rows as JSON, in the same run: rows per CPU second of all processes that
 * work on it. Then levels of gzip over its file.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { contents: { type: 'string', default: '50000' } } });
  const contents = Number(values.contents);
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  try {
    await migrate(postgres.url);
    const env = {
      DATABASE_URL: postgres.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: join(folder, 'data'),
    };
    const [account] = await makeAccounts(postgres.url, env.SECRET_KEY, 1);
    if (!account?.apiKey) throw new Error('The account has no key.');
    await seed(postgres.url, account.channelId, contents);
    const postmaster = postmasterOf(join(folder, 'postgres'));
    const api = await startServer('../server/src/main.ts', ['--role', 'api'], env);
    const worker = startProcess('../server/src/main.ts', ['--role', 'worker'], {
      ...env,
      PORT: '0',
      SANDBOX: 'prefer',
    });
    try {
      await sleep(10_000);
      const copied = await measured([postmaster], () => copy(postgres.url, folder));
      const ask = asker(api.url, account.apiKey);
      const exported = await measured([postmaster, worker.pid ?? 0], () => exportAll(ask));
      report(contents, copied, exported);
      await compareLevels(exported.result);
    } finally {
      await stopServer(worker);
      await stopServer(api.child);
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Measured<T> {
  readonly result: T;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

async function measured<T>(pids: readonly number[], work: () => Promise<T>): Promise<Measured<T>> {
  const cpu = () => pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
  const [before, startedAt] = [cpu(), performance.now()];
  const result = await work();
  return { result, cpuSeconds: cpu() - before, wallSeconds: (performance.now() - startedAt) / 1_000 };
}

/** CPU seconds of a process with its children, ended ones included (proc(5), stat). */
function cpuOf(pid: number): number {
  let seconds = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const fields = statOf(Number(entry));
    if (!fields) continue;
    const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = fields;
    if (Number(entry) === pid) seconds += (user + system + childUser + childSystem) / TICKS;
    else if (parent === pid) seconds += (user + system) / TICKS;
  }
  return seconds;
}

function statOf(pid: number): number[] | null {
  try {
    const rest = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return [1, 11, 12, 13, 14].map((index) => Number(rest[index]));
  } catch {
    return null; // it has ended
  }
}

function postmasterOf(folder: string): number {
  const data = readdirSync(folder).find((name) => {
    try {
      return readFileSync(join(folder, name, 'postmaster.pid')).length > 0;
    } catch {
      return false;
    }
  });
  return Number(readFileSync(join(folder, data ?? '', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

async function seed(databaseUrl: string, channelId: string, contents: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into contents (id, channel_id, kind, status, published_at, created_at, title, summary)
     select gen_random_uuid(), $1, 'FEATURE', 'PUBLISHED', now(), now() - n * interval '1 s', 'Video ' || n,
       'A day at the sea with ' || md5(n::text) from generate_series(1, $2::int) n`,
    [channelId, contents],
  );
  await client.query('vacuum analyze');
  await client.end();
}

/** Returns the bytes of the file, which PostgreSQL writes with the rights of its user. */
async function copy(databaseUrl: string, folder: string): Promise<number> {
  const exchange = join(folder, 'exchange');
  await mkdir(exchange);
  await Promise.all([chmod(folder, 0o711), chmod(exchange, 0o777)]);
  const file = join(exchange, 'copied.json');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`copy (${COPIED}) to '${file}'`);
  } finally {
    await client.end();
  }
  return (await stat(file)).size;
}

type Ask = (query: string, variables?: object) => Promise<unknown>;

function asker(url: string, key: string): Ask {
  return async (query, variables = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
}

async function exportAll(ask: Ask): Promise<Buffer> {
  const input = { query: QUERY };
  const mutation = 'mutation ($input: ExportDataInput!) { exportData(input: $input) { export { id } } }';
  const { exportData } = (await ask(mutation, { input })) as { exportData: { export: { id: string } } };
  for (;;) {
    const query = 'query ($id: DID!) { dataExport(id: $id) { status url error } }';
    const { dataExport } = (await ask(query, { id: exportData.export.id })) as {
      dataExport: { status: string; url: string; error: string };
    };
    if (dataExport.status === 'COMPLETE') return Buffer.from(await (await fetch(dataExport.url)).arrayBuffer());
    if (dataExport.status === 'ERROR') throw new Error(dataExport.error);
    await sleep(200);
  }
}

function report(contents: number, copied: Measured<number>, exported: Measured<Buffer>): void {
  const row = (name: string, { cpuSeconds, wallSeconds }: Measured<unknown>, bytes: number) => [
    name,
    cpuSeconds.toFixed(2),
    (contents / cpuSeconds).toFixed(0),
    wallSeconds.toFixed(1),
    (bytes / 1e6).toFixed(1),
  ];
  console.log(
    table([
      [`${contents} contents`, 'CPU s', 'rows per CPU s', 'wall s', 'MB'],
      row('COPY … TO, as JSON', copied, copied.result),
      row('exportData', exported, exported.result.length),
    ]),
  );
  console.log(`\nratio of CPU: ${(exported.cpuSeconds / copied.cpuSeconds).toFixed(1)}\n`);
}

/** In one thread, a part at a time. */
async function compareLevels(lines: Buffer): Promise<void> {
  const rows = [1, 2, 3, 4, 6, 9].map((level) => {
    const startedAt = performance.now();
    let bytes = 0;
    for (let at = 0; at < lines.length; at += 4 * 1024 ** 2)
      bytes += gzipSync(lines.subarray(at, at + 4 * 1024 ** 2), { level }).length;
    const seconds = (performance.now() - startedAt) / 1_000;
    return [String(level), (lines.length / 1e6 / seconds).toFixed(0), (lines.length / bytes).toFixed(1)];
  });
  console.log(table([['gzip level', 'MB/s', 'times smaller'], ...rows]));
}
