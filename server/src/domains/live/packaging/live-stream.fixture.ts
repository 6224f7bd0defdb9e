import { aacStreamEntry, h264StreamEntry } from '@reelgraph/mp4';
import type { LiveStream, LiveTracks } from './live-stream.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const SPS_720 = '67 64001f ac d9 40 50 05 bb 01 10 00 00 03 00 10 00 00 03 03 c0 f1 83 19 60';
const SPS_1080 = '67 640028 ac d9 40 78 02 27 e5 c0 44 00 00 03 00 04 00 00 03 00 f0 3c 60 c6 58';

/** The sample entry of H.264 with this sequence parameter set. */
function h264(hex: string) {
  const [sps, pps] = [bytes(hex), bytes('68 eb e3 cb 22 c0')];
  const head = Buffer.from([1, sps[1] ?? 0, sps[2] ?? 0, sps[3] ?? 0, 0xff, 0xe1, 0, sps.length]);
  return h264StreamEntry(Buffer.concat([head, sps, Buffer.from([1, 0, pps.length]), pps]));
}

/** Pictures of 720 lines with sound, and others of 1080 lines. */
export const TRACKS: LiveTracks = { video: h264(SPS_720), audio: aacStreamEntry(bytes('1190')) };
export const LARGER_TRACKS: LiveTracks = { ...TRACKS, video: h264(SPS_1080) };

export const NOON = Date.UTC(2026, 10, 29, 12);

/** An encoder of 25 pictures a second, which are shown 80 ms after their decoding, a keyframe every two seconds. */
export class FakeEncoder {
  readonly #stream: LiveStream;
  #pictures = 0;
  #packets = 0;
  /** The time of the server. */
  nowMs = NOON;

  constructor(stream: LiveStream) {
    this.#stream = stream;
  }

  /** Sends so many seconds of pictures, and of sound unless there is none. */
  send(seconds: number, { sound = true } = {}): void {
    const end = this.#pictures + 25 * seconds;
    for (; this.#pictures < end; this.#pictures += 1) {
      const soundTime = () => Math.round((1_024_000 * this.#packets) / 48_000);
      for (; soundTime() <= 40 * this.#pictures; this.#packets += 1)
        if (sound) this.#stream.audio({ timestamp: soundTime(), data: Buffer.from('s') });
      const isKeyframe = this.#pictures % 50 === 0;
      const timestamp = 40 * this.#pictures;
      this.#stream.video({ timestamp, data: Buffer.from('p'), isKeyframe, compositionMs: 80 });
      this.nowMs += 40;
    }
  }
}
