import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../../server/src/platform/db/testing.ts';
import { startTestS3 } from '../../server/src/platform/storage/testing.ts';
import { until } from '../../server/src/testing/until.ts';
import { admin, type Instance, startInstance, untilStarted } from '../support/instances.ts';
import { graphql } from '../support/steps.ts';

const CREATE_INPUT =
  'mutation { createLiveInput(input: { name: "Camera", visibility: PUBLIC }) { liveInput { id streamKey ' +
  'ingest { rtmp } } } }';
const INPUT = 'query ($id: DID!) { node(id: $id) { ... on LiveInput { state currentStream { id } } } }';
const STREAM = 'query ($id: DID!) { stream(id: $id) { broadcast { state } outputAssets { video { hls } } } }';
const END = 'mutation ($id: DID!) { endBroadcast(id: $id) { stream { id } } }';

/** An API, a worker and two processes that receive live video, with one PostgreSQL and one object store. */
describe('a broadcast on several machines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-live-nodes-'));
  const instances: Instance[] = [];
  const encoders: ChildProcess[] = [];
  let database: TestDatabase;
  let s3: Awaited<ReturnType<typeof startTestS3>>;
  let api: string;
  let nodes: { readonly instance: Instance; readonly httpPort: number; readonly rtmpPort: number }[];
  let key: string;
  let input: { id: string; streamKey: string; ingest: { rtmp: string } };
  let streamId: string;

  before(async () => {
    [database, s3] = await Promise.all([createTestDatabase(), startTestS3()]);
    const port = await freePort();
    const ports = await Promise.all([0, 1].map(async () => ({ http: await freePort(), rtmp: await freePort() })));
    api = `http://localhost:${port}`;
    const shared = {
      DATABASE_URL: database.url,
      SANDBOX: 'prefer',
      SECRET_KEY: randomBytes(32).toString('base64'),
      ...{ BASE_URL: api, HOST: '127.0.0.1', RTMP_URL: `rtmp://127.0.0.1:${ports[0]?.rtmp}/live`, STORAGE: 's3' },
      ...{ S3_ENDPOINT: s3.settings.endpoint ?? '', S3_REGION: s3.settings.region, S3_BUCKET: s3.settings.bucket },
      ...{ S3_ACCESS_KEY_ID: s3.settings.accessKeyId, S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey },
    };
    const start = (role: string, name: string, env: Record<string, string> = {}) => {
      const instance = startInstance(role, { ...shared, DATA_DIR: join(folder, name), ...env });
      instances.push(instance);
      return instance;
    };
    start('api', 'api', { PORT: `${port}` });
    start('worker', 'worker');
    nodes = ports.map(({ http, rtmp }, index) => ({
      instance: start('live', `live${index}`, { PORT: `${http}`, RTMP_PORT: `${rtmp}` }),
      ...{ httpPort: http, rtmpPort: rtmp },
    }));
    await Promise.all(instances.map(untilStarted));
    const flags = ['--email', 'owner@example.com', '--username', 'owner', '--plan', 'CREATOR_PLUS', '--api-key'];
    key = admin({ ...shared, DATA_DIR: join(folder, 'admin') }, 'create-account', ...flags).apiKey ?? '';
    ({ liveInput: input } = (
      await ask<{ createLiveInput: { liveInput: typeof input } }>(CREATE_INPUT)
    ).createLiveInput);
  });

  after(async () => {
    for (const encoder of encoders) encoder.kill('SIGKILL');
    await Promise.all(instances.map((instance) => instance.end()));
    await s3?.close();
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is offered by an API that does not receive it, part by part', async () => {
    assert.equal(input.ingest.rtmp, `rtmp://127.0.0.1:${nodes[0]?.rtmpPort}/live`);
    publishTo(0);
    await untilState('LIVE');
    streamId = (await inputState()).currentStream?.id ?? '';
    const [, part = ''] = /URI="(seg-\d+\.\d+\.m4s)"/.exec(await playlist()) ?? [];
    const bytes = Buffer.from(await (await ok(new URL(part, await address()).href)).arrayBuffer());
    assert.equal(bytes.toString('latin1', 4, 8), 'moof');
    const [, next = ''] = /PRELOAD-HINT:TYPE=PART,URI="seg-(\d+)\./.exec(await playlist()) ?? [];
    const waited = await (await ok(`${await address()}?_HLS_msn=${Number(next)}&_HLS_part=0`)).text();
    assert.match(waited, new RegExp(`URI="seg-${next}\\.0\\.m4s"`));
  });

  it('goes on through another process after the first one was killed', async () => {
    await nodes[0]?.instance.end('SIGKILL');
    await untilState('RECONNECTING');
    await until(async () => (await fetch(await address())).ok, 'what is stored is not offered');
    publishTo(1);
    await untilState('LIVE');
    assert.equal((await inputState()).currentStream?.id, streamId);
    let text = '';
    await until(
      async () => {
        text = await fetch(await address()).then((response) => response.text());
        return /#EXT-X-DISCONTINUITY\n[\s\S]*URI="seg-\d+\.\d+\.m4s"/.test(text);
      },
      () => `there are no parts after the interruption:\n${text}`,
    );
    assert.match(text, /\nseg-00000\.m4s\n/);
  });

  it('is recorded at the same address', async () => {
    await ask(END, { id: streamId });
    await until(async () => (await stream()).broadcast.state === 'RECORDED', 'it is not recorded');
    assert.match(await playlist(), /#EXT-X-ENDLIST/);
  });

  it('has processes that answer probes and end on request', async () => {
    const [, node] = nodes;
    assert.ok(node);
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${node.httpPort}${path}`)).status;
    assert.deepEqual(await Promise.all(['/healthz', '/readyz', '/graphql', '/'].map(ask)), [200, 200, 404, 404]);
    assert.equal(await node.instance.end(), 0);
  });

  async function ask<Data>(query: string, variables: object = {}): Promise<Data> {
    const { body } = await graphql(api, key, query, variables);
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    return body.data as Data; // the caller declares the type of its document
  }

  async function inputState(): Promise<{ state: string; currentStream: { id: string } | null }> {
    return (await ask<{ node: { state: string; currentStream: { id: string } | null } }>(INPUT, { id: input.id })).node;
  }

  async function untilState(state: string): Promise<void> {
    await until(
      async () => (await inputState()).state === state,
      () => `the input was never ${state}:\n${instances.map((each) => each.output().slice(-2_000)).join('\n')}`,
    );
  }

  async function stream() {
    type Data = { stream: { broadcast: { state: string }; outputAssets: { video: { hls: string } } } };
    return (await ask<Data>(STREAM, { id: streamId })).stream;
  }

  /** Of the playlist of the pictures. */
  async function address(): Promise<string> {
    return (await stream()).outputAssets.video.hls.replace('master.m3u8', 'live/video/index.m3u8');
  }

  async function playlist(): Promise<string> {
    return (await ok(await address())).text();
  }

  /** An encoder of 25 pictures a second with a keyframe every two seconds. */
  function publishTo(node: number): void {
    const source = ['-re', '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25', '-re', '-f', 'lavfi', '-i', 'sine=r=48000'];
    const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-c:a', 'aac'];
    const target = `rtmp://127.0.0.1:${nodes[node]?.rtmpPort}/live/${input.streamKey}`;
    encoders.push(spawn('ffmpeg', ['-v', 'error', ...source, ...codecs, '-f', 'flv', target], { stdio: 'ignore' }));
  }
});

async function ok(url: string): Promise<Response> {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  return response;
}
