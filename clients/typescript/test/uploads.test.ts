import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, before, describe, it } from 'node:test';
import { makePaddedClip } from '../../../e2e/support/clips.ts';
import { until } from '../../../server/src/testing/until.ts';
import {
  type Client,
  createClient,
  type ProcessingProgress,
  streamSource,
  type UploadProgress,
  type UploadSource,
} from '../src/index.ts';
import { openFile } from '../src/node/index.ts';
import type { Fault, Seen } from './faulty-proxy.fixture.ts';
import { sharedTestPlatform } from './platform.fixture.ts';

const platform = sharedTestPlatform();
let client: Client;
/** No video, so that nothing is encoded where only the bytes count. */
let path = '';
const bytes = Buffer.alloc(600_000, 'no video, ');
const QUICK = { baseDelayMs: 20, maxDelayMs: 100 };
const CHUNK = 64 * 1024;
before(async () => {
  client = createClient({ url: platform.url, key: platform.key, retry: QUICK });
  path = join(platform.folder, 'clip.mp4');
  writeFileSync(path, bytes);
});
afterEach(() => platform.proxy.reset());

const isPatch = ({ method }: Seen) => method === 'PATCH';
const sentBytes = (seen: readonly Seen[]) =>
  seen.filter(isPatch).map(({ headers }) => Number(headers['upload-offset']));

/** What the platform received of a content's file. */
async function storedBytes(contentId: string): Promise<number> {
  const text =
    'query ($id: DID!) { content(id: $id) { assets { videos(first: 1) { edges { node { sizeBytes } } } } } }';
  interface Found {
    content: { assets: { videos: { edges: { node: { sizeBytes: number } }[] } } };
  }
  const { content } = await client.request<Found>(text, { id: contentId });
  return content.assets.videos.edges[0]?.node.sizeBytes ?? 0;
}

describe('an upload', () => {
  it('creates, uploads, waits, publishes and reports progress', async () => {
    const video = makePaddedClip(platform.folder, 'video.mp4');
    const { size } = statSync(video);
    const progress: (UploadProgress | ProcessingProgress)[] = [];
    const options = {
      title: 'Whole',
      publish: true,
      maxChunkBytes: CHUNK,
      onProgress: (one: UploadProgress | ProcessingProgress) => progress.push(one),
    };
    const { contentId, processing } = await client.upload(await openFile(video), options);
    assert.equal(processing?.status, 'COMPLETE');
    // The consumer that publishes reads the log, which other tests on the same PostgreSQL may delay.
    await until(
      async () => (await client.content({ id: contentId })).status === 'PUBLISHED',
      () => 'it was never published',
    );
    assert.equal((await client.feature({ id: contentId })).metadata.title, 'Whole');
    const sent = progress.flatMap((one) => (one.phase === 'uploading' ? [one] : []));
    assert.equal(sent[0]?.sentBytes, 0);
    assert.deepEqual([sent.at(-1)?.sentBytes, sent.at(-1)?.totalBytes, sent.at(-1)?.remainingSeconds], [size, size, 0]);
    assert.ok(
      sent.length > 5 &&
        sent.slice(1).every((one, at) => one.sentBytes > (sent[at]?.sentBytes ?? 0) && one.bytesPerSecond > 0),
    );
    const last = progress.at(-1);
    assert.deepEqual(last?.phase === 'processing' && [last.contentId, last.status, last.percent], [
      contentId,
      'COMPLETE',
      100,
    ]);
  });

  for (const [name, file] of [
    ['a File, as a browser gives it', () => new File([bytes], 'clip.mp4', { type: 'video/mp4' })],
    ['a Blob', () => new Blob([bytes])],
    ['a stream', () => streamSource(new Blob([bytes]).stream(), { name: 'clip.mp4', sizeBytes: bytes.length })],
    ['an iterable', () => streamSource(chunks(), { name: 'clip.mp4', sizeBytes: bytes.length })],
  ] as const) {
    it(`accepts ${name}`, async () => {
      const { contentId, processing } = await client.upload(file(), { title: name, wait: false, maxChunkBytes: CHUNK });
      assert.equal(processing, null);
      assert.equal(await storedBytes(contentId), bytes.length);
    });
  }

  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
  }

  it('of a file that is not a video throws the reason', async () => {
    const file = new File(['this is no video'.repeat(100)], 'notes.mp4');
    await assert.rejects(client.upload(file, { title: 'Notes' }), { name: 'ProcessingError', status: 'ERROR' });
  });

  it('that the platform refuses throws its error', async () => {
    await assert.rejects(client.upload(new Blob([bytes]), { title: '' }), {
      code: 'FIELD_REQUIRED',
      field: 'input.title',
    });
  });
});

describe('an upload over a bad network', () => {
  const faults: readonly Fault[] = [
    { kind: 'lost request' },
    { kind: 'lost response' },
    { kind: 'broken body', afterBytes: 20_000 },
    { kind: 'response', status: 502, body: 'Bad gateway' },
    { kind: 'response', status: 503, headers: { 'retry-after': '0' } },
    { kind: 'response', status: 409 },
  ];
  for (const fault of faults) {
    it(`asks for the offset and continues there: ${JSON.stringify(fault)}`, async () => {
      for (let n = 0; n < 2; n += 1) platform.proxy.next(fault, isPatch);
      const file = streamSource(new Blob([bytes]).stream(), { name: 'clip.mp4', sizeBytes: bytes.length });
      const pauses: number[] = [];
      const onDisconnect = (_: unknown, pause: number) => void pauses.push(pause);
      const options = { title: 'Bad network', wait: false, maxChunkBytes: CHUNK, retry: QUICK, onDisconnect };
      const { contentId } = await client.upload(file, options);
      assert.ok(pauses.length === 2 && pauses.every((pause) => pause <= QUICK.maxDelayMs), `${pauses}`);
      assert.equal(await storedBytes(contentId), bytes.length);
      const seen = platform.proxy.take();
      assert.equal(seen.filter(({ method }) => method === 'HEAD').length, 3);
      const repeated = sentBytes(seen).filter((offset, at, all) => all.indexOf(offset) < at);
      assert.ok(repeated.length <= 2, `only what was not confirmed is sent again, not ${repeated}`);
    });
  }

  it('continues as long as it makes progress, however often the connection breaks', async () => {
    let kept = platform.receivedBytes();
    const arrived = async () => {
      await until(
        () => platform.receivedBytes() > kept,
        () => 'nothing arrives',
      );
      kept = platform.receivedBytes();
    };
    for (let n = 0; n < 8; n += 1) platform.proxy.next({ kind: 'broken body', afterBytes: 20_000, arrived }, isPatch);
    const options = {
      title: 'Broken again and again',
      wait: false,
      maxChunkBytes: CHUNK,
      retry: { ...QUICK, maxAttempts: 3 },
    };
    const { contentId } = await client.upload(new Blob([bytes]), options);
    assert.equal(await storedBytes(contentId), bytes.length);
    platform.proxy.take();
  });

  it('gives up without progress', async () => {
    for (let n = 0; n < 3; n += 1) platform.proxy.next({ kind: 'lost request' }, ({ method }) => method !== 'POST');
    const options = { title: 'Given up', wait: false, retry: { ...QUICK, maxAttempts: 3 } };
    await assert.rejects(client.upload(new Blob([bytes]), options), { name: 'NetworkError', reason: 'unreachable' });
  });
});

describe('an interrupted upload', () => {
  /** Sends about half of the file, then stops. */
  async function interrupted(file: UploadSource | Blob): Promise<string> {
    const stop = new AbortController();
    let token = '';
    const half = client.upload(file, {
      title: 'Interrupted',
      maxChunkBytes: CHUNK,
      signal: stop.signal,
      onStart: ({ resumeToken }) => {
        token = resumeToken;
      },
      onProgress: (progress) => {
        if (progress.phase === 'uploading' && progress.sentBytes > bytes.length / 2)
          stop.abort(new Error('the program ends'));
      },
    });
    await assert.rejects(half, /the program ends/);
    platform.proxy.take();
    return token;
  }

  it('is resumed by another program with the token, without the bytes already received', async () => {
    const resumeFrom = await interrupted(await openFile(path));
    const later = createClient({ url: platform.url, key: platform.key });
    const { contentId } = await later.upload(await openFile(path), {
      title: '',
      resumeFrom,
      wait: false,
      maxChunkBytes: CHUNK,
    });
    assert.equal(await storedBytes(contentId), bytes.length);
    assert.ok(sentBytes(platform.proxy.take()).every((offset) => offset > bytes.length / 2));
  });

  it('is not resumed with another file or an invalid token', async () => {
    const resumeFrom = await interrupted(new File([bytes], basename(path)));
    const shorter = new Blob([bytes.subarray(1)]);
    const changed = new Blob([bytes.subarray(0, -1), 'x']);
    for (const file of [shorter, changed])
      await assert.rejects(client.upload(file, { title: '', resumeFrom }), /is not the file/);
    await assert.rejects(
      client.upload(new Blob([bytes]), { title: '', resumeFrom: 'nonsense' }),
      /not an upload token/,
    );
    assert.equal(platform.proxy.take().length, 0);
  });

  it('cannot be resumed if it is unknown', async () => {
    const resumeFrom = (await interrupted(new Blob([bytes]))).replace(/uploads\/[^"]+/, 'uploads/unknown');
    await assert.rejects(client.upload(new Blob([bytes]), { title: '', resumeFrom }), {
      name: 'ReelgraphError',
      status: 404,
    });
  });
});
