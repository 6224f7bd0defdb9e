import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Publisher, writeVideo } from '@reelgraph/rtmp';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { type LiveFixture, openLiveFixture, type TestInput } from '../live.fixture.ts';

const SPS = Buffer.from('6764001facd9405005bb0110000003001000000303c0f1831960', 'hex');
const PPS = Buffer.from('68ebe3cb22c0', 'hex');
/** Of pictures with 720 lines (AVCDecoderConfigurationRecord, ISO/IEC 14496-15 section 5.3.3.1). */
const AVC_CONFIG = Buffer.concat([
  ...[Buffer.from([1, 0x64, 0, 0x1f, 0xff, 0xe1, 0, SPS.length]), SPS],
  ...[Buffer.from([1, 0, PPS.length]), PPS],
]);
const PICTURES_A_SECOND = 25;
const TO_KEYFRAME = 50;

/** An encoder that sends what it is told to. */
class RawEncoder {
  readonly publisher: Publisher;
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  #sent = 0;

  private constructor(socket: Socket, publisher: Publisher) {
    [this.socket, this.publisher] = [socket, publisher];
    this.closed = new Promise((closed) => socket.once('close', closed));
    socket.on('error', () => {}); // it is closed then
  }

  /** Connects to an input, and waits until it may send. */
  static async connect({ ingest, streamKey }: TestInput): Promise<RawEncoder> {
    const url = ingest.rtmp ?? assert.fail('the server receives RTMP');
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    const started = Promise.withResolvers<void>();
    const publisher = new Publisher(
      { url, streamKey, encoder: 'Test' },
      { send: (bytes) => void socket.write(bytes), onStarted: started.resolve },
    );
    const encoder = new RawEncoder(socket, publisher);
    socket.on('data', (bytes) => publisher.push(bytes));
    publisher.start();
    await started.promise;
    publisher.video(0, writeVideo({ kind: 'config', codec: 'avc1', data: AVC_CONFIG }));
    return encoder;
  }

  /** Sends so many pictures, whose times continue or begin at `fromMs`. */
  async send(count: number, { fromMs = 40 * this.#sent, bytes = 200 } = {}): Promise<void> {
    for (let picture = 0; picture < count && !this.socket.destroyed; picture += 1, this.#sent += 1) {
      const isKeyframe = this.#sent % TO_KEYFRAME === 0;
      const data = Buffer.alloc(bytes, 1);
      const tag = { kind: 'frame', codec: 'avc1', data, isKeyframe, compositionMs: 0, nanoseconds: 0 } as const;
      this.publisher.video(fromMs + 40 * picture, writeVideo(tag));
      if (this.socket.writableNeedDrain)
        await Promise.race([new Promise((drained) => this.socket.once('drain', drained)), this.closed]);
    }
  }
}

describe('an encoder that sends by RTMP', () => {
  let live: LiveFixture;
  let anna: Person;
  before(async () => {
    live = await openLiveFixture();
    anna = await live.api.person('anna');
  });
  after(() => live.close());

  it('may send metadata without numbers, no sound, and times that jump back', async () => {
    const input = await live.input(anna);
    const encoder = await RawEncoder.connect(input);
    encoder.publisher.metadata({ framerate: Number.NaN, width: Number.NaN, duration: Number.POSITIVE_INFINITY });
    await encoder.send(6 * PICTURES_A_SECOND);
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    await encoder.send(6 * PICTURES_A_SECOND, { fromMs: 0 });
    encoder.publisher.end();
    await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
    const segments = await live.api.rows<{ start: number; end: number; hasSound: boolean }>(
      `select s.start_ticks / 90.0::float8 as start, (s.start_ticks + s.video_duration) / 90.0::float8 as end,
         s.audio_bytes > 0 as "hasSound"
       from broadcast_segments s join broadcasts b on b.id = s.broadcast_id where b.content_id = $1 order by s.number`,
      [uuidOf(id)],
    );
    assert.equal(segments[0]?.start, 0);
    const lengths = segments.map(({ start, end }) => end - start);
    assert.ok(
      lengths.every((ms) => ms >= 1_900 && ms <= 2_100),
      `segments of ${lengths.join(', ')} ms`,
    );
    for (const [index, { start, hasSound }] of segments.entries()) {
      assert.equal(hasSound, false);
      assert.ok(index === 0 || Math.abs(start - (segments[index - 1]?.end ?? 0)) < 1, `a gap before ${start} ms`);
    }
    const last = segments.at(-1)?.end ?? 0;
    assert.ok(Math.abs(last - 12_000) < 100, `${last} ms`);
    assert.equal(await live.refusal(anna, input), null);
  });

  it('is refused where it sends more than any plan allows', async () => {
    const input = await live.input(anna);
    const encoder = await RawEncoder.connect(input);
    await encoder.send(2 * PICTURES_A_SECOND);
    await encoder.send(100, { bytes: 1_000_000 });
    await encoder.closed;
    const reason = 'The encoder sends more than 60 Mbit/s. Lower its bit rate.';
    await until(async () => (await live.refusal(anna, input)) === reason, 'it is not refused');
    // Others are received meanwhile.
    const other = await RawEncoder.connect(await live.input(anna));
    await other.send(1);
    other.socket.destroy();
  });

  it('is lost when it stalls, and its broadcast waits', THOROUGH, async () => {
    const input = await live.input(anna);
    const encoder = await RawEncoder.connect(input);
    await encoder.send(3 * PICTURES_A_SECOND);
    const id = await live.untilState(anna, input, 'LIVE');
    await encoder.closed;
    assert.equal(await live.untilState(anna, input, 'RECONNECTING'), id);
    const again = await RawEncoder.connect(input);
    await again.send(3 * PICTURES_A_SECOND);
    assert.equal(await live.untilState(anna, input, 'LIVE'), id);
    again.socket.destroy();
  });

  it('is closed where it sends half a handshake, and keeps nobody waiting', THOROUGH, async () => {
    const input = await live.input(anna);
    const { port } = new URL(input.ingest.rtmp ?? assert.fail('the server receives RTMP'));
    const half = connect(Number(port), '127.0.0.1');
    half.on('error', () => {});
    const closed = new Promise((done) => half.once('close', done));
    await once(half, 'connect');
    half.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(700)]));
    const encoder = await RawEncoder.connect(input);
    await encoder.send(3 * PICTURES_A_SECOND);
    await live.untilState(anna, input, 'LIVE');
    await closed;
    assert.equal(half.bytesRead, 0);
    encoder.socket.destroy();
  });
});
