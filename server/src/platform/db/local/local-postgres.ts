import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProcess } from '@reelgraph/sandbox/spawn';
import pg from 'pg';
import { freePort } from '../../config/free-port.ts';
import type { Logger } from '../../log.ts';
import { withReconnect } from '../with-reconnect.ts';
import {
  type Binaries,
  findBinaries,
  isReady,
  isRoot,
  launchServer,
  runningServer,
  StartInterrupted,
  spawnUnprivileged,
  startError,
  stopServer,
  UNPRIVILEGED_ID,
} from './postgres-process.ts';
import { PostgresSupervisor } from './postgres-supervisor.ts';
import { userNameFor } from './user-name.ts';

/** How long starting is retried for a server that is killed or finds sessions of a killed one. */
const INTERRUPTED_LIMIT_MS = 20_000;
const PAUSE_MS = 100;

export interface LocalPostgres {
  /** Address of the database `reelgraph`, with its password. */
  readonly url: string;
  /** Whether a server left running by an earlier process was taken over. */
  readonly adopted: boolean;
  /** Fast shutdown; resolves when the server is gone. */
  stop(): Promise<void>;
}

/**
 * A real PostgreSQL from the npm package, its data in `folder` (created when missing, mode 0711; the data 0700). A
 * server that outlived its process is adopted. It listens on loopback only, with a random password. With `supervise`, a
 * server that exits before `stop` is restarted at the same address, and logged; this includes a server that is killed
 * during this function.
 */
export async function startLocalPostgres(folder: string, options: { supervise?: Logger } = {}): Promise<LocalPostgres> {
  const home = resolve(folder);
  const data = join(home, 'data');
  const binaries = await findBinaries();
  mkdirSync(home, { recursive: true });
  // PostgreSQL runs as another user under root and must traverse it; the umask would forbid that.
  chmodSync(home, 0o711);
  const password = readOrMakePassword(join(home, 'password'));
  const start = (port: number) =>
    startServer(binaries, { folder: home, data }, { port, url: addressOf(port, password, 'postgres') });
  const found = await findLiving(data, password);
  if (!found && !hasLocalPostgres(home)) await whileInterrupted(() => initialise(binaries, home, data, password));
  const port = found?.port ?? (await freePort());
  const pid = found?.pid ?? (await start(port));
  // It may be running already after a slow recovery; or an admin command that found it dead started it first, on
  // another port.
  const again = async () => {
    const living = await findLiving(data, password);
    if (living?.port === port) return living.pid;
    if (living) await stopServer(living.pid);
    return start(port);
  };
  const supervisor = options.supervise ? new PostgresSupervisor(pid, again, options.supervise) : null;
  const stop = () => (supervisor ? supervisor.stop() : stopServer(pid));
  try {
    const ensure = () => ensureDatabase(port, password);
    await (options.supervise ? withReconnect(ensure, { log: options.supervise, step: 'database' }) : ensure());
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: addressOf(port, password, 'reelgraph'), adopted: found !== null, stop };
}

/** Whether `folder` has data of a PostgreSQL; `startLocalPostgres` would create it otherwise. */
export function hasLocalPostgres(folder: string): boolean {
  return existsSync(join(resolve(folder), 'data', 'PG_VERSION'));
}

/** The running server of `data`, if it responds; otherwise it is stopped. */
async function findLiving(data: string, password: string): Promise<{ pid: number; port: number } | null> {
  const running = runningServer(data);
  if (!running || (await isReady(addressOf(running.port, password, 'postgres')))) return running;
  await stopServer(running.pid);
  return null;
}

/** Starts the server; returns its process. */
function startServer(
  binaries: Binaries,
  home: { readonly folder: string; readonly data: string },
  address: { readonly port: number; readonly url: string },
): Promise<number> {
  return whileInterrupted(() => launchServer(binaries, home, address));
}

/** Retries a PostgreSQL program while it is killed, or while sessions of a killed server are still ending. */
async function whileInterrupted<T>(start: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + INTERRUPTED_LIMIT_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof StartInterrupted) || Date.now() > deadline) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

function readOrMakePassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

function addressOf(port: number, password: string, database: string): string {
  return `postgres://reelgraph:${password}@127.0.0.1:${port}/${database}`;
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
    const environment = isRoot() ? {} : userNameFor(home);
    const child = spawnUnprivileged(binaries.initdb, args, home, { environment });
    const output = collect(child);
    const {
      promise: ended,
      resolve: end,
      reject: fail,
    } = Promise.withResolvers<[code: number | null, signal: NodeJS.Signals | null]>();
    child.once('error', fail).once('close', (...how) => end(how));
    const [code, signal] = await ended;
    if (code !== 0) throw startError('initdb failed', signal, output());
  } catch (error) {
    rmSync(data, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(join(home, 'initdb-passwd'), { force: true });
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

async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: addressOf(port, password, 'postgres') });
  client.on('error', () => {}); // a lost connection fails its statement and must not end the process
  try {
    await client.connect();
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'reelgraph'");
    if (rowCount === 0) await client.query('create database reelgraph');
  } finally {
    await client.end().catch(() => {});
  }
}
