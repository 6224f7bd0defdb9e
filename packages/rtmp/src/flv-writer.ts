import type { AudioTag } from './flv-audio.ts';
import type { VideoCodec, VideoTag } from './flv-video.ts';

/** Codecs whose frames have a composition time (Enhanced RTMP v2, section "Enhanced Video"). */
const WITH_COMPOSITION: ReadonlySet<VideoCodec> = new Set(['avc1', 'hvc1', 'vvc1']);
/** FrameType, in the upper half of the first byte. */
const KEYFRAME = 0x10;
const INTER_FRAME = 0x20;
/** CodecID of H.264 (Video File Format 10.1, section E.4.3.1). */
const H264 = 7;
/** SoundFormat 10 with the rate, size and channels that AAC always has here (section E.4.2.1). */
const AAC = 0xaf;
/** Of a header of Enhanced RTMP: IsExHeader of video, and SoundFormat 9. */
const ENHANCED = { video: 0x80, audio: 0x90 } as const;
const PACKET = { config: 0, frame: 1, end: 2 } as const;

/**
 * The message of a video tag: H.264 with the header of FLV, which every server reads, others with that of Enhanced
 * RTMP. What is below a millisecond is left out.
 */
export function writeVideo(tag: VideoTag): Buffer {
  const { codec, kind } = tag;
  const packet = PACKET[kind];
  const frameType = kind === 'frame' && !tag.isKeyframe ? INTER_FRAME : KEYFRAME;
  const data = kind === 'end' ? [] : [tag.data];
  const composition = signed24(kind === 'frame' ? tag.compositionMs : 0);
  if (codec === 'avc1') return Buffer.concat([Buffer.from([frameType | H264, packet]), composition, ...data]);
  const header = Buffer.from([ENHANCED.video | frameType | packet]);
  const timed = kind === 'frame' && WITH_COMPOSITION.has(codec) ? [composition] : [];
  return Buffer.concat([header, Buffer.from(codec, 'latin1'), ...timed, ...data]);
}

/** The message of an audio tag: AAC with the header of FLV, others, and the end, with that of Enhanced RTMP. */
export function writeAudio(tag: AudioTag): Buffer {
  const { codec, kind } = tag;
  if (codec === 'mp4a' && kind !== 'end') return Buffer.concat([Buffer.from([AAC, PACKET[kind]]), tag.data]);
  const header = Buffer.from([ENHANCED.audio | PACKET[kind]]);
  return Buffer.concat([header, Buffer.from(codec, 'latin1'), ...(kind === 'end' ? [] : [tag.data])]);
}

function signed24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeIntBE(value, 0, 3);
  return bytes;
}
