import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readFragment } from '@reelgraph/mp4';
import { addBroadcast } from '../../../testing/seed-live.ts';
import { until } from '../../../testing/until.ts';
import { storedBytes } from '../../assets/index.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { insertSegment, segmentsOf } from '../broadcasts/broadcast-segments.store.ts';
import { readRecords } from '../journal/journal-records.ts';
import { LiveJournals } from '../journal/live-journals.ts';
import type { PartJournal } from '../journal/part-journal.ts';
import { FakeEncoder, NOON, TRACKS } from '../packaging/live-stream.fixture.ts';
import { type LiveSegment, LiveStream } from '../packaging/live-stream.ts';
import { livePrefix } from './live-renditions.ts';
import { recoverSegments } from './recover-segments.ts';
import { rowOf } from './segment-recorder.ts';

describe('what a process that was killed had received', () => {
  let api: TestCatalog;
  let anna: Person;
  before(async () => {
    api = await openTestCatalog();
    anna = await api.person('anna');
  });
  const open: PartJournal[] = [];
  after(async () => {
    for (const journal of open) await journal.close();
    await api.close();
  });

  /** A broadcast of which so many seconds have arrived and `stored` segments are stored. */
  async function received(seconds: number, stored: number) {
    const contentId = uuidOf(await addBroadcast(api, anna));
    const { id, videoAssetId } = await api.row<{ id: string; videoAssetId: string }>(
      'select id, video_asset_id as "videoAssetId" from broadcasts where content_id = $1',
      [contentId],
    );
    const { db, store, log, config } = api.platform;
    const killed = new LiveJournals(config.DATA_DIR, log).open(id);
    open.push(killed);
    const segments: LiveSegment[] = [];
    let parts = 0;
    const stream: LiveStream = new LiveStream({
      ...{ lowLatency: false, windowSeconds: Number.POSITIVE_INFINITY, now: () => encoder.nowMs, onInit: () => {} },
      onSegment: (segment) => segments.push(segment),
      onPart: (part) => {
        killed.addPart(part);
        parts += 1;
      },
    });
    const encoder = new FakeEncoder(stream);
    stream.begin(TRACKS);
    encoder.send(seconds);
    for (const segment of segments.slice(0, stored)) await insertSegment(db, id, rowOf(segment));
    const journals = new LiveJournals(config.DATA_DIR, log);
    const broadcast = { id, contentId, videoAssetId };
    const isWritten = () => parts > 0 && recordsOf(id).length === parts;
    await until(isWritten, 'the parts are not written');
    return {
      segments,
      recover: () => recoverSegments({ db, store, log, journals }, broadcast),
      rows: () => segmentsOf(db, id),
      async bytes(name: string) {
        const source = await storedBytes(store, livePrefix(contentId, videoAssetId) + name);
        return source?.read(0, source.sizeBytes) ?? null;
      },
    };
  }
  const recordsOf = (id: string) => {
    try {
      return readRecords(readFileSync(join(api.platform.config.DATA_DIR, 'live', `${id}.parts`)));
    } catch {
      return [];
    }
  };

  it('is stored: whole segments, and the parts of the last one', async () => {
    const { segments, recover, rows, bytes } = await received(7.2, 1);
    assert.equal(segments.length, 3);
    await recover();
    const found = await rows();
    assert.deepEqual(
      found.slice(0, 3),
      segments.map((segment) => ({ ...rowOf(segment), arrivedAt: found[segment.number]?.arrivedAt, sizes: null })),
    );
    const { number, startTicks, videoShift, videoDuration, arrivedAt, init, isDiscontinuity } =
      found[3] ?? assert.fail('the parts are not there');
    // Pictures of 40 ms in parts of 480 and 520 ms: two parts, and 200 ms that were being collected.
    assert.deepEqual([number, startTicks, videoShift, videoDuration], [3, 540_000, 7_200, 90_000]);
    assert.deepEqual([init, isDiscontinuity, Date.parse(arrivedAt)], [0, false, NOON + 6_040]);
    for (const track of ['video', 'audio'] as const) {
      assert.equal(await bytes(`${track}/seg-00000.m4s`), null);
      for (const segment of segments.slice(1))
        assert.deepEqual(await bytes(`${track}/seg-0000${segment.number}.m4s`), segment[track]?.bytes);
    }
    const { durations } = readFragment((await bytes('video/seg-00003.m4s')) ?? assert.fail('nothing is stored'));
    assert.equal(durations.length, 25);
    await recover();
    assert.equal((await rows()).length, 4);
  });

  it('is not stored where another process has gone on', async () => {
    const { segments, recover, rows, bytes } = await received(7.2, 3);
    const [last] = segments.slice(-1);
    assert.ok(last);
    const { id } = await api.row<{ id: string }>('select id from broadcasts order by id desc limit 1');
    await insertSegment(api.platform.db, id, { ...rowOf(last), number: 3 });
    const before = await rows();
    await recover();
    assert.deepEqual(await rows(), before);
    assert.equal(await bytes('video/seg-00003.m4s'), null);
  });
});
