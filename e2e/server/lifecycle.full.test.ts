import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../server/src/testing/until.ts';
import { makeClip } from '../support/clips.ts';
import { commandOf, kill, NpmStart, processesOf, untilGone } from '../support/npm-start.ts';

/** `npm start` after kill -9 of each process. */
describe('npm start, killed', () => {
  const platform = new NpmStart();
  before(() => platform.prepare());
  after(() => platform.remove());

  for (const victim of ['npm start', 'scripts/bootstrap.mjs', 'server/src/main.ts', 'bin/postgres -D']) {
    it(`restarts with its data after kill -9 of ${victim}`, async () => {
      const { apiKey } = platform.createAccount(`victim${victim.length}`);
      await platform.start();
      const pid = processesOf(platform.folder).find((candidate) => commandOf(candidate).includes(victim));
      assert.ok(pid, `${victim} runs`);
      kill(pid, 'SIGKILL');
      if (victim === 'bin/postgres -D') await platform.stopRest();
      await platform.untilPortFree();
      await platform.start();
      assert.equal(await platform.verify(apiKey), `victim${victim.length}`);
      await platform.stopRest();
    });
  }
});

describe('npm start', () => {
  const platform = new NpmStart();
  before(() => platform.prepare());
  after(() => platform.remove());

  it('creates accounts with the admin command while it is stopped and while it runs, and stops on Ctrl-C', async () => {
    const stopped = platform.createAccount('stopped');
    assert.match(stopped.apiKey, /^rg_[A-Za-z0-9]{38}$/);
    assert.deepEqual(processesOf(platform.folder), [], 'the command stops its database');
    const npm = await platform.start();
    assert.equal(await platform.verify(stopped.apiKey), 'stopped');
    assert.equal(await platform.verify(platform.createAccount('running').apiKey), 'running');
    // A terminal sends SIGINT to the whole foreground group.
    kill(-(npm.pid ?? 0), 'SIGINT');
    await untilGone(platform.folder);
    assert.equal(await platform.isHealthy(), false);
  });

  it('restarts a killed database, continues without a restart, and stops with npm', async (t) => {
    const { apiKey: key } = platform.createAccount('survivor');
    const npm = await platform.start();
    assert.equal(await platform.verify(key), 'survivor');
    const server = processesOf(platform.folder).find((pid) => commandOf(pid).includes('server/src/main.ts'));
    const database = processesOf(platform.folder).find((pid) => commandOf(pid).includes('bin/postgres -D'));
    assert.ok(server && database, 'platform and database run');
    const contentId = await publishClip(key);
    kill(database, 'SIGKILL');
    const killedAt = performance.now();
    const serves = async () =>
      (await platform.isReady()) && (await platform.verify(key).catch(() => null)) === 'survivor';
    do {
      assert.ok(performance.now() - killedAt < 15_000, 'requests succeed again within seconds');
      await sleep(50);
    } while (commandOf(database) !== '' || !(await serves()));
    t.diagnostic(`served again after ${((performance.now() - killedAt) / 1_000).toFixed(1)} s`);
    assert.ok(commandOf(server).includes('server/src/main.ts'), 'the platform is the same process');
    // Sessions, the job that was running, and the readers of the event log (which publish) have connections of their
    // own.
    assert.equal(await signUp('newcomer'), 200);
    const wait =
      'mutation ($id: DID!) { waitForProcessing(input: { contentId: $id, timeoutSeconds: 90 }) ' +
      '{ status error content { status } } }';
    const { waitForProcessing } = await platform.ask<{ waitForProcessing: object }>(key, wait, { id: contentId });
    assert.deepEqual(waitForProcessing, { status: 'COMPLETE', error: null, content: { status: 'PUBLISHED' } });
    kill(npm.pid ?? 0, 'SIGTERM');
    await untilGone(platform.folder);
  });

  it('keeps its files private, also those of an earlier version', async () => {
    const data = join(platform.folder, 'data');
    const isSegment = ([path]: readonly [string, string]) => path.startsWith('objects/') && path.endsWith('.m4s');
    const stored = modesBelow(data);
    assert.ok(stored.some(isSegment), 'a video was uploaded and processed');
    assert.deepEqual(stored.filter(isOpen), []);
    for (const [path] of stored.filter(([path]) => path.startsWith('objects'))) chmodSync(join(data, path), 0o755);
    chmodSync(join(data, 'secret-key'), 0o644);
    await platform.start();
    assert.deepEqual(modesBelow(data).filter(isOpen), []);
    await platform.stopRest();
  });

  async function signUp(username: string): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${platform.port}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `http://localhost:${platform.port}` },
      body: JSON.stringify({
        email: `${username}@example.com`,
        password: 'a few words in a row',
        name: username,
        username,
      }),
    });
    return response.status;
  }

  /** Uploads a clip, which starts processing; returns the content. */
  async function publishClip(apiKey: string): Promise<string> {
    const bytes = readFileSync(makeClip(platform.folder, 'clip.mp4', 6, '640x360'));
    const { publishVideo } = await platform.ask<{
      publishVideo: { content: { id: string }; upload: { endpoint: string } };
    }>(
      apiKey,
      'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } upload { endpoint } } }',
      { input: { title: 'Through the loss', filename: 'clip.mp4', size: bytes.length, publish: true } },
    );
    assert.ok((await fetch(publishVideo.upload.endpoint, { method: 'PUT', body: bytes })).ok);
    return publishVideo.content.id;
  }
});

/** Files below DATA_DIR in the order in which a first start creates them. */
const STAGES = [
  'platform.pid',
  'postgres/initdb-password',
  'postgres/data/PG_VERSION',
  'postgres/data/postmaster.pid',
  'secret-key',
  'demo.json',
];
/** What exists only while the platform runs. */
const TEMPORARY = ['platform.pid', 'postgres/initdb-password', 'postgres/data/postmaster.pid'];

describe('npm start, interrupted by Ctrl-C', () => {
  for (const stage of STAGES) {
    it(`leaves nothing behind as soon as there is ${stage}, and starts again`, async () => {
      const platform = new NpmStart();
      try {
        await platform.prepare();
        platform.env = { ...platform.env, DEMO: 'on' };
        const exists = (file: string) => existsSync(join(platform.folder, 'data', file));
        const { npm, output } = platform.launch();
        await until(() => exists(stage), output);
        kill(-(npm.pid ?? 0), 'SIGINT');
        await until(() => npm.exitCode !== null || npm.signalCode !== null, 'npm does not end');
        await untilGone(platform.folder);
        assert.deepEqual(TEMPORARY.filter(exists), []);
        assert.doesNotMatch(output(), /"level":"(warn|error)"/);
        await platform.start();
        await platform.stopRest();
      } finally {
        await platform.remove();
      }
    });
  }
});

/** Every file and folder at and below `root` with its mode, except PostgreSQL's own. */
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
