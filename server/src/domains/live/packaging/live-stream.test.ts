import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeEncoder, LARGER_TRACKS, NOON, TRACKS } from './live-stream.fixture.ts';
import { type LiveInits, type LiveSegment, LiveStream, type LiveStreamOptions } from './live-stream.ts';
import type { LiveTrack } from './live-track.ts';

const NEVER = { limitMs: 0, whenAbandoned: () => () => {} };
const LONG = { limitMs: 5_000, whenAbandoned: () => () => {} };

/** A stream and its encoder. */
function opened(options: Partial<LiveStreamOptions> = {}) {
  const segments: LiveSegment[] = [];
  const inits: number[] = [];
  const stream: LiveStream = new LiveStream({
    ...{ lowLatency: true, windowSeconds: Number.POSITIVE_INFINITY, now: () => encoder.nowMs },
    onInit: (number) => inits.push(number),
    onSegment: (segment) => segments.push(segment),
    ...options,
  });
  const encoder = new FakeEncoder(stream);
  const send: FakeEncoder['send'] = (...args) => encoder.send(...args);
  const pause = (ms: number) => {
    encoder.nowMs += ms;
  };
  return { stream, segments, inits, send, pause };
}

async function textOf(track: LiveTrack | null): Promise<string> {
  return (
    (await track?.playlist({ position: null, skip: false }, NEVER))?.body.toString() ??
    assert.fail('there is no playlist')
  );
}

/** Lines of a playlist that begin with one of these. */
const lines = (text: string, ...starts: string[]) =>
  text.split('\n').filter((line) => starts.some((start) => line.startsWith(start)));

describe('a live stream', () => {
  it('is playable once its first segment is complete', () => {
    const { stream, send, segments } = opened();
    stream.begin(TRACKS);
    send(2);
    assert.equal(stream.isPlayable, false);
    assert.equal(stream.track('video'), null);
    send(1);
    assert.equal(stream.isPlayable, true);
    assert.deepEqual(
      segments.map(({ number, init, isDiscontinuity, startSeconds, arrivedAtMs }) => [
        ...[number, init, isDiscontinuity, startSeconds, arrivedAtMs],
      ]),
      [[0, 0, false, 0, NOON]],
    );
    assert.equal(segments[0]?.video.durationSeconds, 2);
    assert.ok(Math.abs((segments[0]?.audio?.durationSeconds ?? 0) - 2) < 0.03);
  });

  it('lists parts, the next part, and when segments began', async () => {
    const { stream, send } = opened();
    stream.begin(TRACKS);
    send(3);
    const text = await textOf(stream.track('video'));
    assert.deepEqual(lines(text, '#EXT-X-TARGETDURATION', '#EXT-X-MAP', '#EXT-X-PROGRAM', 'seg', '#EXT-X-PRELOAD'), [
      '#EXT-X-TARGETDURATION:2',
      '#EXT-X-MAP:URI="init.mp4"',
      '#EXT-X-PROGRAM-DATE-TIME:2026-11-29T12:00:00.000Z',
      'seg-00000.m4s',
      '#EXT-X-PROGRAM-DATE-TIME:2026-11-29T12:00:02.000Z',
      '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="seg-00001.1.m4s"',
    ]);
    assert.equal(lines(text, '#EXT-X-PART:').length, 5);
    assert.equal(lines(await textOf(stream.track('audio')), 'seg').length, 1);
  });

  it('has the bytes of parts, segments and initialization segments', async () => {
    const { stream, send, segments } = opened();
    stream.begin(TRACKS);
    send(3);
    for (const kind of ['video', 'audio'] as const) {
      const track = stream.track(kind);
      assert.deepEqual(await track?.file('seg-00000.m4s', NEVER), segments[0]?.[kind]?.bytes);
      assert.equal((await track?.file('init.mp4', NEVER))?.toString('latin1', 4, 8), 'ftyp');
      assert.equal((await track?.file('seg-00001.0.m4s', NEVER))?.toString('latin1', 4, 8), 'moof');
      for (const name of ['seg-00009.m4s', 'seg-00003.0.m4s', 'seg-00001.9.m4s', 'other.m4s'])
        assert.equal(await track?.file(name, NEVER), null);
    }
  });

  it('has viewers wait for the next part, and for its playlist', async () => {
    const { stream, send } = opened();
    stream.begin(TRACKS);
    send(3);
    const track = stream.track('video');
    const position = { segment: 1, part: 2 };
    const waiting = Promise.all([
      track?.file('seg-00001.2.m4s', LONG),
      track?.playlist({ position, skip: false }, LONG),
    ]);
    assert.ok(!(await track?.playlist({ position, skip: false }, NEVER))?.body.includes('URI="seg-00001.2.m4s",'));
    assert.equal(await track?.file('seg-00001.2.m4s', NEVER), null);
    send(1);
    const [part, text] = await waiting;
    assert.equal(part?.toString('latin1', 4, 8), 'moof');
    assert.ok(text?.body.includes('URI="seg-00001.2.m4s"'));
    const far = { segment: 9, part: null };
    assert.equal(await track?.playlist({ position: far, skip: false }, LONG), null);
  });

  it('goes on after an interruption, as one time line with a discontinuity', async () => {
    const { stream, send, pause, segments, inits } = opened();
    stream.begin(TRACKS);
    send(5);
    stream.interrupt();
    pause(45_000);
    stream.begin(TRACKS);
    send(5);
    assert.deepEqual(
      segments.map(({ number, isDiscontinuity }) => [number, isDiscontinuity]),
      [
        [0, false],
        [1, false],
        [2, false],
        [3, true],
      ],
    );
    // Pictures 125 to 149 come before the first keyframe, and leave no gap.
    const starts = segments.map(({ startSeconds }) => Math.round(startSeconds * 10) / 10);
    assert.deepEqual(starts.slice(0, 3), [0, 2, 4]);
    assert.ok(Math.abs((starts[3] ?? 0) - 5) <= 0.1, `${starts[3]}`);
    assert.deepEqual(inits, [0]);
    const text = await textOf(stream.track('video'));
    assert.equal(lines(text, '#EXT-X-DISCONTINUITY').length, 1);
    assert.deepEqual(lines(text, '#EXT-X-PROGRAM').slice(3, 4), ['#EXT-X-PROGRAM-DATE-TIME:2026-11-29T12:00:51.000Z']);
  });

  it('gets other initialization segments where the picture changes its size', async () => {
    const { stream, send, inits, segments } = opened();
    stream.begin(TRACKS);
    send(4);
    stream.begin(TRACKS);
    stream.begin(LARGER_TRACKS);
    send(4);
    assert.deepEqual(inits, [0, 1]);
    assert.deepEqual(
      segments.map(({ init }) => init),
      [0, 0, 1],
    );
    const text = await textOf(stream.track('video'));
    assert.deepEqual(lines(text, '#EXT-X-MAP'), ['#EXT-X-MAP:URI="init.mp4"', '#EXT-X-MAP:URI="init-1.mp4"']);
  });

  it('says where there is no sound', async () => {
    const { stream, send } = opened();
    stream.begin(TRACKS);
    send(4);
    send(8, { sound: false });
    const text = await textOf(stream.track('audio'));
    assert.ok(lines(text, '#EXT-X-GAP').length >= 1, text);
    stream.interrupt();
    stream.begin({ ...TRACKS, audio: null });
    send(6, { sound: false });
    const [video, audio] = [await textOf(stream.track('video')), await textOf(stream.track('audio'))];
    assert.equal(lines(audio, 'seg').length, lines(video, 'seg').length);
  });

  it('continues what another process stored', async () => {
    let inits: LiveInits | null = null;
    const first = opened({
      onInit: (_, made) => {
        inits = made;
      },
    });
    first.stream.begin(TRACKS);
    first.send(7);
    const stored = first.segments.map(({ video, audio, ...rest }) => {
      return { ...rest, videoSeconds: video.durationSeconds, audioSeconds: audio?.durationSeconds ?? null };
    });
    const second = opened();
    second.stream.restore(stored, inits ?? assert.fail('there are initialization segments'));
    assert.equal(second.stream.isPlayable, true);
    assert.deepEqual(lines(await textOf(second.stream.track('video')), 'seg'), [
      ...['seg-00000.m4s', 'seg-00001.m4s', 'seg-00002.m4s'],
    ]);
    second.stream.begin(TRACKS);
    second.send(3);
    assert.deepEqual(
      second.segments.map(({ number, init, isDiscontinuity }) => [number, init, isDiscontinuity]),
      [[3, 0, true]],
    );
    assert.ok((second.segments[0]?.startSeconds ?? 0) >= 6);
  });

  it('continues one of which the oldest segments are gone and others are missing, with their numbers', async () => {
    const { stream, send, segments } = opened();
    const seconds = { videoSeconds: 2, audioSeconds: 2 };
    const stored = (number: number) => ({
      ...{ number, init: 0, isDiscontinuity: false, startSeconds: 2 * number, arrivedAtMs: NOON + 2_000 * number },
      ...seconds,
    });
    stream.restore([stored(7), stored(8), stored(11)], { video: Buffer.from('v'), audio: Buffer.from('a') });
    const expected = [
      ...['#EXT-X-MEDIA-SEQUENCE:7', 'seg-00007.m4s', 'seg-00008.m4s'],
      ...['#EXT-X-GAP', 'seg-00009.m4s', '#EXT-X-GAP', 'seg-00010.m4s'],
      ...['#EXT-X-DISCONTINUITY', 'seg-00011.m4s'],
    ];
    const tags = ['#EXT-X-MEDIA-SEQUENCE', '#EXT-X-GAP', '#EXT-X-DISCONTINUITY', 'seg'];
    for (const track of [stream.track('video'), stream.track('audio')])
      assert.deepEqual(lines(await textOf(track), ...tags), expected);
    stream.begin(TRACKS);
    send(3);
    assert.deepEqual(
      segments.map(({ number, startSeconds }) => [number, startSeconds]),
      [[12, 24]],
    );
  });

  it('ends with its last picture', async () => {
    const { stream, send, segments } = opened();
    stream.begin(TRACKS);
    send(5);
    stream.end();
    const text = await textOf(stream.track('video'));
    assert.ok(text.endsWith('seg-00002.m4s\n#EXT-X-ENDLIST\n'), text);
    assert.equal(segments.length, 3);
  });

  it('has whole segments only with a normal latency', async () => {
    const { stream, send } = opened({ lowLatency: false });
    stream.begin(TRACKS);
    send(5);
    const text = await textOf(stream.track('video'));
    assert.deepEqual(lines(text, '#EXT-X-PART', '#EXT-X-PRELOAD'), []);
    assert.equal(lines(text, 'seg').length, 2);
  });
});
