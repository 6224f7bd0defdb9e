import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import type { Runner } from '../../../media/index.ts';
import { readClip } from '../../../media/testing.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/statement.ts';
import { Attempts } from '../../../platform/jobs/attempts.ts';
import { mediaAddress } from '../../assets/media-address.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { mediaRoutes } from '../../delivery/media.routes.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { openTestProcessing, type TestProcessing } from '../encoding/processing.fixture.ts';
import { encodeClaimedSound, workOf } from './copied-sound.ts';
import { makePlayable } from './make-playable.handler.ts';
import { claimSound } from './sound-segments.store.ts';

const RUN = { signal: new AbortController().signal, attempt: 1 };
const DAY_MS = 86_400_000;
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=5:d=8', '-f', 'lavfi', '-i', 'sine=d=8:r=48000'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20'];

describe('a video whose sound browsers cannot play', () => {
  let fixture: TestProcessing;
  let server: { address: string; close(): Promise<void> };
  let video: Awaited<ReturnType<TestProcessing['upload']>>;
  let jobId: string;
  let prefix: string;
  before(async () => {
    // Without workers: tests decide when each job runs.
    fixture = await openTestProcessing({ work: false, instant: true });
    server = await serveAssetRoutes(mediaRoutes(fixture.platform));
    video = await fixture.upload(await readClip(fixture.runner, 'ac3.mp4', [...PICTURE, ...H264, '-c:a', 'ac3']));
    jobId = await fixture.submit(video.contentId);
    await makePlayable(tools(), video.assetId, RUN);
    prefix = `media/${video.contentId}/${video.assetId}/copy-1-on-demand/audio/`;
  });
  after(async () => {
    await server.close();
    await fixture.close();
  });

  const tools = () => ({ platform: fixture.platform, runner: fixture.runner });
  const rows = (text: string) => fixture.platform.db.run<Record<string, unknown>>(sql('test', text), []);
  const wanted = () => rows('select number, state from sound_segments order by number');
  function fetchMedia(key: string): Promise<Response> {
    const { secrets, clock } = fixture.platform;
    return fetch(mediaAddress({ baseUrl: server.address, secrets, nowMs: clock.now() }, key, false));
  }
  /** Encodes the segment that is wanted; false where none is. */
  async function encodeNext({ signal = RUN.signal, runner = fixture.runner } = {}): Promise<boolean> {
    const claimed = await claimSound(fixture.platform.db);
    if (claimed) await encodeClaimedSound({ ...tools(), runner }, claimed, signal);
    return claimed !== null;
  }

  it('is playable with its picture as it was uploaded and its first sound, and has no other files', async () => {
    const asset = await fixture.assetRow(video.assetId);
    assert.deepEqual(asset.renditions, ['copy-1/video', 'copy-1-on-demand/audio']);
    const master = await (await fetchMedia(`media/${video.contentId}/${video.assetId}/master.m3u8`)).text();
    assert.match(master, /CODECS="avc1\.\w{6},mp4a\.40\.2",RESOLUTION=64x64[\s\S]*\ncopy-1\/video\//);
    const playlist = await (await fetchMedia(`${prefix}index.m3u8`)).text();
    assert.deepEqual(playlist.match(/seg-\d+/g), ['seg-00000', 'seg-00001']);
    assert.deepEqual(
      [(await fetchMedia(`${prefix}init.mp4`)).status, (await fetchMedia(`${prefix}seg-00000.m4s`)).status],
      [200, 200],
    );
    assert.deepEqual(await wanted(), []);
    const { problems } = await verifyMedia(fixture.platform, { repair: false, graceMs: 0 });
    assert.deepEqual(problems, []);
  });

  it('has a segment encoded once for all who request it, and sends it from the store from then on', async () => {
    const requests = Promise.all([1, 2, 3].map(() => fetchMedia(`${prefix}seg-00001.m4s`)));
    await fixture.eventually(encodeNext, 'the segment is not wanted');
    const responses = await requests;
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200],
    );
    const bodies = await Promise.all(responses.map(async (response) => Buffer.from(await response.arrayBuffer())));
    assert.ok(bodies.every((body) => body.length > 1000 && body.equals(bodies[0] ?? body)));
    assert.deepEqual(await wanted(), [{ number: 1, state: 'DONE' }]);
    assert.equal(await encodeNext(), false);
    assert.equal((await fetchMedia(`${prefix}seg-00001.m4s`)).status, 200);
  });

  it('encodes nothing for requests that are refused, or of segments that there are not', async () => {
    assert.equal((await fetch(`${server.address}/${prefix}seg-00001.m4s`)).status, 404, 'unsigned');
    for (const name of ['seg-00002.m4s', 'seg-99999.m4s', 'sound.json', '1.m4s'])
      assert.equal((await fetchMedia(prefix + name)).status, 404, name);
    assert.deepEqual(await wanted(), [{ number: 1, state: 'DONE' }]);
  });

  /** A process takes the segment that is wanted, and dies. */
  async function die(): Promise<void> {
    const { db, log } = fixture.platform;
    const died = new Attempts(db, log);
    const claimed = await claimSound(db);
    assert.ok(claimed);
    await died.begin(workOf(claimed), RUN.signal);
    await died.stop();
    await rows(`update work_processes p set has_stopped = false, seen_at = now() - interval '10 seconds'
      from work_attempts a where a.process_id = p.id and a.work like 'encode-sound %' and a.outcome is null`);
  }
  /** Ends leases and pauses, which the test does not wait for. */
  const untilClaimable = () => rows('update sound_segments set available_at = now()');
  const segment = async () => (await rows('select state, failures from sound_segments where number = 1'))[0];

  it('has a segment encoded after the workers that had it died, and does not count these as failures', async () => {
    await fixture.platform.store.delete(`${prefix}seg-00001.m4s`);
    const response = fetchMedia(`${prefix}seg-00001.m4s`);
    await fixture.eventually(async () => (await segment())?.state === 'WAITING', 'the segment is not wanted');
    for (let death = 0; death < 4; death += 1) {
      await die();
      assert.deepEqual(await segment(), { state: 'RUNNING', failures: 0 });
      assert.equal(await encodeNext(), false, 'while its lease lasts');
      await untilClaimable();
    }
    // After an interruption that is not the first one it waits.
    while ((await segment())?.state !== 'DONE') {
      assert.ok(await encodeNext());
      await untilClaimable();
    }
    assert.equal((await response).status, 200);
    assert.deepEqual(await segment(), { state: 'DONE', failures: 0 });
  });

  it('gives a segment back where the worker stops, and gives it up after three failures', async () => {
    await fixture.platform.store.delete(`${prefix}seg-00001.m4s`);
    const response = fetchMedia(`${prefix}seg-00001.m4s`);
    await fixture.eventually(async () => (await segment())?.state === 'WAITING', 'the segment is not wanted');
    assert.ok(await encodeNext({ signal: AbortSignal.abort() }));
    assert.deepEqual(await segment(), { state: 'WAITING', failures: 0 });
    const run: Runner['run'] = async () => {
      throw new Error('for the test');
    };
    for (const failures of [1, 2, 3]) {
      assert.ok(await encodeNext({ runner: { ...fixture.runner, run } }));
      assert.deepEqual(await segment(), { state: 'WAITING', failures });
    }
    assert.equal(await encodeNext(), false);
    assert.equal((await response).status, 404);
    await rows('delete from sound_segments');
  });

  it('has its sound for another day once it is encoded', THOROUGH, async () => {
    await fixture.process(jobId);
    const { renditions } = await fixture.assetRow(video.assetId);
    assert.ok(renditions.length > 1 && !renditions.includes('copy-1-on-demand/audio'), renditions.join());
    const response = fetchMedia(`${prefix}seg-00001.m4s`);
    await fixture.eventually(encodeNext, 'the segment is not wanted');
    assert.equal((await response).status, 200, 'for who began to play before');
    const nowMs = fixture.platform.clock.now() + 2 * DAY_MS;
    await sweepObjects({
      platform: { ...fixture.platform, clock: new ManualClock(nowMs) },
      receiving: fixture.platform.receiving,
    });
    assert.deepEqual(await fixture.keys(prefix), []);
    assert.equal((await fetchMedia(`${prefix}seg-00001.m4s`)).status, 404);
  });
});
