import { firstTrack, readExtensions } from './flv-extensions.ts';
import { RtmpError } from './rtmp-error.ts';

/** FourCC of a video codec. */
export type VideoCodec = 'avc1' | 'hvc1' | 'av01' | 'vp09' | 'vp08' | 'vvc1';

/** What a video message has. */
export type VideoTag =
  /** The decoder configuration record: `avcC`, `hvcC`, `av1C`, `vpcC` or `vvcC`, without a box header. */
  | { readonly kind: 'config'; readonly codec: VideoCodec; readonly data: Buffer }
  | {
      readonly kind: 'frame';
      readonly codec: VideoCodec;
      readonly isKeyframe: boolean;
      /** Milliseconds from the timestamp of the message to the time at which the picture is shown. */
      readonly compositionMs: number;
      /** Nanoseconds that are added to the timestamp of the message: below a millisecond. */
      readonly nanoseconds: number;
      /** As in MP4: NAL units with their lengths, or OBUs. */
      readonly data: Buffer;
    }
  /** The sequence ends. */
  | { readonly kind: 'end'; readonly codec: VideoCodec };

const CODECS: ReadonlySet<string> = new Set(['avc1', 'hvc1', 'av01', 'vp09', 'vp08', 'vvc1']);
/** Codecs of NAL units, whose frames have a composition time. */
const WITH_COMPOSITION: ReadonlySet<VideoCodec> = new Set(['avc1', 'hvc1', 'vvc1']);
/** CodecID of FLV (Video File Format 10.1, section E.4.3.1); 12 was never specified, and means HEVC in practice. */
const LEGACY: Readonly<Record<number, VideoCodec>> = { 7: 'avc1', 12: 'hvc1' };
const KEYFRAME = 1;
/** A video info or command frame. */
const COMMAND_FRAME = 5;
/** VideoPacketType of Enhanced RTMP v2. */
const PACKET = { start: 0, frames: 1, end: 2, framesWithoutComposition: 3 } as const;

/**
 * Reads a video message, with a header of FLV or of Enhanced RTMP (v2, section "Enhanced Video"). Null for what is not
 * needed: metadata of colours, commands, other tracks than the first, and the last packets of what has no frames.
 * @throws RtmpError for an unknown codec, and where it is too short.
 */
export function readVideo(message: Buffer): VideoTag | null {
  const first = message[0];
  if (first === undefined) return null;
  return (first & 0x80) === 0 ? readLegacy(message, first) : readEnhanced(message, first);
}

function readLegacy(message: Buffer, first: number): VideoTag | null {
  if (first >> 4 === COMMAND_FRAME) return null;
  const codec = LEGACY[first & 0x0f];
  if (codec === undefined) throw new RtmpError(`Video of the FLV codec ${first & 0x0f} is not supported.`);
  if (message.length < 5) throw new RtmpError('A video message is too short.');
  const type = message.readUInt8(1);
  const data = message.subarray(5);
  if (type === PACKET.start) return { kind: 'config', codec, data };
  if (type === PACKET.end) return { kind: 'end', codec };
  const compositionMs = message.readIntBE(2, 3);
  return { kind: 'frame', codec, isKeyframe: first >> 4 === KEYFRAME, compositionMs, nanoseconds: 0, data };
}

function readEnhanced(message: Buffer, first: number): VideoTag | null {
  const frameType = (first >> 4) & 7;
  const { type, nanoseconds, body } = readExtensions(message, first & 0x0f);
  if (type > PACKET.framesWithoutComposition && !isMultitrack(type)) return null;
  if (frameType === COMMAND_FRAME) return null;
  const track = firstTrack(body, isMultitrack(type) ? null : type);
  if (track === null) return null;
  const codec = codecOf(track.fourCc);
  if (track.type === PACKET.start) return { kind: 'config', codec, data: track.data };
  if (track.type === PACKET.end) return { kind: 'end', codec };
  const isFrame = track.type === PACKET.frames || track.type === PACKET.framesWithoutComposition;
  if (!isFrame) return null;
  const hasComposition = track.type === PACKET.frames && WITH_COMPOSITION.has(codec);
  if (hasComposition && track.data.length < 3) throw new RtmpError('A video message is too short.');
  return {
    ...{ kind: 'frame', codec, isKeyframe: frameType === KEYFRAME, nanoseconds },
    compositionMs: hasComposition ? track.data.readIntBE(0, 3) : 0,
    data: hasComposition ? track.data.subarray(3) : track.data,
  };
}

/** VideoPacketType.Multitrack. */
function isMultitrack(type: number): boolean {
  return type === 6;
}

function codecOf(fourCc: string): VideoCodec {
  if (!CODECS.has(fourCc)) throw new RtmpError(`Video of the codec ${JSON.stringify(fourCc)} is not supported.`);
  return fourCc as VideoCodec; // one of the set
}
