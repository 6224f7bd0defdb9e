import type { RtpPacket } from './packet-order.ts';

/** A picture. */
export interface VideoFrame {
  /** Of RTP, in units of 1/90,000 s, modulo 2^32. */
  readonly timestamp: number;
  readonly isKeyframe: boolean;
  /** Of H.264: NAL units with lengths of four bytes, as in MP4. */
  readonly data: Buffer;
}

/** A decoder configuration. */
export interface VideoConfig {
  /** Of H.264: the `avcC` record (ISO/IEC 14496-15 section 5.3.3.1). */
  readonly data: Buffer;
}

export interface ReaderHandlers {
  readonly onFrame: (frame: VideoFrame) => void;
  /** The configuration of the frames that follow, where the codec has one; again when it changes. */
  readonly onConfig?: (config: VideoConfig) => void;
  /** Frames cannot be decoded until the next keyframe, which is to be asked for (RFC 4585 section 6.3.1). */
  readonly onKeyframeNeeded: () => void;
}

/** Makes frames of the packets of one source. */
export interface FrameReader {
  /** The next packet, in order. */
  push(packet: RtpPacket): void;
  /** Packets before the next one are missing. */
  lost(): void;
}

/** More than the keyframe of any encoder for the web. */
const MOST_BYTES = 16 * 1024 ** 2;

/** What a packet adds to a frame: whole units or beginnings of one, or more of the last unit. */
export interface Piece {
  readonly bytes: readonly Buffer[];
  readonly continues: boolean;
}

/** What codecs have in common: the packets of a frame have one timestamp, and the last one has a marker. */
export abstract class PacketizedFrames implements FrameReader {
  protected readonly handlers: ReaderHandlers;
  #timestamp: number | null = null;
  #units: Buffer[][] = [];
  #bytes = 0;
  /** Whether all packets of the present frame came. */
  #isWhole = true;
  /** Whether frames depend on one that is missing. */
  #needsKeyframe = true;

  constructor(handlers: ReaderHandlers) {
    this.handlers = handlers;
  }

  /** Reads the payload of a packet; null where it is malformed. */
  protected abstract piece(payload: Buffer): Piece | null;

  /** The frame of its units; null where it has no picture, or its beginning is missing. */
  protected abstract frame(units: readonly Buffer[]): Omit<VideoFrame, 'timestamp'> | null;

  push({ timestamp, marker, payload }: RtpPacket): void {
    if (timestamp !== this.#timestamp) this.#complete();
    this.#timestamp = timestamp;
    this.#bytes += payload.length;
    const piece = this.#bytes > MOST_BYTES ? null : this.piece(payload);
    if (!piece || !this.#add(piece)) this.#isWhole = false;
    if (marker) this.#complete();
  }

  lost(): void {
    if (this.#timestamp !== null) this.#isWhole = false;
    this.#needKeyframe();
  }

  /** Whether it fits what came before. */
  #add({ bytes, continues }: Piece): boolean {
    if (!continues) this.#units.push(...bytes.map((each) => [each]));
    else this.#units.at(-1)?.push(...bytes);
    return this.#units.length > 0;
  }

  #complete(): void {
    const [timestamp, units, isWhole] = [this.#timestamp, this.#units, this.#isWhole];
    [this.#timestamp, this.#units, this.#bytes] = [null, [], 0];
    if (timestamp === null) return;
    this.#isWhole = true;
    if (!isWhole) return void this.#needKeyframe();
    const frame = this.frame(units.map((parts) => (parts.length === 1 && parts[0]) || Buffer.concat(parts)));
    if (frame?.isKeyframe) this.#needsKeyframe = false;
    if (this.#needsKeyframe) this.handlers.onKeyframeNeeded();
    else if (frame) this.handlers.onFrame({ timestamp, ...frame });
  }

  #needKeyframe(): void {
    this.#needsKeyframe = true;
    this.handlers.onKeyframeNeeded();
  }
}
