import {
  type FrameReader,
  H264Reader,
  PacketOrder,
  type ReaderHandlers,
  type RtpPacket,
  SenderClock,
  Unwrapper,
  type VideoFrame,
  Vp8Reader,
  Vp9Reader,
} from '@reelgraph/rtp';
import { FlvProgram, type FlvTools } from '../../ingest/flv-program.ts';
import type { LiveSession } from '../../ingest/live-session.ts';
import { matroskaFrame, matroskaHeader } from './matroska-writer.ts';
import { VIDEO_HZ, type WhipOffer } from './offer.ts';
import { type WhipVideoCodec, whipSource } from './whip-source.ts';

const SOUND_HZ = 48_000;
/** A packet that is missing is waited for so long: it is asked for again. */
const PATIENCE_MS = 250;
/** Sender reports, which relate pictures and sound, come within this time; then arrival relates them. */
const REPORTS_MS = 2_500;
/** The time of the first picture: sound before it has a time as well. */
const FIRST_PICTURE_MS = 1_000;
/** More waits to be encoded where the machine is too slow: pictures are left out. */
const MOST_WAITING_BYTES = 4 * 1024 ** 2;
const [VIDEO_TRACK, SOUND_TRACK] = [1, 2];

const READERS: Readonly<Record<WhipVideoCodec, new (handlers: ReaderHandlers) => FrameReader>> = {
  H264: H264Reader,
  VP8: Vp8Reader,
  VP9: Vp9Reader,
};
const MATROSKA_CODECS = { VP8: 'V_VP8', VP9: 'V_VP9' } as const;

interface Options {
  readonly tools: FlvTools;
  readonly session: LiveSession;
  readonly offer: Pick<WhipOffer, 'video' | 'hasSound'>;
  readonly now: () => number;
  readonly onKeyframeNeeded: () => void;
  /** What cannot be broadcast, or failed: nothing more is taken. */
  readonly onFailed: (error: unknown) => void;
}

/** A track: its packets in order, and its time. */
class Track {
  readonly order: PacketOrder;
  readonly #timestamps = new Unwrapper(32);
  readonly #rate: number;
  #clock: SenderClock;
  #first: { readonly timestamp: number; readonly atMs: number } | null = null;
  #usesArrival = false;

  constructor(rate: number, handlers: Pick<ConstructorParameters<typeof PacketOrder>[0], 'onPacket' | 'onLost'>) {
    this.#rate = rate;
    this.#clock = new SenderClock(rate);
    this.order = new PacketOrder({ patienceMs: PATIENCE_MS, ...handlers });
  }

  get clock(): SenderClock {
    return this.#clock;
  }

  get firstAtMs(): number | null {
    return this.#first?.atMs ?? null;
  }

  /** A timestamp that goes on beyond 2^32. */
  continued(timestamp: number): number {
    return this.#timestamps.unwrap(timestamp);
  }

  push(packet: RtpPacket, nowMs: number): void {
    if (!this.#first) {
      this.#first = { timestamp: this.continued(packet.timestamp), atMs: nowMs };
      if (this.#usesArrival) this.#clock.report(this.#first.timestamp, nowMs);
    }
    this.order.push(packet, nowMs);
  }

  report(timestamp: number, senderMs: number): void {
    if (!this.#usesArrival && this.#first) this.#clock.report(this.continued(timestamp), senderMs);
  }

  /** Has arrival say when something was recorded, for good. */
  useArrival(): void {
    this.#usesArrival = true;
    this.#clock = new SenderClock(this.#rate);
    if (this.#first) this.#clock.report(this.#first.timestamp, this.#first.atMs);
  }
}

/** Makes frames of the packets of a client, and passes them to its session. */
export class WhipMedia {
  readonly #options: Options;
  readonly #video: Track;
  readonly #sound: Track | null;
  readonly #reader: FrameReader;
  #program: Promise<FlvProgram> | null = null;
  #encodesSound = false;
  #writing: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  #config: Buffer | null = null;
  /** Timestamp of the first picture that is passed on. */
  #begin: number | null = null;
  /** Of the last picture. */
  #lastMs = FIRST_PICTURE_MS;
  /** Whether pictures are left out until the next keyframe. */
  #skipsPictures = false;
  #isOver = false;

  constructor(options: Options) {
    this.#options = options;
    const { video, hasSound } = options.offer;
    this.#reader = new READERS[video.codec]({
      onConfig: ({ data }) => this.#describe(data),
      onFrame: (frame) => this.#picture(frame),
      onKeyframeNeeded: options.onKeyframeNeeded,
    });
    this.#video = new Track(VIDEO_HZ, {
      onPacket: (packet) => this.#reader.push(packet),
      onLost: () => this.#reader.lost(),
    });
    const onPacket = ({ timestamp, payload }: RtpPacket) => this.#soundPacket(timestamp, payload);
    this.#sound = hasSound ? new Track(SOUND_HZ, { onPacket, onLost: () => {} }) : null;
  }

  /** A packet of a track, as it came. */
  packet(kind: 'video' | 'audio', packet: RtpPacket): void {
    const track = kind === 'video' ? this.#video : this.#sound;
    if (!track || this.#isOver || packet.payload.length === 0) return;
    try {
      track.push(packet, this.#options.now());
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A sender report of a track (RFC 3550 section 6.4.1): when a timestamp was, by the clock of the client. */
  report(kind: 'video' | 'audio', timestamp: number, senderMs: number): void {
    (kind === 'video' ? this.#video : this.#sound)?.report(timestamp, senderMs);
  }

  /** Gives packets up that do not come; to be called now and then. */
  tick(): void {
    if (this.#isOver) return;
    try {
      for (const track of [this.#video, this.#sound]) track?.order.giveUp(this.#options.now());
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Nothing follows: waits for what is being encoded. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#writing;
    await (await this.#program?.catch(() => null))?.end().catch(() => {});
  }

  #describe(config: Buffer): void {
    this.#config = config;
    if (this.#begin !== null)
      this.#options.session.video(this.#lastMs, { kind: 'config', codec: 'avc1', data: config });
  }

  #picture({ timestamp: at, isKeyframe, data }: VideoFrame): void {
    const timestamp = this.#video.continued(at);
    if (this.#begin === null && !(isKeyframe && this.#isInStep())) return;
    if (this.#begin === null) this.#start(timestamp);
    const atMs = FIRST_PICTURE_MS + Math.round((1_000 * (timestamp - (this.#begin ?? timestamp))) / VIDEO_HZ);
    this.#lastMs = atMs;
    if (this.#options.offer.video.codec !== 'H264') return void this.#encodePicture(atMs, isKeyframe, data);
    const { session } = this.#options;
    session.video(atMs, { kind: 'frame', codec: 'avc1', isKeyframe, compositionMs: 0, nanoseconds: 0, data });
  }

  #start(timestamp: number): void {
    this.#begin = timestamp;
    const { session, offer } = this.#options;
    if (this.#config) session.video(this.#lastMs, { kind: 'config', codec: 'avc1', data: this.#config });
    if (offer.video.codec !== 'H264') this.#encode(offer.video.codec, this.#sound?.firstAtMs != null);
  }

  /** Pictures that are encoded wait for the sound that is: only sound that comes counts. */
  #encode(video: WhipVideoCodec, hasSound: boolean): void {
    const { tools, session } = this.#options;
    const tracks = [
      ...(video === 'H264' ? [] : [{ number: VIDEO_TRACK, codec: MATROSKA_CODECS[video] }]),
      ...(hasSound ? [{ number: SOUND_TRACK, codec: 'A_OPUS' as const }] : []),
    ];
    this.#encodesSound = hasSound;
    this.#program = FlvProgram.start(tools, whipSource(video, hasSound), session);
    this.#write(matroskaHeader(tracks));
  }

  /** Whether pictures and sound can be related. */
  #isInStep(): boolean {
    const [video, sound] = [this.#video, this.#sound];
    if (!sound || (video.clock.isKnown && sound.clock.isKnown)) return true;
    const sinceMs = Math.min(video.firstAtMs ?? Number.POSITIVE_INFINITY, sound.firstAtMs ?? Number.POSITIVE_INFINITY);
    if (this.#options.now() - sinceMs < REPORTS_MS) return false;
    video.useArrival();
    sound.useArrival();
    return true;
  }

  #encodePicture(atMs: number, isKeyframe: boolean, data: Buffer): void {
    if (isKeyframe) this.#skipsPictures = false;
    if (this.#waitingBytes > MOST_WAITING_BYTES) this.#skipsPictures = true;
    if (!this.#skipsPictures) this.#write(matroskaFrame(VIDEO_TRACK, atMs, isKeyframe, data));
  }

  #soundPacket(at: number, data: Buffer): void {
    const sound = this.#sound;
    const timestamp = sound?.continued(at);
    if (!sound || timestamp === undefined || this.#begin === null) return;
    const [senderMs, beginMs] = [sound.clock.timeOf(timestamp), this.#video.clock.timeOf(this.#begin)];
    if (senderMs === null || beginMs === null) return;
    const atMs = FIRST_PICTURE_MS + senderMs - beginMs;
    if (!this.#program) this.#encode('H264', true);
    if (atMs >= 0 && this.#encodesSound) this.#write(matroskaFrame(SOUND_TRACK, atMs, true, data));
  }

  /** One after the other, not faster than the program reads. */
  #write(bytes: Buffer): void {
    const program = this.#program;
    if (!program) return;
    this.#waitingBytes += bytes.length;
    this.#writing = this.#writing
      .then(async () => (await program).push(bytes))
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#waitingBytes -= bytes.length;
      });
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onFailed(error);
  }
}
