import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readRecords } from '../../server/src/domains/live/journal/journal-records.ts';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../../server/src/platform/db/testing.ts';
import { until } from '../../server/src/testing/until.ts';
import { encoders } from '../support/encoder.ts';
import { admin, type Instance, startInstance, untilStarted } from '../support/instances.ts';
import { announced, countPictures } from '../support/live/playlists.ts';
import { graphql } from '../support/steps.ts';

const CREATE = `mutation ($latency: LiveLatency!) { createLiveInput(input: {
  name: "Harbour", visibility: PUBLIC, latency: $latency }) { liveInput { id streamKey } } }`;
const INPUT = `query ($id: DID!) { node(id: $id) { ... on LiveInput { state currentStream { id outputAssets {
  video { hls } } } } } }`;
const END = 'mutation ($id: DID!) { endBroadcast(id: $id) { stream { id } } }';
const STREAM = 'query ($id: DID!) { stream(id: $id) { broadcast { state missingMs } metadata { duration } } }';
const PART_SECONDS = 0.5;

interface InputState {
  readonly node: {
    readonly state: string;
    readonly currentStream: { readonly id: string; readonly outputAssets: { video: { hls: string } } } | null;
  };
}

/** One process, which is killed while it receives a broadcast. */
describe('a broadcast of a process that is killed', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-live-journal-'));
  const dataDir = join(folder, 'data');
  const publish = encoders();
  let database: TestDatabase;
  let env: Record<string, string>;
  let key: string;
  let running: Instance;

  before(async () => {
    database = await createTestDatabase();
    const [port, rtmp] = [await freePort(), await freePort()];
    env = {
      ...{ DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('base64'), DATA_DIR: dataDir },
      ...{ PORT: `${port}`, HOST: '127.0.0.1', BASE_URL: `http://localhost:${port}`, RTMP_PORT: `${rtmp}` },
      ...{ SANDBOX: 'prefer', DEMO: 'off' },
    };
    await start();
    const flags = ['--email', 'owner@example.com', '--username', 'owner', '--plan', 'CREATOR_PLUS', '--api-key'];
    key = admin(env, 'create-account', ...flags).apiKey ?? '';
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

  async function ask<Data>(query: string, variables: object): Promise<Data> {
    const { body } = await graphql(env.BASE_URL ?? '', key, query, variables);
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    return body.data as Data; // the caller declares the type of its document
  }

  const journals = () => readdirSync(join(dataDir, 'live'));

  /** A broadcast that is live for some segments. */
  async function began(latency: 'LOW' | 'NORMAL') {
    type Created = { createLiveInput: { liveInput: { id: string; streamKey: string } } };
    const { liveInput } = (await ask<Created>(CREATE, { latency })).createLiveInput;
    const input = async () => (await ask<InputState>(INPUT, { id: liveInput.id })).node;
    const untilState = (state: string) =>
      until(
        async () => (await input()).state === state,
        () => `the input was never ${state}:\n${running.output().slice(-2_000)}`,
        60_000,
      );
    const send = () => publish(`rtmp://127.0.0.1:${env.RTMP_PORT}/live`, liveInput.streamKey);
    send();
    await untilState('LIVE');
    const { id, outputAssets } = (await input()).currentStream ?? assert.fail('there is a stream');
    const address = outputAssets.video.hls.replace('master.m3u8', 'live/video/index.m3u8');
    const playlist = async () => (await fetch(address)).text();
    await until(async () => (await playlist()).includes('\nseg-00001.m4s'), 'nothing follows', 30_000);
    return { id, hls: outputAssets.video.hls, playlist, send, untilState };
  }

  it('goes on after a restart with all that had arrived, which its recording has, too', async (t) => {
    const { id, hls, playlist, send, untilState } = await began('LOW');
    let before = { segments: 0, parts: 0 };
    const hasParts = async () => {
      before = announced(await playlist());
      return before.parts >= 2 * PART_SECONDS - 0.1;
    };
    await until(hasParts, 'there are no parts', 30_000);
    await running.end('SIGKILL');
    assert.equal(journals().length, 1);

    await start();
    await untilState('RECONNECTING');
    let text = '';
    const isOffered = async () => {
      text = await playlist();
      return text.includes('#EXTM3U');
    };
    await until(isOffered, 'what is stored is not offered', 30_000);
    const kept = announced(text).segments;
    t.diagnostic(`announced ${before.segments + before.parts} s, kept ${kept} s`);
    assert.ok(kept >= before.segments + before.parts - 0.001, `${kept} of ${before.segments + before.parts} s`);
    assert.deepEqual(journals(), []);

    send();
    await untilState('LIVE');
    await until(async () => /#EXT-X-DISCONTINUITY\n[\s\S]*URI="seg-\d+\.1\.m4s"/.test(await playlist()), '', 30_000);
    await ask(END, { id });
    type Ended = { stream: { broadcast: { state: string; missingMs: number }; metadata: { duration: number } } };
    const stream = async () => (await ask<Ended>(STREAM, { id })).stream;
    await until(async () => (await stream()).broadcast.state === 'RECORDED', 'it is not recorded', 60_000);
    const [first = ''] = (await playlist()).split('#EXT-X-DISCONTINUITY');
    assert.ok(Math.abs(announced(first).segments - kept) < 0.001);
    assert.equal((await stream()).broadcast.missingMs, 0);
    // Each picture is there, in the broadcast as in its recording: 25 a second.
    const seconds = announced(await playlist()).segments;
    assert.equal(await countPictures(hls), Math.round(25 * seconds));
    assert.deepEqual(journals(), []);
  });

  it('is recorded with all that had arrived where its encoder does not come back, also without parts', async (t) => {
    const { id, playlist, untilState } = await began('NORMAL');
    const complete = announced(await playlist()).segments;
    const [segment = 0] = [...(await playlist()).matchAll(/^seg-(\d+)\.m4s$/gm)]
      .map(([, each]) => Number(each) + 1)
      .slice(-1);
    const arrived = () => {
      const [name = ''] = journals();
      const records = readRecords(readFileSync(join(dataDir, 'live', name)));
      return records.filter((each) => each.kind === 'part' && each.track === 'video' && each.number === segment).length;
    };
    await until(() => arrived() >= 2, 'no parts arrive', 30_000);
    await running.end('SIGKILL');
    await start();
    await untilState('RECONNECTING');
    await ask(END, { id });
    type Ended = { stream: { broadcast: { state: string }; metadata: { duration: number } } };
    const stream = async () => (await ask<Ended>(STREAM, { id })).stream;
    await until(async () => (await stream()).broadcast.state === 'RECORDED', 'it is not recorded', 60_000);
    const recorded = announced(await playlist()).segments;
    t.diagnostic(`${recorded} s, of which ${complete} s were complete`);
    assert.ok(recorded >= complete + 2 * PART_SECONDS - 0.1, `${recorded} s, of which ${complete} s were complete`);
    assert.deepEqual(journals(), []);
  });
});
