import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../scripts/node-flags.mjs';
import { freePort } from '../server/src/platform/config/free-port.ts';

/** A server that a benchmark started in its own process. */
export interface StartedServer {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Starts `script` (relative to this folder) with `env` on a free port and waits until it listens. */
export async function startServer(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<StartedServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startProcess(script, args, { HOST: '127.0.0.1', ...env, PORT: String(port), BASE_URL: url });
  await untilListening(url);
  return { child, url };
}

/** Starts `script` (relative to this folder) with `env`, without waiting. */
export function startProcess(script: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [...NODE_FLAGS, fileURLToPath(new URL(script, import.meta.url)), ...args], {
    env: { ...process.env, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function untilListening(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answered = await fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(100);
  }
  throw new Error(`Nothing listens at ${url}.`);
}

/** Sends SIGTERM, and SIGKILL if the process has not ended after 15 seconds. */
export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await Promise.race([ended, sleep(15_000)]);
  child.kill('SIGKILL');
}
