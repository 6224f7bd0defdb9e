import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../server/src/kernel/random.testing.ts';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { sql } from '../../server/src/platform/db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../../server/src/platform/db/testing.ts';
import { makeClip } from '../support/clips.ts';
import { admin, type Instance, startInstance, untilStarted } from '../support/instances.ts';
import { graphql } from '../support/steps.ts';

const UPLOADS = 10;
const CLIP_SECONDS = 45;
const KILLS = 30;
const MEAN_PAUSE_MS = 20_000;
/** After the last kill, for everything that is left. */
const REST_MS = 1_500_000;
/** Of a test: kills for ten minutes, and the rest. */
const TEST_MS = 2_400_000;
const LOOK_MS = 100;

const PUBLISH = `mutation ($input: PublishVideoInput!) {
  publishVideo(input: $input) { content { id } job { id } upload { endpoint } } }`;
const JOB = 'query ($id: DID!) { job(id: $id) { status progress error interruption { state count reason } } }';

interface Job {
  readonly status: string;
  readonly progress: number;
  readonly error: string | null;
  readonly interruption: { readonly state: string; readonly count: number; readonly reason: string } | null;
}

/** One process that serves and works, and is killed and started again. */
describe('jobs of processes that are killed', { timeout: 2 * TEST_MS }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-killed-'));
  let database: TestDatabase;
  let env: Record<string, string>;
  let key: string;
  let running: Instance | null = null;
  let clip: Buffer<ArrayBuffer>;

  before(async () => {
    database = await createTestDatabase();
    const port = await freePort();
    env = {
      ...{ DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('base64'), DATA_DIR: join(folder, 'data') },
      ...{ PORT: String(port), HOST: '127.0.0.1', BASE_URL: `http://localhost:${port}` },
      // It looks often.
      ...{ SANDBOX: 'prefer', DEMO: 'off', RATE_LIMIT_RESTORE: '10000' },
    };
    await start();
    const flags = ['--email', 'owner@example.com', '--username', 'owner', '--password', 'a few words in a row'];
    const made = admin(env, 'create-account', ...flags, '--plan', 'CREATOR_PLUS', '--api-key');
    key = made.apiKey ?? '';
    clip = readFileSync(makeClip(folder, 'clip.mp4', CLIP_SECONDS, '640x360'));
  });

  after(async () => {
    await running?.end();
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    running = startInstance('all', env);
    await untilStarted(running);
  }

  async function killAndStart(): Promise<void> {
    await running?.end('SIGKILL');
    await start();
  }

  async function ask<Data>(query: string, variables: object): Promise<Data> {
    const { body } = await graphql(env.BASE_URL ?? '', key, query, variables);
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    return body.data as Data; // the caller declares the type of its document
  }

  /** Uploads the clip; returns its job. */
  async function upload(title: string): Promise<string> {
    const input = { title, filename: `${title}.mp4`, size: clip.length, publish: true };
    type Published = { publishVideo: { job: { id: string }; upload: { endpoint: string } } };
    const { job, upload } = (await ask<Published>(PUBLISH, { input })).publishVideo;
    const sent = await fetch(upload.endpoint, { method: 'PUT', body: clip });
    assert.ok(sent.ok, await sent.text());
    return job.id;
  }

  const jobOf = async (id: string) => (await ask<{ job: Job }>(JOB, { id })).job;
  const statesOf = (jobs: readonly string[]) => Promise.all(jobs.map(jobOf));

  async function untilEnded(jobs: readonly string[]): Promise<Job[]> {
    const isOver = ({ status }: Job) => status === 'COMPLETE' || status === 'ERROR';
    const begun = performance.now();
    for (;;) {
      const states = await statesOf(jobs);
      if (states.every(isOver)) return states;
      assert.ok(performance.now() - begun < REST_MS, JSON.stringify(states));
      await pause(LOOK_MS);
    }
  }

  /** The process that works on something, possibly one that was killed. */
  async function workedOnBy(work: string): Promise<string | null> {
    const text = 'select process_id as id from work_attempts where outcome is null and work = $1';
    return (await database.db.first<{ id: string }>(sql('worked_on_by', text), [work]))?.id ?? null;
  }

  it(`${UPLOADS} of ${UPLOADS} uploads complete that are interrupted by ${KILLS} kills in ten minutes`, {
    timeout: TEST_MS,
  }, async (t) => {
    const jobs: string[] = [];
    for (let n = 0; n < UPLOADS; n += 1) jobs.push(await upload(`Video ${n}`));
    const random = seededRandom(20_261_128);
    const begun = performance.now();
    const interrupted = new Set<string>();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      // The kills are in ten minutes, however long a start takes; no two at the same moment.
      const due = MEAN_PAUSE_MS * (kill - 0.75 + random() / 2);
      await pause(Math.max(0, due - (performance.now() - begun)));
      await killAndStart();
      for (const [n, { interruption }] of (await statesOf(jobs)).entries())
        if (interruption) interrupted.add(jobs[n] ?? '');
    }
    const killedForS = (performance.now() - begun) / 1_000;
    const ended = await untilEnded(jobs);
    t.diagnostic(
      `${KILLS} kills in ${killedForS.toFixed(0)} s, ${interrupted.size} videos seen interrupted, ` +
        `all complete ${((performance.now() - begun) / 1_000 - killedForS).toFixed(0)} s later`,
    );
    assert.deepEqual(
      ended.map(({ status, error }) => [status, error]),
      ended.map(() => ['COMPLETE', null]),
    );
    assert.ok(interrupted.size > 0, 'the kills interrupted nothing');
  });

  it('a file that always kills its process fails with the reason, and others complete', {
    timeout: TEST_MS,
  }, async (t) => {
    const killer = await upload('Killer');
    const others = [await upload('Beside 1'), await upload('Beside 2')];
    const id = killer.split('/').at(-1) ?? '';
    const seen = new Map<string, string>();
    const killed = new Set<string>();
    const begun = performance.now();
    for (;;) {
      const process = await workedOnBy(`encode-chunk ${id} video 0`);
      if (process !== null && !killed.has(process)) {
        killed.add(process);
        await killAndStart();
      }
      const job = await jobOf(killer);
      if (job.interruption) seen.set(job.interruption.state, job.interruption.reason);
      if (job.status === 'ERROR') break;
      assert.ok(performance.now() - begun < REST_MS, `killed ${killed.size} times: ${JSON.stringify([...seen])}`);
      await pause(LOOK_MS);
    }
    const failed = await jobOf(killer);
    t.diagnostic(`ended after ${killed.size} kills and ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
    assert.equal(killed.size, 4);
    assert.match(failed.error ?? '', /^The server's process ended 4 times while it worked on this, the last time when/);
    assert.match(failed.error ?? '', /upload it again/);
    assert.deepEqual([...seen.keys()], ['CONTINUING', 'SET_APART']);
    assert.match(seen.get('SET_APART') ?? '', /tried once more, alone/);
    assert.deepEqual(
      (await untilEnded(others)).map(({ status, error }) => [status, error]),
      others.map(() => ['COMPLETE', null]),
    );
  });
});
