import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../../server/src/platform/db/testing.ts';
import { startTestS3 } from '../../server/src/platform/storage/testing.ts';
import { until } from '../../server/src/testing/until.ts';
import { makeClip } from '../support/clips.ts';
import { admin, hasDescendant, type Instance, startInstance, untilStarted } from '../support/instances.ts';
import { graphql } from '../support/steps.ts';

const ACCOUNT = { email: 'owner@example.com', username: 'owner', password: 'a few words in a row' };
const WAIT = `mutation ($input: WaitForProcessingInput!) { waitForProcessing(input: $input) { status error } }`;
const STATE =
  'query ($id: DID!) { content(id: $id) { status transcodeJob { status progress } outputAssets { video ' +
  '{ hls download } } } }';

/** Two APIs and two workers, each with its own folder, with one PostgreSQL and one object store. */
describe('many machines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-machines-'));
  const instances: Instance[] = [];
  let database: TestDatabase;
  let s3: Awaited<ReturnType<typeof startTestS3>>;
  let shared: Record<string, string>;
  let apis: string[];
  let workers: Instance[];
  let key: string;
  let contentId: string;

  before(async () => {
    [database, s3] = await Promise.all([createTestDatabase(), startTestS3()]);
    const ports = [await freePort(), await freePort()];
    apis = ports.map((port) => `http://localhost:${port}`);
    shared = {
      DATABASE_URL: database.url,
      SANDBOX: 'prefer',
      SECRET_KEY: randomBytes(32).toString('base64'),
      BASE_URL: apis[0] ?? '',
      HOST: '127.0.0.1',
      STORAGE: 's3',
      S3_ENDPOINT: s3.settings.endpoint ?? '',
      S3_REGION: s3.settings.region,
      S3_BUCKET: s3.settings.bucket,
      S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
    };
    const apiInstances = ports.map((port, n) => start('api', `api${n}`, { PORT: String(port) }));
    workers = [0, 1].map((n) => start('worker', `worker${n}`));
    await Promise.all([...apiInstances, ...workers].map(untilStarted));
    const flags = ['--email', ACCOUNT.email, '--username', ACCOUNT.username, '--password', ACCOUNT.password];
    key =
      admin(
        { ...shared, DATA_DIR: join(folder, 'admin') },
        'create-account',
        ...flags,
        '--plan',
        'CREATOR_PLUS',
        '--api-key',
      ).apiKey ?? '';
  });

  after(async () => {
    await Promise.all(instances.map((instance) => instance.end()));
    await s3?.close();
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('accept an upload in halves through both APIs', async () => {
    const clip = readFileSync(makeClip(folder, 'clip.mp4', 80, '640x360'));
    const input = { title: 'From everywhere', filename: 'clip.mp4', size: clip.length, publish: true };
    const publish =
      'mutation ($input: PublishVideoInput!) ' +
      '{ publishVideo(input: $input) { content { id } upload { endpoint } } }';
    const { publishVideo } = await ask<{ publishVideo: { content: { id: string }; upload: { endpoint: string } } }>(
      0,
      publish,
      { input },
    );
    contentId = publishVideo.content.id;
    const { pathname } = new URL(publishVideo.upload.endpoint);
    const half = Math.floor(clip.length / 2);
    assert.equal(await patch(0, pathname, 0, clip.subarray(0, half)), half);
    const head = await fetch(at(1, pathname), { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
    assert.equal(head.headers.get('upload-offset'), String(half), 'the other API knows the offset of the upload');
    assert.equal(await patch(1, pathname, half, clip.subarray(half)), clip.length);
  });

  it('share the parts of a video, and finish those of a worker that was killed', async (t) => {
    await until(
      () => workers.every((worker) => hasDescendant(pidOf(worker), 'ffmpeg')),
      () => 'both workers do not encode at the same time',
    );
    const begun = performance.now();
    await workers[0]?.end('SIGKILL');
    const { waitForProcessing } = await ask<{ waitForProcessing: object }>(1, WAIT, {
      input: { contentId, timeoutSeconds: 120 },
    });
    assert.deepEqual(waitForProcessing, { status: 'COMPLETE', error: null });
    t.diagnostic(`complete ${((performance.now() - begun) / 1_000).toFixed(1)} s after a worker was killed`);
    assert.equal((await state(1)).status, 'PUBLISHED');
  });

  it('play the video through the other API', async () => {
    const { hls } = (await state(1)).outputAssets?.video ?? {};
    const master = at(1, new URL(hls ?? '').pathname);
    const playlist = (await text(master)).split('\n').find((line) => /\.m3u8$/.test(line));
    assert.ok(playlist, 'the master playlist names a media playlist');
    const media = new URL(playlist, master).href;
    const lines = (await text(media)).split('\n');
    const init = /#EXT-X-MAP:URI="([^"]+)"/.exec(lines.join('\n'))?.[1];
    const segment = lines.find((line) => line !== '' && !line.startsWith('#'));
    assert.ok(init && segment, 'the media playlist names an init section and segments');
    const initBytes = Buffer.from(await (await ok(new URL(init, media).href)).arrayBuffer());
    assert.equal(initBytes.toString('latin1', 4, 8), 'ftyp');
    const whole = Buffer.from(await (await ok(new URL(segment, media).href)).arrayBuffer());
    const part = await fetch(new URL(segment, media), { headers: { range: 'bytes=100-299' } });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), `bytes 100-299/${whole.length}`);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(100, 300));
  });

  it('let the owner download it through the other API, with ranges', async () => {
    const { download } = (await state(0)).outputAssets?.video ?? {};
    const file = at(1, new URL(download ?? '').pathname);
    const result = await ok(file);
    assert.match(result.headers.get('content-disposition') ?? '', /^attachment; filename\*=UTF-8''.+\.mp4$/);
    const whole = Buffer.from(await result.arrayBuffer());
    assert.equal(whole.toString('latin1', 4, 8), 'ftyp');
    const rest = await fetch(file, { headers: { range: 'bytes=1000-' } });
    assert.equal(rest.headers.get('content-range'), `bytes 1000-${whole.length - 1}/${whole.length}`);
    assert.deepEqual(Buffer.from(await rest.arrayBuffer()), whole.subarray(1000));
  });

  it('refuse the old key everywhere once one has returned the new one', async () => {
    const origin = new URL(apis[0] ?? '').origin;
    const headers = { 'content-type': 'application/json', origin };
    const { email, password } = ACCOUNT;
    const signedIn = await fetch(at(0, '/api/auth/sign-in/email'), {
      method: 'POST',
      headers,
      body: JSON.stringify({ email, password }),
    });
    assert.equal(signedIn.status, 200);
    const cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    assert.deepEqual(await verify(1, key), { status: 200, code: undefined }, 'the key is warm on the other API');
    const query = 'mutation { regenerateApiKey { key } }';
    const result = await fetch(at(0, '/graphql'), {
      method: 'POST',
      headers: { ...headers, cookie },
      body: JSON.stringify({ query }),
    });
    const { data } = (await result.json()) as { data: { regenerateApiKey: { key: string } } }; // as selected
    assert.deepEqual(await verify(1, key), { status: 401, code: 'UNAUTHENTICATED' });
    assert.deepEqual(await verify(1, data.regenerateApiKey.key), { status: 200, code: undefined });
  });

  it('refuse a process with another SECRET_KEY', async () => {
    const stranger = start('api', 'stranger', { PORT: '0', SECRET_KEY: randomBytes(32).toString('base64') });
    const status = await new Promise((resolve) => stranger.child.once('close', resolve));
    assert.equal(status, 1);
    assert.match(
      stranger.output(),
      /SECRET_KEY is not the one this database was created with: give every instance the same SECRET_KEY/,
    );
    assert.deepEqual(stranger.output().match(/\n\s+at /g), null, 'a message without a stack trace');
  });

  it('log every request before they end', async () => {
    for (let n = 0; n < 100; n += 1) await fetch(at(1, `/nothing/here/${n}`));
    const [, api] = instances;
    assert.equal(await api?.end(), 0);
    const logged = api?.output().match(/"path":"\/nothing\/here\/\d+"/g) ?? [];
    assert.deepEqual(
      logged,
      Array.from({ length: 100 }, (_, n) => `"path":"/nothing/here/${n}"`),
    );
  });

  function start(role: string, name: string, env: Record<string, string> = {}): Instance {
    const instance = startInstance(role, { ...shared, DATA_DIR: join(folder, name), ...env });
    instances.push(instance);
    return instance;
  }

  function at(api: number, path: string): string {
    return `${apis[api]}${path}`;
  }

  async function ask<Data>(api: number, query: string, variables: object): Promise<Data> {
    const { body } = await graphql(apis[api] ?? '', key, query, variables);
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    return body.data as Data; // the caller declares the type of its document
  }

  async function state(api: number): Promise<ContentState> {
    return (await ask<{ content: ContentState }>(api, STATE, { id: contentId })).content;
  }

  async function verify(api: number, candidate: string): Promise<{ status: number; code: unknown }> {
    const { status, body } = await graphql(apis[api] ?? '', candidate, '{ verifyConnection { authenticated } }');
    return { status, code: body.errors?.[0]?.extensions.code };
  }

  /** Sends one chunk with tus; returns the new offset. */
  async function patch(api: number, path: string, offset: number, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    };
    const response = await fetch(at(api, path), { method: 'PATCH', headers, body: bytes });
    assert.equal(response.status, 204, await response.text());
    return Number(response.headers.get('upload-offset'));
  }
});

interface ContentState {
  readonly status: string;
  readonly transcodeJob: { readonly status: string; readonly progress: number } | null;
  readonly outputAssets: { readonly video: { readonly hls: string | null; readonly download: string | null } } | null;
}

function pidOf(instance: Instance | undefined): number {
  assert.ok(instance?.child.pid);
  return instance.child.pid;
}

async function ok(url: string): Promise<Response> {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  return response;
}

async function text(url: string): Promise<string> {
  return (await ok(url)).text();
}
