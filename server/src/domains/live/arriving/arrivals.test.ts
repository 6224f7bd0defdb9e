import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestRunner } from '../../../media/testing.ts';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { findIngestion, type Ingestion } from '../../ingest/index.ts';
import { type LiveFixture, openLiveFixture } from '../live.fixture.ts';
import { Arrivals } from './arrivals.ts';
import { FASTSTART, makeFile, Sender, segmentsIn, type TestUpload } from './arriving.fixture.ts';
import { followArrivals } from './follow-arrivals.ts';

describe('the uploads of a process', { timeout: 120_000 }, () => {
  let live: LiveFixture;
  let sender: Sender;
  let anna: Person;
  let file: Buffer;
  let other: Buffer;
  before(async () => {
    // Uploads by HTTP are not played here.
    live = await openLiveFixture({ INSTANT_PLAYBACK: 'off' });
    sender = new Sender(live);
    anna = await live.api.person('anna');
    file = await makeFile({ name: 'holiday.mp4', args: FASTSTART });
    other = await makeFile({ name: 'other.mp4', args: FASTSTART, codecs: ['-vf', 'scale=160:90'] });
  });
  after(() => live.close());

  /** As another process has them, with the same database and store. */
  async function openArrivals(): Promise<Arrivals> {
    const { platform } = live.api;
    const config = { ...platform.config, INSTANT_PLAYBACK: 'on' as const };
    return new Arrivals({ ...platform, config, runner: await openTestRunner(), ffmpeg: 'ffmpeg' });
  }
  const ingestionOf = async ({ endpoint }: TestUpload): Promise<Ingestion> =>
    (await findIngestion(live.api.platform.db, endpoint.split('/uploads/')[1]?.slice(0, 36) ?? '')) ??
    assert.fail('there is one');
  /** Sends bytes by HTTP, and passes them on, as the process that receives them. */
  async function send(arrivals: Arrivals, upload: TestUpload, bytes: Buffer, from: number, to: number) {
    assert.equal((await sender.send(upload, bytes, from, to)).status, 204);
    const ingestion = await ingestionOf(upload);
    arrivals.bytes(ingestion, bytes.subarray(from, to), from);
    arrivals.stored(ingestion, to);
  }
  const segmentsOf = async ({ contentId }: TestUpload) =>
    live.api.rows<{ number: number; video_asset_id: string; video_seconds: number }>(
      `select s.* from arriving_segments s join video_assets v on v.id = s.video_asset_id where v.content_id = $1
       order by s.number`,
      [uuidOf(contentId)],
    );
  const untilSegments = (upload: TestUpload, count: number) =>
    until(async () => (await segmentsOf(upload)).length >= count, `there were never ${count} segments`);

  it('are not played while INSTANT_PLAYBACK is off', async () => {
    const upload = await sender.open(anna, file);
    const sent = await sender.begin(upload, file);
    await sender.finish(upload, file, sent);
    assert.equal((await sender.video(anna, upload)).playlistUrl, null);
    assert.deepEqual(await segmentsOf(upload), []);
  });

  it('are played on by another process, which reads what has arrived', async () => {
    const upload = await sender.open(anna, file);
    const [one, half] = [await openArrivals(), Math.floor(file.length / 2)];
    await send(one, upload, file, 0, half);
    await untilSegments(upload, 2);
    await one.close();
    const before = await segmentsOf(upload);
    const { playlistUrl } = await sender.video(anna, upload);
    const two = await openArrivals();
    await send(two, upload, file, half, Math.floor(0.9 * file.length));
    await untilSegments(upload, before.length + 2);
    const after = await segmentsOf(upload);
    assert.deepEqual(after.slice(0, before.length), before);
    assert.deepEqual(
      after.map(({ number, video_seconds }) => [number, video_seconds]),
      after.map((_, index) => [index, index < 2 ? 1 : 2]),
    );
    assert.ok(segmentsIn(await sender.playlist(playlistUrl)) >= after.length);
    await two.close();
  });

  it('begin again with another file where the first byte comes again', async () => {
    const upload = await sender.open(anna, file);
    const arrivals = await openArrivals();
    await send(arrivals, upload, file, 0, Math.floor(0.5 * file.length));
    await untilSegments(upload, 1);
    const first = await sender.video(anna, upload);
    assert.match(await live.text(first.playlistUrl), /RESOLUTION=320x180/);
    const ingestion = await ingestionOf(upload);
    const { receiving } = live.api.platform;
    const { Readable } = await import('node:stream');
    const { objectKey: key } = ingestion;
    const part = other.subarray(0, Math.floor(0.8 * other.length));
    const onBytes = (bytes: Buffer, offset: number) => arrivals.bytes(ingestion, bytes, offset);
    await receiving.append(key, Readable.from([part]), { offset: 0, sizeBytes: file.length, onBytes });
    arrivals.stored(ingestion, part.length);
    await until(async () => {
      const video = await sender.video(anna, upload);
      return video !== null && video.id !== first.id;
    }, 'the other file is never played');
    const second = await sender.video(anna, upload);
    assert.match(await live.text(second.playlistUrl), /RESOLUTION=160x90/);
    assert.equal((await fetch(first.playlistUrl)).status, 404);
    await arrivals.close();
  });

  it('are played two at a time of a channel; another one when there is a place', async () => {
    const arrivals = await openArrivals();
    const uploads = await Promise.all([1, 2, 3].map(() => sender.open(anna, file)));
    const [first, second, third] = uploads as [TestUpload, TestUpload, TestUpload];
    const half = Math.floor(0.5 * file.length);
    for (const upload of [first, second]) await send(arrivals, upload, file, 0, half);
    for (const upload of [first, second]) await untilSegments(upload, 1);
    await send(arrivals, third, file, 0, half);
    // Of those that are played, one goes on meanwhile.
    await send(arrivals, second, file, half, Math.floor(0.8 * file.length));
    await untilSegments(second, 4);
    assert.deepEqual(await segmentsOf(third), []);
    await sender.finish(first, file, half);
    const { id } = await ingestionOf(first);
    arrivals.stored(await ingestionOf(first), file.length);
    arrivals.ended(id);
    let sent = half;
    await until(async () => {
      if (sent < file.length - 1) await send(arrivals, third, file, sent, sent + 1);
      sent += 1;
      return (await segmentsOf(third)).length > 0;
    }, 'it is not played once there is a place');
    await arrivals.close();
  });

  it('that have finished are completed by a worker, where their process died', async () => {
    const upload = await sender.open(anna, file);
    const [arrivals, half] = [await openArrivals(), Math.floor(file.length / 2)];
    await send(arrivals, upload, file, 0, half);
    await untilSegments(upload, 2);
    await arrivals.close();
    const { playlistUrl } = await sender.video(anna, upload);
    await sender.finish(upload, file, half);
    const list = await sender.playlist(playlistUrl);
    assert.doesNotMatch(list, /ENDLIST/);
    live.api.clock.advance(121_000);
    const follow = followArrivals(live.api.platform);
    follow.start();
    await until(async () => /ENDLIST/.test(await sender.playlist(playlistUrl)), 'the playlist never ends');
    await follow.stop();
    assert.equal(segmentsIn(await sender.playlist(playlistUrl)), segmentsIn(list));
  });
});
