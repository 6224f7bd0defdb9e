import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProbe } from '../inspect/probe.ts';
import { planCodec } from './plan-codec.ts';

const timed = { start_time: '0', duration: '12' };
const picture = { width: 640, height: 480, pix_fmt: 'yuv420p', r_frame_rate: '5/1', avg_frame_rate: '5/1' };
const streams = [{ index: 0, codec_type: 'video', codec_name: 'h264', ...picture, ...timed }];
const facts = parseProbe(JSON.stringify({ streams, format: { duration: '12' } }), 'matroska');
/** Three segments of 4 s, as all have that are not cut at keyframes of the source. */
const beside = { timescale: 90_000, durations: [360_000, 360_000, 360_000] };

test('another codec has segments of one length where the size beside it has', () => {
  const plan = planCodec(facts, 'AV1', beside) ?? assert.fail();
  assert.equal(plan.timeline.cuts, null);
});

test('pictures with times of their own have the starts of their segments in another codec, of one length, too', () => {
  assert.ok(facts.video);
  const points = [0, 36_000, 360_000, 720_000];
  const pictures = { points, before: points, end: 1_080_000 };
  const plan = planCodec({ ...facts, video: { ...facts.video, pictures } }, 'AV1', beside) ?? assert.fail();
  assert.deepEqual([plan.timeline.cuts, plan.timeline.timed], [[0, 360_000, 720_000], { end: 1_080_000 }]);
  assert.deepEqual(
    plan.chunks.map((chunk) => chunk.kind === 'video' && chunk.startFrame),
    [0, 360_000, 720_000],
  );
});
