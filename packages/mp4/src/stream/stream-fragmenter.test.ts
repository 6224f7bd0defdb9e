import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFragment } from '../fragment.ts';
import { joinParts } from './join-parts.ts';
import { type FragmenterOptions, StreamFragmenter, type StreamPart, VIDEO_TIMESCALE } from './stream-fragmenter.ts';

const OPTIONS: FragmenterOptions = {
  ...{ partSeconds: 0.55, segmentSeconds: 2 },
  sound: { rate: 48_000, packetSamples: 1_024 },
};
const BYTE = Buffer.from('x');

/** A stream of 25 pictures a second, each `every`th a keyframe, and sound whose clock is `drift` times as fast. */
function parts(
  pictures: number,
  { every = 50, drift = 1, sound = true, options = OPTIONS, longest = Number.POSITIVE_INFINITY } = {},
): StreamPart[] {
  const found: StreamPart[] = [];
  const fragmenter = new StreamFragmenter(options, (part) => found.push(part));
  fragmenter.longestSegmentSeconds = longest;
  let packet = 0;
  for (let picture = 0; picture < pictures; picture += 1) {
    const timestamp = 1_000 + 40 * picture;
    const soundTime = () => 1_000 + Math.round((drift * 1_024_000 * packet) / 48_000);
    for (; sound && soundTime() < timestamp; packet += 1) fragmenter.audio({ timestamp: soundTime(), data: BYTE });
    fragmenter.video({ timestamp, data: BYTE, isKeyframe: picture % every === 0, compositionMs: 80 });
  }
  fragmenter.end();
  return found;
}

const of = (all: readonly StreamPart[], track: StreamPart['track']) => all.filter((part) => part.track === track);
const rounded = (seconds: number) => Math.round(1_000 * seconds);

describe('fragments of a stream', () => {
  it('are parts of about half a second, in segments that begin with keyframes', () => {
    const video = of(parts(101), 'video').map((part) => [
      ...[part.segment, part.part, rounded(part.startSeconds), rounded(part.durationSeconds)],
      ...[part.isIndependent, part.completes !== null],
    ]);
    assert.deepEqual(video, [
      [0, 0, 0, 480, true, false],
      [0, 1, 480, 520, false, false],
      [0, 2, 1000, 480, false, false],
      [0, 3, 1480, 520, false, true],
      [1, 0, 2000, 480, true, false],
      [1, 1, 2480, 520, false, false],
      [1, 2, 3000, 480, false, false],
      [1, 3, 3480, 520, false, true],
      [2, 0, 4000, 40, true, true],
    ]);
  });

  it('divide the sound at the same times, without a gap', () => {
    const all = parts(101);
    const [video, audio] = [of(all, 'video'), of(all, 'audio')];
    assert.deepEqual(
      audio.map(({ segment, part, completes }) => [segment, part, completes !== null]),
      video.map(({ segment, part, completes }) => [segment, part, completes !== null]),
    );
    let end = 0;
    for (const [index, { startSeconds, durationSeconds, isIndependent, bytes }] of audio.entries()) {
      assert.ok(durationSeconds <= 0.55, `${durationSeconds}`);
      assert.equal(rounded(startSeconds), rounded(end));
      assert.ok(Math.abs(startSeconds - (video[index]?.startSeconds ?? 0)) < 0.03, `${startSeconds}`);
      end = startSeconds + durationSeconds;
      if (bytes.length > 0) assert.equal(isIndependent, true);
    }
  });

  it('have the decoding times, durations and shifts of their samples', () => {
    const [first, second] = of(parts(60), 'video').map(({ bytes }) => readFragment(bytes));
    assert.deepEqual(
      [first?.decodeTime, second?.decodeTime, [...(first?.durations ?? [])], first?.shifts[0]],
      [0, 43_200, Array(12).fill(3_600), 7_200],
    );
    assert.deepEqual([...(first?.sync ?? [])], [1, ...Array(11).fill(0)]);
  });

  it('end a segment with the first keyframe after its least length', () => {
    const ends = (every: number, longest?: number) =>
      of(parts(251, { every, longest }), 'video').flatMap(({ completes }) =>
        completes ? [rounded(completes.startSeconds + completes.durationSeconds)] : [],
      );
    assert.deepEqual(ends(25), [2_000, 4_000, 6_000, 8_000, 10_000, 10_040]);
    assert.deepEqual(ends(100), [4_000, 8_000, 10_040]);
    assert.deepEqual(ends(100, 3), [3_000, 6_000, 8_000, 10_040]);
  });

  it('are, once more, whole segments of one fragment each', () => {
    const all = parts(101);
    for (const track of ['video', 'audio'] as const) {
      const segments = of(all, track).flatMap(({ completes }) => completes ?? []);
      assert.equal(segments.length, 3);
      for (const [number, { bytes, startSeconds, duration, durationSeconds }] of segments.slice(0, 2).entries()) {
        const whole = readFragment(bytes);
        const pieces = of(all, track)
          .filter(({ segment, bytes }) => segment === number && bytes.length > 0)
          .map(({ bytes }) => readFragment(bytes));
        assert.equal(whole.decodeTime, pieces[0]?.decodeTime);
        for (const name of ['durations', 'sizes', 'shifts', 'sync'] as const)
          assert.deepEqual(
            [...whole[name]],
            pieces.flatMap((piece) => [...piece[name]]),
          );
        const timescale = track === 'video' ? VIDEO_TIMESCALE : 48_000;
        assert.equal(
          duration,
          [...whole.durations].reduce((sum, each) => sum + each, 0),
        );
        assert.deepEqual([startSeconds, durationSeconds], [whole.decodeTime / timescale, duration / timescale]);
      }
    }
  });

  it('continue another stream at a time', () => {
    const all = parts(60, { options: { ...OPTIONS, startSeconds: 100 } });
    assert.equal(of(all, 'video')[0]?.startSeconds, 100);
    assert.ok(Math.abs((of(all, 'audio')[0]?.startSeconds ?? 0) - 100) < 0.03);
  });

  it('follow the clock of the sound by a sample a packet', () => {
    for (const drift of [1.0005, 0.9995]) {
      const audio = of(parts(2_501, { drift }), 'audio');
      const last = audio.at(-1);
      const end = (last?.startSeconds ?? 0) + (last?.durationSeconds ?? 0);
      // Without it, the sound would be 50 ms off after 100 s.
      assert.ok(Math.abs(end - 100) < 0.045, `${end}`);
      const durations = new Set(
        audio.flatMap(({ bytes }) => (bytes.length > 0 ? [...readFragment(bytes).durations] : [])),
      );
      assert.deepEqual([...durations].sort(), drift > 1 ? [1_024, 1_025] : [1_023, 1_024]);
    }
  });

  it('go on without sound, or where it stops', () => {
    const silent = parts(101, { options: { ...OPTIONS, sound: null }, sound: false });
    assert.deepEqual([of(silent, 'video').length, of(silent, 'audio').length], [9, 0]);
    const stopped = of(parts(501, { sound: false }), 'audio');
    assert.deepEqual(
      stopped.map(({ segment, bytes, completes }) => [segment, bytes.length, completes?.bytes.length]),
      Array.from({ length: 11 }, (_, segment) => [segment, 0, 0]),
    );
  });

  it('begin with the first keyframe, and with the sound from then on', () => {
    for (const startSeconds of [0, 100]) {
      const found: StreamPart[] = [];
      const fragmenter = new StreamFragmenter({ ...OPTIONS, startSeconds }, (part) => found.push(part));
      fragmenter.audio({ timestamp: 960, data: BYTE });
      for (let timestamp = 1_000; timestamp < 2_000; timestamp += 40) {
        fragmenter.video({ timestamp, data: BYTE, isKeyframe: timestamp === 1_400, compositionMs: 0 });
        fragmenter.audio({ timestamp, data: BYTE });
      }
      fragmenter.end();
      for (const track of ['video', 'audio'] as const)
        assert.deepEqual(
          of(found, track).map((part) => rounded(part.startSeconds - startSeconds)),
          [0, 480],
          `the ${track} does not begin at once`,
        );
    }
  });

  it('survive any timestamps', () => {
    const found: StreamPart[] = [];
    const fragmenter = new StreamFragmenter(OPTIONS, (part) => found.push(part));
    let state = 7;
    for (let index = 0; index < 5_000; index += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const timestamp = index % 50 === 0 ? state : (40 * index) >>> 0;
      if (index % 3 === 0) fragmenter.audio({ timestamp, data: BYTE });
      else fragmenter.video({ timestamp, data: BYTE, isKeyframe: index % 30 === 1, compositionMs: 0 });
    }
    fragmenter.end();
    for (const track of ['video', 'audio'] as const) {
      const filled = of(found, track).filter(({ bytes }) => bytes.length > 0);
      assert.ok(filled.length > 100);
      for (const [index, part] of filled.entries())
        assert.ok(index === 0 || part.startSeconds >= (filled[index - 1]?.startSeconds ?? 0), track);
    }
  });

  it('are the segment again when they are joined, also where there is a gap between them', () => {
    for (const track of ['video', 'audio'] as const) {
      const first = of(parts(101), track).filter(({ segment }) => segment === 0);
      const timescale = track === 'video' ? VIDEO_TIMESCALE : 48_000;
      const bytes = first.map((part) => part.bytes);
      assert.deepEqual(joinParts(bytes, timescale, 1), first.at(-1)?.completes);
      const [begin = assert.fail(), , ...rest] = bytes;
      const joined = joinParts([begin, ...rest], timescale, 1);
      assert.equal(joined.duration, first.at(-1)?.completes?.duration);
      assert.ok(joined.bytes.length < (first.at(-1)?.completes?.bytes.length ?? 0));
    }
    assert.equal(joinParts([], 90_000, 1).bytes.length, 0);
    assert.throws(() => joinParts([Buffer.from('no part')], 90_000, 1), { name: 'Mp4Error' });
  });
});
