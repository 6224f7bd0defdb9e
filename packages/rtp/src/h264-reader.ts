import { PacketizedFrames, type Piece, type VideoFrame } from './frame-reader.ts';

/** Types of NAL units (ITU-T H.264 table 7-1), and those that RTP adds (RFC 6184 section 5.2). */
const NAL = { idr: 5, sps: 7, pps: 8, delimiter: 9, filler: 12, stapA: 24, fuA: 28 } as const;
/** Profiles from this one on say the chroma format and the bit depths (ISO/IEC 14496-15 section 5.3.3.1.2). */
const HIGH = 100;
/** 4:2:0 with 8 bits, without further parameter sets: what encoders send by WebRTC. */
const HIGH_FORMAT = [0xfd, 0xf8, 0xf8, 0];

/** H.264 in RTP (RFC 6184): single NAL units, and the non-interleaved mode. */
export class H264Reader extends PacketizedFrames {
  #sps: Buffer | null = null;
  #pps: Buffer | null = null;
  #config: Buffer | null = null;

  protected override piece(payload: Buffer): Piece | null {
    const type = typeOf(payload);
    if (isUnit(type)) return { bytes: [payload], continues: false };
    if (type === NAL.stapA) return aggregated(payload);
    return type === NAL.fuA ? fragment(payload) : null;
  }

  protected override frame(units: readonly Buffer[]): Omit<VideoFrame, 'timestamp'> | null {
    const kept: Buffer[] = [];
    for (const unit of units) {
      const type = typeOf(unit);
      if (type === NAL.sps) this.#sps = unit;
      else if (type === NAL.pps) this.#pps = unit;
      else if (type !== NAL.delimiter && type !== NAL.filler) kept.push(unit);
    }
    const first = kept.find((unit) => typeOf(unit) <= NAL.idr);
    if (!first || !isFirstSlice(first)) return null;
    const isKeyframe = kept.some((unit) => typeOf(unit) === NAL.idr);
    if (isKeyframe) this.#describe();
    return this.#config ? { isKeyframe, data: withLengths(kept) } : null;
  }

  /** The configuration of the keyframe, if it is another one. */
  #describe(): void {
    if (!this.#sps || !this.#pps || this.#sps.length < 4) return;
    const config = avcC(this.#sps, this.#pps);
    if (this.#config?.equals(config)) return;
    this.#config = config;
    this.handlers.onConfig?.({ data: config });
  }
}

function typeOf(unit: Buffer): number {
  return (unit[0] ?? 0) & 0x1f;
}

/** Of a NAL unit by itself. */
function isUnit(type: number): boolean {
  return type >= 1 && type < NAL.stapA;
}

/** Whether a slice begins with the first macroblock (ITU-T H.264 section 7.3.3): a single bit says so. */
function isFirstSlice(slice: Buffer): boolean {
  return ((slice[1] ?? 0) & 0x80) !== 0;
}

/** NAL units with their lengths before them (section 5.7.1). */
function aggregated(payload: Buffer): Piece | null {
  const bytes: Buffer[] = [];
  for (let at = 1; at < payload.length; ) {
    if (at + 2 > payload.length) return null;
    const size = payload.readUInt16BE(at);
    const unit = payload.subarray(at + 2, at + 2 + size);
    if (unit.length < size || !isUnit(typeOf(unit))) return null;
    bytes.push(unit);
    at += 2 + size;
  }
  return bytes.length > 0 ? { bytes, continues: false } : null;
}

/** A part of a NAL unit (section 5.8). */
function fragment(payload: Buffer): Piece | null {
  const [indicator, header] = payload;
  if (indicator === undefined || header === undefined || !isUnit(header & 0x1f)) return null;
  const rest = payload.subarray(2);
  if ((header & 0x80) === 0) return { bytes: [rest], continues: true };
  const start = Buffer.from([(indicator & 0xe0) | (header & 0x1f)]);
  return { bytes: [Buffer.concat([start, rest])], continues: false };
}

function withLengths(units: readonly Buffer[]): Buffer {
  return Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.allocUnsafe(4);
      length.writeUInt32BE(unit.length);
      return [length, unit];
    }),
  );
}

/** The record of a decoder configuration with one set of each kind (ISO/IEC 14496-15 section 5.3.3.1). */
function avcC(sps: Buffer, pps: Buffer): Buffer {
  const sized = (set: Buffer) => Buffer.concat([Buffer.from([set.length >> 8, set.length & 0xff]), set]);
  const head = Buffer.concat([Buffer.from([1]), sps.subarray(1, 4), Buffer.from([0xff, 0xe1])]);
  const format = sps.readUInt8(1) === HIGH ? HIGH_FORMAT : [];
  return Buffer.concat([head, sized(sps), Buffer.from([1]), sized(pps), Buffer.from(format)]);
}
