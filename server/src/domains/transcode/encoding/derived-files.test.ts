import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { StorageFullError } from '../../../kernel/errors.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { GuardedFetch } from '../../../platform/fetch/guarded-fetch.ts';
import { decideAfterFailure } from '../../../platform/jobs/job.ts';
import type { SpaceReading } from '../../../platform/storage/storage-space.ts';
import { watchSpace } from '../../assets/space-monitor.ts';
import { makeContent } from '../../assets/testing.ts';
import { fetchSource } from '../../ingest/remote/fetch-source.handler.ts';
import { openTestProcessing, type TestProcessing } from './processing.fixture.ts';

const GIB = 1024 ** 3;
const ROOM: SpaceReading = { kind: 'disk', totalBytes: 100 * GIB, freeBytes: 50 * GIB, reserveBytes: 10 * GIB };

describe('derived files of a video', () => {
  let fixture: TestProcessing;
  let reading: SpaceReading | null = ROOM;
  before(async () => {
    // Without a worker: the test runs each attempt.
    fixture = await openTestProcessing({
      space: { read: async () => reading, receivedBytes: async () => 0 },
      work: false,
    });
  });
  after(() => fixture.close());

  const rowOf = (jobId: string) =>
    fixture.platform.db.first<object>(
      sql(
        'job_and_video',
        'select status, error_code as error, attempts, reserved_bytes as reserved from transcode_jobs where id = $1',
      ),
      [jobId],
    );
  const derivedOf = (assetId: string) =>
    fixture.platform.db.first<{ bytes: number; files: number }>(
      sql('derived_of', 'select derived_bytes as bytes, derived_files as files from video_assets where id = $1'),
      [assetId],
    );

  /** A second of audio in which no packet can be decoded. */
  async function brokenSound(title: string): Promise<Buffer> {
    const folder = await mkdtemp(join(tmpdir(), 'broken-sound-'));
    try {
      await fixture.runner.prepareWorkDir(join(folder, 'work'));
      const args = ['-f', 'lavfi', '-i', 'sine=d=1', '-c:a', 'aac', '-metadata', `title=${title}`, 'x.mp4'];
      const limits = { cpuSeconds: 20, memoryBytes: 4 * GIB, outputBytes: GIB, wallMs: 20_000 };
      await fixture.runner.run('ffmpeg', args, { cwd: join(folder, 'work'), limits });
      const bytes = await readFile(join(folder, 'work', 'x.mp4'));
      const data = bytes.indexOf('mdat');
      return bytes.fill(0xff, data + 4, data - 4 + bytes.readUInt32BE(data - 4));
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it('are measured exactly, and reserved while they are created', THOROUGH, async () => {
    reading = ROOM;
    const video = await fixture.upload(fixture.clip);
    const jobId = await fixture.submit(video.contentId);
    let promised: object | null = null;
    fixture.onStore = async () => {
      promised ??= await rowOf(jobId);
    };
    await fixture.process(jobId);
    fixture.onStore = async () => {};
    // 32 MiB for small files, and a second at 120 kbit/s of picture, 80 of sound and 8.8 of indexes.
    assert.deepEqual(promised, { status: 'TRANSCODING', error: null, attempts: 1, reserved: 33_580_532 });
    const stored: { key: string; sizeBytes: number }[] = [];
    for await (const object of fixture.platform.store.list(`media/${video.contentId}/`)) stored.push(object);
    assert.ok(stored.length > 8);
    assert.deepEqual(await derivedOf(video.assetId), {
      bytes: stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      files: stored.length,
    });
    assert.deepEqual(await rowOf(jobId), { status: 'COMPLETE', error: null, attempts: 1, reserved: 33_580_532 });
  });

  it('wait for free space: the job is requeued repeatedly, and continues when there is space', THOROUGH, async () => {
    const video = await fixture.upload(fixture.clip);
    const jobId = await fixture.submit(video.contentId);
    reading = { ...ROOM, freeBytes: 10 * GIB };
    for (let tries = 0; tries < 3; tries += 1) await assert.rejects(fixture.process(jobId), StorageFullError);
    assert.deepEqual(
      await rowOf(jobId),
      { status: 'QUEUED', error: null, attempts: 0, reserved: 0 },
      'no free space: no attempt',
    );
    reading = { ...ROOM, freeBytes: 10 * GIB + 1024 ** 2 };
    await assert.rejects(fixture.process(jobId), StorageFullError);
    assert.deepEqual(
      await rowOf(jobId),
      { status: 'QUEUED', error: null, attempts: 1, reserved: 0 },
      'too little free space',
    );
    assert.deepEqual(await fixture.keys(`media/${video.contentId}/`), []);
    assert.equal((await fixture.contentRow(video.contentId)).status, 'PROCESSING');
    reading = ROOM;
    await fixture.process(jobId);
    assert.deepEqual(await fixture.jobRow(jobId), {
      status: 'COMPLETE',
      attempts: 2,
      error_code: null,
      deployed: true,
    });
  });

  it('stop and wait when the disk fills up', THOROUGH, async () => {
    const video = await fixture.upload(fixture.clip);
    const jobId = await fixture.submit(video.contentId);
    let looks = 0;
    const full: SpaceReading = { ...ROOM, freeBytes: 4 * GIB };
    const space = { read: async () => (++looks > 3 ? full : ROOM), receivedBytes: async () => 0 };
    await fixture.process(jobId, { ...fixture.platform, space });
    assert.equal((await fixture.jobRow(jobId)).status, 'TRANSCODING');
    const waiting = await fixture.platform.db.run(
      sql(
        'waiting_chunks',
        `select kind, state, failures, round(extract(epoch from available_at - now()) / 10) * 10 as seconds
         from encode_chunks where job_id = $1 order by kind`,
      ),
      [jobId],
    );
    assert.deepEqual(waiting, [
      { kind: 'audio', state: 'WAITING', failures: 0, seconds: 60 },
      { kind: 'video', state: 'WAITING', failures: 0, seconds: 60 },
    ]);
    assert.deepEqual(await fixture.keys(`media/${video.contentId}/`), []);
    await fixture.platform.db.run(sql('at_once', 'update encode_chunks set available_at = now()'), []);
    await fixture.process(jobId);
    assert.equal((await fixture.jobRow(jobId)).status, 'COMPLETE');
  });

  it('fail when the file repeatedly reports a full disk that has space', THOROUGH, async () => {
    const refuse = async () => {
      throw new StorageFullError();
    };
    const ended = watchSpace(
      { read: async () => ROOM, receivedBytes: async () => 0 },
      new AbortController().signal,
      refuse,
    );
    const error: unknown = await ended.catch((thrown: unknown) => thrown);
    assert.deepEqual(decideAfterFailure(error, 0, 3), { kind: 'again', afterSeconds: 2, counted: true });
    assert.equal(decideAfterFailure(error, 3, 3).kind, 'give-up');
    const full = { ...ROOM, freeBytes: ROOM.reserveBytes - 1 };
    const waits = watchSpace(
      { read: async () => full, receivedBytes: async () => 0 },
      new AbortController().signal,
      refuse,
    );
    await assert.rejects(waits, StorageFullError);
  });

  it('of a damaged file titled like a full-disk message fail after it was decoded whole', THOROUGH, async () => {
    reading = ROOM;
    const video = await fixture.upload(await brokenSound('No space left on device'));
    const jobId = await fixture.submit(video.contentId);
    for (let round = 0; round < 2; round += 1) await fixture.process(jobId);
    assert.deepEqual(await fixture.jobRow(jobId), {
      status: 'ERROR',
      attempts: 2,
      error_code: 'TRANSCODE_FAILED',
      deployed: false,
    });
  });

  it('are not fetched without free space: the declared size is reserved first, and released', async () => {
    reading = ROOM;
    const { contentId, channelId } = await makeContent(fixture.platform);
    const jobId = await fixture.fetchInto({ contentId, channelId }, 'https://example.com/video.mp4');
    const sent: string[] = [];
    let promised: object | null = null;
    const fetch: GuardedFetch = async (url) => {
      const body = async function* () {
        promised = await rowOf(jobId);
        sent.push(url);
        yield fixture.clip;
      };
      return { stream: Readable.from(body()), sizeBytes: fixture.clip.length, contentType: null, url };
    };
    const payload = { jobId, url: 'https://example.com/video.mp4', hint: 'LANDSCAPE_VIDEO', maxBytes: GIB };
    const once = () =>
      fetchSource({ platform: fixture.platform, fetch }, payload, { signal: new AbortController().signal, attempt: 1 });
    reading = { ...ROOM, freeBytes: 10 * GIB + fixture.clip.length - 1 };
    await assert.rejects(once(), StorageFullError);
    assert.deepEqual(await rowOf(jobId), { status: 'QUEUED', error: null, attempts: 1, reserved: 0 });
    assert.deepEqual(sent, [], 'nothing was read');
    assert.equal(await fixture.platform.store.head(`sources/${jobId}`), null);
    reading = { ...ROOM, freeBytes: 10 * GIB + fixture.clip.length };
    await once();
    assert.deepEqual(promised, { status: 'QUEUED', error: null, attempts: 2, reserved: fixture.clip.length });
    assert.deepEqual(await rowOf(jobId), { status: 'QUEUED', error: null, attempts: 2, reserved: 0 });
    assert.equal((await fixture.platform.store.head(`sources/${jobId}`))?.sizeBytes, fixture.clip.length);
  });

  it('are refused above the plan’s limit, with nothing written', async () => {
    reading = ROOM;
    const video = await fixture.upload(fixture.clip);
    await fixture.platform.db.run(sql('used_up', 'update video_assets set derived_bytes = $2 where id = $1'), [
      video.assetId,
      200 * GIB,
    ]);
    const jobId = await fixture.submit(video.contentId);
    await fixture.process(jobId);
    assert.deepEqual(await fixture.jobRow(jobId), {
      status: 'ERROR',
      attempts: 1,
      error_code: 'TRANSCODE_FAILED',
      deployed: false,
    });
    assert.deepEqual(await fixture.keys(`media/${video.contentId}/`), []);
  });
});
