import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../../server/src/platform/db/testing.ts';

/** The real platform, cleaned up afterwards. */
const ROOT = join(import.meta.dirname, '../..');
/** SECRET_KEY of every platform that a test starts, so that tests can create keys. */
export const TEST_SECRET = Buffer.alloc(32, 7);
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 20_000;

export interface Platform {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Scratch folder of this run; removed by `stop`. */
  readonly folder: string;
  /** Its environment, which an admin command needs too. */
  readonly settings: Readonly<Record<'BASE_URL' | 'DATABASE_URL' | 'DATA_DIR' | 'PORT' | 'SECRET_KEY', string>>;
  readonly database: TestDatabase['db'];
  stop(): Promise<void>;
}

/**
 * Starts the platform with its own database and a scratch folder; `settings` override the defaults. Throws with its
 * output when it does not become healthy.
 */
export async function startPlatform(settings: Readonly<Record<string, string>> = {}): Promise<Platform> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-journey-'));
  const database = await createTestDatabase();
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const ours = {
    BASE_URL: baseUrl,
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    SECRET_KEY: TEST_SECRET.toString('base64'),
  };
  const env = {
    ...process.env,
    ...ours,
    HOST: '127.0.0.1',
    RTMP_PORT: '0',
    DEMO: 'off',
    SANDBOX: 'prefer',
    LOG_LEVEL: 'warn',
    ...settings,
  };
  const child = spawn(process.execPath, [join(ROOT, 'server/src/main.ts')], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const stop = async (): Promise<void> => {
    await stopChild(child);
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilHealthy(baseUrl, child, () => output.join(''));
  } catch (error) {
    await stop();
    // Another process took the port since it was found free.
    if (output.join('').includes('EADDRINUSE')) return startPlatform(settings);
    throw new Error(`${error instanceof Error ? error.message : error}\n${output.join('').slice(-6000)}`);
  }
  return { baseUrl, folder, settings: ours, database: database.db, stop };
}

/** Another platform, of tests beside these, may answer at the address until this one says that it listens there. */
async function untilHealthy(baseUrl: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The platform ended with ${child.exitCode}.`);
    const response = output().includes('Reelgraph is ready')
      ? await fetch(`${baseUrl}/readyz`).catch(() => null)
      : null;
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The platform did not become ready.');
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
