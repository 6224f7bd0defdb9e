import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { aacStreamEntry, h264StreamEntry } from '@reelgraph/mp4';
import { LiveStream } from './live-stream.ts';

const HOUR_MS = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 10, 30);
/** The clock of the encoder gains so much: 8.6 s in a day. */
const FAST = 1.0001;
const FRAME_MS = 40;
const PACKET_MS = 1_024 / 48;
const SPS = '6764001facd9405005bb0110000003001000000303c0f1831960';
const AVCC = Buffer.from(`0164001fffe1001a${SPS}01000668ebe3cb22c0`, 'hex');
const WINDOW_SECONDS = 1_800;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe('a broadcast of 24 hours', () => {
  it('keeps the time of day and its memory, beyond the largest timestamp', async () => {
    let nowMs = MIDNIGHT;
    let stored = 0;
    const stream = new LiveStream({
      ...{ lowLatency: true, windowSeconds: WINDOW_SECONDS, now: () => nowMs, onInit: () => {} },
      onSegment: () => {
        stored += 1;
      },
    });
    stream.begin({ video: h264StreamEntry(AVCC), audio: aacStreamEntry(Buffer.from('1190', 'hex')) });
    const picture = Buffer.alloc(64);
    const sound = Buffer.alloc(16);
    // Half of the day is before the timestamp after which encoders count from 0.
    const begin = 2 ** 32 - 12 * HOUR_MS;
    let [pictures, packets] = [0, 0];
    const sendUntil = (endMs: number) => {
      for (; pictures * FRAME_MS < endMs * FAST; pictures += 1) {
        const atMs = pictures * FRAME_MS;
        nowMs = MIDNIGHT + atMs / FAST;
        for (; packets * PACKET_MS <= atMs; packets += 1)
          stream.audio({ timestamp: (begin + Math.round(packets * PACKET_MS)) % 2 ** 32, data: sound });
        const timestamp = (begin + atMs) % 2 ** 32;
        stream.video({ timestamp, data: picture, isKeyframe: pictures % 50 === 0, compositionMs: 0 });
      }
    };
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    sendUntil(HOUR_MS);
    const before = heap();
    sendUntil(24 * HOUR_MS);
    const grown = heap() - before;
    assert.ok(grown < 4 * 1024 ** 2, `${grown} bytes more`);
    assert.ok(Math.abs(stored - 43_204) <= 1, `${stored} segments: a day and 8.64 s of two seconds each`);
    for (const kind of ['video', 'audio']) {
      const position = { position: null, skip: false };
      const playlist = await stream.track(kind)?.playlist(position, { limitMs: 0, whenAbandoned: () => () => {} });
      const text = playlist?.body.toString() ?? assert.fail('no playlist');
      const dates = [...text.matchAll(/#EXT-X-PROGRAM-DATE-TIME:(\S+)/g)].map(([, date]) => Date.parse(date ?? ''));
      const lateMs = nowMs - (dates.at(-1) ?? 0);
      // Up to 4 s ago, by a clock that is at most 3 s off.
      assert.ok(lateMs > -3_000 && lateMs < 7_000, `${kind}: the last segment began ${lateMs} ms ago`);
      const listed = [...text.matchAll(/^seg-\d+\.m4s$/gm)].length;
      assert.ok(Math.abs(listed - WINDOW_SECONDS / 2) <= 3, `${listed} segments are listed`);
    }
  });
});
