import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { until } from '../../server/src/testing/until.ts';
import { graphql } from './steps.ts';

const ROOT = join(import.meta.dirname, '../..');
const LIMIT_MS = 60_000;

/** `npm start`, with its own data folder. */
export class NpmStart {
  readonly folder = mkdtempSync(join(tmpdir(), 'reelgraph-lifecycle-'));
  /** Of the repository in which it runs. */
  readonly root: string;
  port = 0;
  env: NodeJS.ProcessEnv = {};

  constructor(root = ROOT) {
    this.root = root;
  }

  async prepare(): Promise<void> {
    this.port = await freePort();
    const { DATABASE_URL: _, ...inherited } = process.env;
    this.env = {
      ...inherited,
      DATA_DIR: join(this.folder, 'data'),
      PORT: String(this.port),
      BASE_URL: `http://localhost:${this.port}`,
      HOST: '127.0.0.1',
      RTMP_PORT: '0',
      DEMO: 'off',
      LOG_LEVEL: 'warn',
    };
  }

  /** Stops all processes, and removes the data. */
  async remove(): Promise<void> {
    for (const pid of processesOf(this.folder)) kill(pid, 'SIGKILL');
    await untilGone(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Starts it, and does not wait for it. */
  launch(): { npm: ChildProcess; output: () => string } {
    const npm = spawn('npm', ['start'], {
      cwd: this.root,
      env: this.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { npm, output: () => output };
  }

  /** Starts it and waits until it is ready. */
  async start(limitMs = LIMIT_MS): Promise<ChildProcess> {
    const { npm, output } = this.launch();
    const complaint = () => `npm start is not ready:\n${output().slice(-4_000)}`;
    const isReady = () => {
      if (npm.exitCode !== null) throw new Error(complaint());
      return output().includes('Reelgraph is ready');
    };
    await until(isReady, complaint, limitMs);
    return npm;
  }

  /** Stops the remaining processes of a platform after a kill. */
  async stopRest(): Promise<void> {
    for (const pid of processesOf(this.folder)) if (commandOf(pid).includes('server/src/main.ts')) kill(pid, 'SIGTERM');
    await untilGone(this.folder);
  }

  async untilPortFree(): Promise<void> {
    await until(async () => !(await this.isHealthy()), 'the orphaned platform does not stop by itself', LIMIT_MS);
  }

  async isHealthy(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.port}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
  }

  async isReady(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.port}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
  }

  async verify(apiKey: string): Promise<string> {
    const query = '{ verifyConnection { user { username } } }';
    return (await this.ask<{ verifyConnection: { user: { username: string } } }>(apiKey, query)).verifyConnection.user
      .username;
  }

  async ask<Data>(apiKey: string, query: string, variables: object = {}): Promise<Data> {
    const { body } = await graphql(`http://127.0.0.1:${this.port}`, apiKey, query, variables);
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    return body.data as Data; // the caller declares the type of its document
  }

  createAccount(username: string): { apiKey: string } {
    const flags = ['--username', username, '--plan', 'CREATOR_PLUS', '--api-key'];
    return this.#admin('create-account', '--email', `${username}@example.com`, ...flags);
  }

  #admin(...args: string[]): { apiKey: string } {
    const { stdout, stderr, status } = spawnSync('npm', ['run', '--silent', 'admin', '--', ...args], {
      cwd: this.root,
      env: this.env,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  }
}

/** Processes whose environment or command names the folder: npm, bootstrap, server, database and their children. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      const text = readProc(pid, 'environ') + readProc(pid, 'cmdline');
      return text.includes(folder) && !/\) Z /.test(readProc(pid, 'stat'));
    });
}

export function commandOf(pid: number): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ');
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

export async function untilGone(folder: string): Promise<void> {
  const left = () => processesOf(folder);
  await until(
    () => left().length === 0,
    () => `Still running: ${left().map(commandOf).join('; ')}`,
    LIMIT_MS,
  );
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}
