import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type AudioTag, FlvReader, type VideoTag } from '@reelgraph/rtmp';
import { openTestRunner } from '../../../media/testing.ts';
import { createLogger } from '../../../platform/log.ts';
import { until } from '../../../testing/until.ts';
import { EncoderInput } from '../ingest/encoder-input.ts';
import { LiveStream } from '../packaging/live-stream.ts';
import { LiveLadder } from './live-ladder.ts';

const run = promisify(execFile);
const NOON = Date.UTC(2026, 10, 30, 12);
const SECONDS = 20;

/** A message of an encoder. */
type Sent =
  | { readonly timestamp: number; readonly video: VideoTag }
  | { readonly timestamp: number; readonly audio: AudioTag };

/** What an encoder of 25 pictures a second sends, with a keyframe every two seconds. */
async function recorded(): Promise<Sent[]> {
  const source = ['-f', 'lavfi', '-i', `testsrc2=s=960x540:r=25:d=${SECONDS}`];
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '50', '-pix_fmt', 'yuv420p'];
  const options = { encoding: 'buffer', maxBuffer: 64 * 1024 ** 2 } as const;
  const { stdout } = await run('ffmpeg', ['-v', 'error', ...source, ...codec, '-f', 'flv', '-'], options);
  const sent: Sent[] = [];
  const reader = new FlvReader({
    onVideo: (timestamp, video) => sent.push({ timestamp, video }),
    onAudio: (timestamp, audio) => sent.push({ timestamp, audio }),
  });
  reader.push(stdout);
  return sent;
}

describe('a ladder', () => {
  let sent: Sent[];
  before(async () => {
    sent = await recorded();
  });

  /** A stream with its ladder, and an encoder whose clock is that of the machine. */
  async function opened({ cores = 2, ffmpeg = 'ffmpeg' } = {}) {
    const runner = await openTestRunner();
    let nowMs = NOON;
    const leftOut: string[][] = [];
    const stored: string[] = [];
    const ladder = new LiveLadder({
      ...{ tools: { runner, ffmpeg }, log: createLogger({ level: 'silent' }), now: () => nowMs, cores },
      partSeconds: 0.55,
      onInit: (track, number) => stored.push(`${track} init ${number}`),
      onSegment: (track, number) => stored.push(`${track} ${number}`),
      onChange: (sizes) => leftOut.push(sizes.map(({ label }) => label)),
    });
    const stream = new LiveStream({
      ...{ lowLatency: true, windowSeconds: Number.POSITIVE_INFINITY, now: () => nowMs },
      ...{ onInit: () => {}, onSegment: () => {}, pictures: ladder },
    });
    let input = new EncoderInput(stream);
    let next = 0;
    /** Sends what the encoder has until so many seconds, at once. */
    const send = (untilSeconds: number) => {
      for (let each = sent[next]; each && each.timestamp < 1_000 * untilSeconds; each = sent[next]) {
        nowMs = Math.max(nowMs, NOON + each.timestamp);
        if ('video' in each) input.video(each.timestamp, each.video);
        else input.audio(each.timestamp, each.audio);
        next += 1;
      }
    };
    /** Its connection breaks, and it connects again. */
    const reconnect = () => {
      stream.interrupt();
      input = new EncoderInput(stream);
      const [config] = sent;
      if (config && 'video' in config) input.video(config.timestamp, config.video);
    };
    /** The segments in the playlist of a size. */
    const listed = async (track: string) => {
      const file = await (stream.track(track) ?? ladder.track(track))?.playlist(
        { position: null, skip: false },
        { limitMs: 0, whenAbandoned: () => () => {} },
      );
      const text = file?.body.toString() ?? assert.fail(`there is no ${track}`);
      return [...text.matchAll(/((?:^#.*\n)*)^seg-0*(\d+)\.m4s$/gm)].map(([, tags = '', number = '']) =>
        tags.includes('#EXT-X-GAP') ? `${number} gap` : number,
      );
    };
    const pass = (ms: number) => {
      nowMs += ms;
    };
    return { ladder, stream, send, reconnect, listed, leftOut, stored, pass };
  }

  it('encodes each segment in all sizes', async () => {
    const { ladder, stream, send, listed, stored } = await opened();
    send(5);
    assert.deepEqual(
      ladder.rungs.map(({ label }) => label),
      ['360p', '240p'],
    );
    stream.end();
    await ladder.idle();
    for (const track of ['video', 'video-360', 'video-240'])
      assert.deepEqual(await listed(track), ['0', '1', '2'], track);
    assert.deepEqual(
      stored.filter((each) => each.startsWith('video-360')),
      ['video-360 init 0', 'video-360 0', 'video-360 1', 'video-360 2'],
    );
  });

  it('continues after an interruption with the next segment', async () => {
    const { ladder, stream, send, reconnect, listed } = await opened();
    send(5);
    reconnect();
    send(9);
    stream.end();
    await ladder.idle();
    const [own, small] = [await listed('video'), await listed('video-240')];
    assert.deepEqual(small, own);
    assert.ok(own.length >= 4, own.join());
  });

  it('leaves the largest size out while it is behind, and has it again later', async () => {
    const { ladder, stream, send, listed, leftOut, stored, pass } = await opened();
    send(4.9);
    await until(() => stored.includes('video-360 1') && stored.includes('video-240 1'));
    assert.deepEqual(leftOut, []);
    // All of this comes before anything of it can be encoded.
    send(10.9);
    assert.deepEqual(leftOut, [['360p']]);
    await until(() => stored.includes('video-240 4'));
    send(12.9);
    await until(() => stored.includes('video-240 5'));
    pass(60_000);
    send(SECONDS);
    stream.end();
    await ladder.idle();
    assert.deepEqual(leftOut, [['360p'], []]);
    const [own, large, small] = [await listed('video'), await listed('video-360'), await listed('video-240')];
    assert.deepEqual(small, own);
    assert.deepEqual(large.slice(0, 3), ['0', '1', '2']);
    assert.deepEqual(large[5], '5 gap', large.join());
    assert.equal(large.at(-1), own.at(-1));
  });

  it('encodes nothing on a machine with one core', async () => {
    const { ladder, stream, send, listed } = await opened({ cores: 1 });
    send(5);
    stream.end();
    await ladder.idle();
    assert.deepEqual(ladder.rungs, []);
    assert.deepEqual(await listed('video'), ['0', '1', '2']);
  });

  it('has gaps where its program fails, and the pictures of the encoder go on', async () => {
    const { ladder, stream, send, listed } = await opened({ ffmpeg: 'false' });
    send(2.1);
    await ladder.idle();
    send(5);
    stream.end();
    await ladder.idle();
    assert.deepEqual(await listed('video'), ['0', '1', '2']);
    assert.deepEqual(await listed('video-240'), ['0 gap', '1 gap', '2 gap']);
  });
});
