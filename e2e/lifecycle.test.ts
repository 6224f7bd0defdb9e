import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../server/src/platform/config/free-port.ts';
import { makeClip } from './harness.ts';
import { graphql } from './steps.ts';

const ROOT = join(import.meta.dirname, '..');
const LIMIT_MS = 60_000;

/** `npm start` as an operator runs it, and what is left of it after signals and killed processes. */
describe('npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-lifecycle-'));
  let port = 0;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    port = await freePort();
    const { DATABASE_URL: _, ...inherited } = process.env;
    env = {
      ...inherited,
      DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      BASE_URL: `http://localhost:${port}`,
      HOST: '127.0.0.1',
      DEMO: 'off',
      LOG_LEVEL: 'warn',
    };
  });
  after(async () => {
    for (const pid of processesOf(folder)) kill(pid, 'SIGKILL');
    await untilGone(folder);
    rmSync(folder, { recursive: true, force: true });
  });

  it('stops everything on Ctrl-C', async () => {
    const npm = await start();
    // A terminal sends SIGINT to the whole foreground group.
    kill(-(npm.pid ?? 0), 'SIGINT');
    await untilGone(folder);
    assert.equal(await isHealthy(), false);
  });

  it('makes accounts by the admin command while it runs and while it is stopped', async () => {
    const made = admin('create-account', '--email', 'stopped@example.com', '--username', 'stopped', '--plan', 'CREATOR_PLUS', '--api-key');
    assert.match(made.apiKey, /^rg_[A-Za-z0-9]{38}$/);
    assert.deepEqual(processesOf(folder), [], 'the command leaves no database behind');
    const npm = await start();
    assert.equal(await verify(made.apiKey), 'stopped');
    const second = admin(
      'create-account',
      '--email',
      'running@example.com',
      '--username',
      'running',
      '--plan',
      'CREATOR_PLUS',
      '--api-key',
    );
    assert.equal(await verify(second.apiKey), 'running');
    kill(npm.pid ?? 0, 'SIGTERM');
    await untilGone(folder);
  });

  for (const victim of ['npm start', 'scripts/bootstrap.mjs', 'server/src/main.ts', 'bin/postgres -D']) {
    it(`starts again with its data after kill -9 of ${victim}`, async () => {
      const { apiKey } = admin(
        'create-account',
        '--email',
        `${port}-${victim.length}@example.com`,
        '--username',
        `victim${victim.length}`,
        '--plan',
        'CREATOR_PLUS',
        '--api-key',
      );
      await start();
      const pid = processesOf(folder).find((candidate) => commandOf(candidate).includes(victim));
      assert.ok(pid, `${victim} runs`);
      kill(pid, 'SIGKILL');
      if (victim === 'bin/postgres -D') await stopRest();
      await untilPortFree();
      await start();
      assert.equal(await verify(apiKey), `victim${victim.length}`);
      await stopRest();
    });
  }

  it('starts its database again when that is killed, and serves on without a restart', async (t) => {
    const flags = ['--email', 'survivor@example.com', '--username', 'survivor', '--plan', 'CREATOR_PLUS', '--api-key'];
    const { apiKey } = admin('create-account', ...flags);
    await start();
    assert.equal(await verify(apiKey), 'survivor');
    const platform = processesOf(folder).find((pid) => commandOf(pid).includes('server/src/main.ts'));
    const database = processesOf(folder).find((pid) => commandOf(pid).includes('bin/postgres -D'));
    assert.ok(platform && database, 'platform and database run');
    const contentId = await publishClip(apiKey);
    kill(database, 'SIGKILL');
    const killedAt = performance.now();
    const serves = async () => (await isReady()) && (await verify(apiKey).catch(() => null)) === 'survivor';
    do {
      assert.ok(performance.now() - killedAt < 15_000, 'requests succeed again within seconds');
      await sleep(50);
    } while (commandOf(database) !== '' || !(await serves()));
    t.diagnostic(`served again after ${((performance.now() - killedAt) / 1_000).toFixed(1)} s`);
    assert.ok(commandOf(platform).includes('server/src/main.ts'), 'the platform is the same process');
    // Sessions, the job that was running, and the readers of the event log (which publish) have connections of their own.
    assert.equal(await signUp('newcomer'), 200);
    const wait =
      'mutation ($id: DID!) { waitForProcessing(input: { contentId: $id, timeoutSeconds: 90 }) { status error content { status } } }';
    const { waitForProcessing } = await ask<{ waitForProcessing: object }>(apiKey, wait, { id: contentId });
    assert.deepEqual(waitForProcessing, { status: 'COMPLETE', error: null, content: { status: 'PUBLISHED' } });
    await stopRest();
  });

  it('keeps what it stores to its own user, and makes private what an earlier version left open', async () => {
    const data = join(folder, 'data');
    const isSegment = ([path]: readonly [string, string]) => path.startsWith('objects/') && path.endsWith('.m4s');
    const stored = modesBelow(data);
    assert.ok(stored.some(isSegment), 'a video was uploaded and processed');
    assert.deepEqual(stored.filter(isOpen), []);
    for (const [path] of stored.filter(([path]) => path.startsWith('objects'))) chmodSync(join(data, path), 0o755);
    chmodSync(join(data, 'secret-key'), 0o644);
    await start();
    assert.deepEqual(modesBelow(data).filter(isOpen), []);
    await stopRest();
  });

  async function start(): Promise<ChildProcess> {
    const npm = spawn('npm', ['start'], { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const deadline = Date.now() + LIMIT_MS;
    while (!output.includes('Reelgraph is ready')) {
      if (npm.exitCode !== null || Date.now() > deadline) throw new Error(`npm start is not ready:\n${output.slice(-4_000)}`);
      await sleep(50);
    }
    return npm;
  }

  /** Ends what is left of a platform one of whose processes was killed. */
  async function stopRest(): Promise<void> {
    for (const pid of processesOf(folder)) if (commandOf(pid).includes('server/src/main.ts')) kill(pid, 'SIGTERM');
    await untilGone(folder);
  }

  async function untilPortFree(): Promise<void> {
    const deadline = Date.now() + LIMIT_MS;
    while (await isHealthy()) {
      assert.ok(Date.now() < deadline, 'the orphaned platform stops by itself');
      await sleep(50);
    }
  }

  async function isHealthy(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${port}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
  }

  async function isReady(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
  }

  async function signUp(username: string): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${port}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `http://localhost:${port}` },
      body: JSON.stringify({ email: `${username}@example.com`, password: 'a few words in a row', name: username, username }),
    });
    return response.status;
  }

  /** Uploads a clip, whose processing begins; answers the content. */
  async function publishClip(apiKey: string): Promise<string> {
    const bytes = readFileSync(makeClip(folder, 'clip.mp4', 6));
    const { publishVideo } = await ask<{ publishVideo: { content: { id: string }; upload: { endpoint: string } } }>(
      apiKey,
      'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } upload { endpoint } } }',
      { input: { title: 'Through the loss', filename: 'clip.mp4', size: bytes.length, publish: true } },
    );
    assert.ok((await fetch(publishVideo.upload.endpoint, { method: 'PUT', body: bytes })).ok);
    return publishVideo.content.id;
  }

  async function verify(apiKey: string): Promise<string> {
    const query = '{ verifyConnection { user { username } } }';
    return (await ask<{ verifyConnection: { user: { username: string } } }>(apiKey, query)).verifyConnection.user.username;
  }

  async function ask<Data>(apiKey: string, query: string, variables: object = {}): Promise<Data> {
    const { body } = await graphql(`http://127.0.0.1:${port}`, apiKey, query, variables);
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    return body.data as Data; // the caller names what its document selects
  }

  function admin(...args: string[]): { apiKey: string } {
    const { stdout, stderr, status } = spawnSync('npm', ['run', '--silent', 'admin', '--', ...args], { cwd: ROOT, env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  }
});

/** Every file and folder at and below `root` with its mode; what is PostgreSQL's own is left out. */
function modesBelow(root: string, path = '.'): (readonly [path: string, mode: string])[] {
  if (path === join('postgres', 'data')) return [];
  const stats = statSync(join(root, path));
  const kind = stats.isDirectory() ? 'folder' : 'file';
  const own = [path, `${kind} ${(stats.mode & 0o777).toString(8)}`] as const;
  if (kind === 'file') return [own];
  return [own, ...readdirSync(join(root, path)).flatMap((name) => modesBelow(root, join(path, name)))];
}

/** PostgreSQL, which runs as another user where the platform is root, passes through two folders. */
function isOpen([path, mode]: readonly [string, string]): boolean {
  if (path === '.' || path === 'postgres') return mode !== 'folder 711';
  return mode !== 'folder 700' && mode !== 'file 600';
}

/** Processes whose environment or command names the folder: npm, bootstrap, server, database and their children. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      const text = readProc(pid, 'environ') + readProc(pid, 'cmdline');
      return text.includes(folder) && !/\) Z /.test(readProc(pid, 'stat'));
    });
}

function commandOf(pid: number): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ');
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

async function untilGone(folder: string): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const left = processesOf(folder);
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Still running: ${left.map(commandOf).join('; ')}`);
    await sleep(50);
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}
