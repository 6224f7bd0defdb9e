/**
 * `npm run dev`: the platform, which restarts when its code changes, behind Vite, which replaces changed modules of the
 * web application in open pages. Both write to one log. `--seed` publishes the demo channel, `--inspect` lets a
 * debugger attach to the platform on port 9229. Its data is in `data-dev`, or DATA_DIR.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createServer, type ViteDevServer } from 'vite';
import { freePort } from '../server/src/platform/config/free-port.ts';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { lockDataFolder } from '../server/src/platform/instance-lock.ts';
import { NODE_FLAGS } from './node-flags.mjs';

const ROOT = join(import.meta.dirname, '..');

const { values: options } = parseArgs({
  options: { seed: { type: 'boolean', default: false }, inspect: { type: 'boolean', default: false } },
});

const port = Number(process.env.PORT ?? 4000);
const address = `http://localhost:${port}`;
const folder = resolve(process.env.DATA_DIR ?? join(ROOT, 'data-dev'));
mkdirSync(folder, { recursive: true });

/** What ends what was started, in its order. */
const started: (() => unknown)[] = [await lockDataFolder(folder)];
let isStopping = false;
const starting = start();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
process.on('disconnect', () => void stop(0));
await starting.catch(async (error: unknown) => {
  console.error(error);
  await stop(1);
});

async function start(): Promise<void> {
  const inner = await freePort();
  const platform = startPlatform(inner, process.env.DATABASE_URL ?? (await startDatabase()));
  started.push(() => end(platform));
  platform.on('exit', (code) => void stop(code ?? 1));
  const pages = await startPages(inner);
  started.push(() => pages.close());
  console.log(`\n${address} is ready. Pages change with web/src, the platform restarts with server/src.\n`);
}

/** Goes on while the platform restarts. */
async function startDatabase(): Promise<string> {
  const database = await startLocalPostgres(join(folder, 'postgres'));
  started.push(() => database.stop());
  return database.url;
}

/** The platform under `node --watch`, at an address that only Vite knows. */
function startPlatform(at: number, databaseUrl: string): ChildProcess {
  const inspect = options.inspect ? ['--inspect=127.0.0.1:9229'] : [];
  const watch = ['--watch', '--watch-preserve-output'];
  return spawn(process.execPath, [...NODE_FLAGS, ...inspect, ...watch, 'server/src/main.ts', '--role', 'all'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: String(at),
      BASE_URL: address,
      DEMO: options.seed ? 'on' : 'off',
      NODE_ENV: 'development',
    },
  });
}

async function startPages(at: number): Promise<ViteDevServer> {
  process.env.API_ORIGIN = `http://127.0.0.1:${at}`;
  const server = await createServer({
    configFile: join(ROOT, 'web/vite.config.ts'),
    clearScreen: false,
    server: { port, strictPort: true },
  });
  return server.listen();
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Ends everything, also what is still starting. */
async function stop(status: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await starting.catch(() => {});
  for (const stopOne of started.reverse()) await stopOne();
  process.exit(status);
}
