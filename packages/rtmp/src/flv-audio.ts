import { firstTrack, readExtensions } from './flv-extensions.ts';
import { RtmpError } from './rtmp-error.ts';

/** FourCC of an audio codec; MP3 has the one of Enhanced RTMP. */
export type AudioCodec = 'mp4a' | 'Opus' | 'ac-3' | 'ec-3' | 'fLaC' | '.mp3';

/** What an audio message has. */
export type AudioTag =
  /** `AudioSpecificConfig` of AAC, the identification header of Opus, `STREAMINFO` of FLAC. */
  | { readonly kind: 'config'; readonly codec: AudioCodec; readonly data: Buffer }
  /** `nanoseconds` are added to the timestamp of the message: below a millisecond. */
  | { readonly kind: 'frame'; readonly codec: AudioCodec; readonly nanoseconds: number; readonly data: Buffer }
  | { readonly kind: 'end'; readonly codec: AudioCodec };

const CODECS: ReadonlySet<string> = new Set(['mp4a', 'Opus', 'ac-3', 'ec-3', 'fLaC', '.mp3']);
/** SoundFormat of FLV (Video File Format 10.1, section E.4.2.1), and of Enhanced RTMP. */
const FORMAT = { mp3: 2, enhanced: 9, aac: 10 } as const;
/** AudioPacketType of Enhanced RTMP v2. */
const PACKET = { start: 0, frames: 1, end: 2, multitrack: 5 } as const;

/**
 * Reads an audio message, with a header of FLV or of Enhanced RTMP (v2, section "Enhanced Audio"). Null for what is not
 * needed: the order of channels, and other tracks than the first.
 * @throws RtmpError for an unknown codec, and where it is too short.
 */
export function readAudio(message: Buffer): AudioTag | null {
  const first = message[0];
  if (first === undefined) return null;
  const format = first >> 4;
  if (format === FORMAT.enhanced) return readEnhanced(message, first);
  if (format === FORMAT.mp3) return { kind: 'frame', codec: '.mp3', nanoseconds: 0, data: message.subarray(1) };
  if (format !== FORMAT.aac) throw new RtmpError(`Sound of the FLV format ${format} is not supported.`);
  const type = message[1];
  if (type === undefined) throw new RtmpError('An audio message is too short.');
  const data = message.subarray(2);
  return type === PACKET.start
    ? { kind: 'config', codec: 'mp4a', data }
    : { kind: 'frame', codec: 'mp4a', nanoseconds: 0, data };
}

function readEnhanced(message: Buffer, first: number): AudioTag | null {
  const { type, nanoseconds, body } = readExtensions(message, first & 0x0f);
  if (type > PACKET.end && type !== PACKET.multitrack) return null;
  const track = firstTrack(body, type === PACKET.multitrack ? null : type);
  if (track === null || track.type > PACKET.end) return null;
  const { fourCc, data } = track;
  if (!CODECS.has(fourCc)) throw new RtmpError(`Sound of the codec ${JSON.stringify(fourCc)} is not supported.`);
  const codec = fourCc as AudioCodec; // one of the set
  if (track.type === PACKET.start) return { kind: 'config', codec, data };
  return track.type === PACKET.end ? { kind: 'end', codec } : { kind: 'frame', codec, nanoseconds, data };
}
