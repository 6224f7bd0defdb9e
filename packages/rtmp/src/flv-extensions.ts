import { RtmpError } from './rtmp-error.ts';

/** VideoPacketType and AudioPacketType of a message whose header has modifiers (Enhanced RTMP v2). */
const MODIFIERS = 7;
/** Of a modifier: nanoseconds below the millisecond of the timestamp. */
const NANOSECONDS = 0;
/** AvMultitrackType: one track; several of one codec; several of several codecs. */
const TRACKS = { one: 0, many: 1, manyCodecs: 2 } as const;

interface Extended {
  /** Of the packet. */
  readonly type: number;
  readonly nanoseconds: number;
  /** From its FourCC on, or from the type of tracks on. */
  readonly body: Buffer;
}

/** Reads the modifiers of an enhanced header, from its second byte on. */
export function readExtensions(message: Buffer, type: number): Extended {
  let [at, found, nanoseconds] = [1, type, 0];
  while (found === MODIFIERS) {
    let size = byteAt(message, at) + 1;
    at += 1;
    if (size === 256) {
      size = 256 * byteAt(message, at) + byteAt(message, at + 1) + 1;
      at += 2;
    }
    const data = message.subarray(at, at + size);
    at += size;
    const last = byteAt(message, at);
    at += 1;
    if (last >> 4 === NANOSECONDS && data.length >= 3) nanoseconds = data.readUIntBE(0, 3);
    found = last & 0x0f;
  }
  return { type: found, nanoseconds, body: message.subarray(at) };
}

interface Track {
  readonly type: number;
  readonly fourCc: string;
  readonly data: Buffer;
}

/**
 * The first track, of which a message is whose type is given; null where a message has others only.
 * @throws RtmpError where it is too short.
 */
export function firstTrack(body: Buffer, type: number | null): Track | null {
  if (type !== null) return { type, fourCc: fourCcAt(body, 0), data: body.subarray(4) };
  const kind = byteAt(body, 0) >> 4;
  const inner = byteAt(body, 0) & 0x0f;
  let at = 1;
  const shared = kind === TRACKS.manyCodecs ? null : fourCcAt(body, at);
  if (shared !== null) at += 4;
  while (at < body.length) {
    const fourCc = shared ?? fourCcAt(body, at);
    if (shared === null) at += 4;
    const id = byteAt(body, at);
    at += 1;
    if (kind === TRACKS.one) return id === 0 ? { type: inner, fourCc, data: body.subarray(at) } : null;
    if (body.length < at + 3) throw new RtmpError('A message with several tracks is too short.');
    const size = body.readUIntBE(at, 3);
    at += 3;
    if (id === 0) return { type: inner, fourCc, data: body.subarray(at, at + size) };
    at += size;
  }
  return null;
}

function fourCcAt(bytes: Buffer, at: number): string {
  if (bytes.length < at + 4) throw new RtmpError('A message ends before the name of its codec.');
  return bytes.toString('latin1', at, at + 4);
}

function byteAt(bytes: Buffer, at: number): number {
  const found = bytes[at];
  if (found === undefined) throw new RtmpError('A message ends within its header.');
  return found;
}
