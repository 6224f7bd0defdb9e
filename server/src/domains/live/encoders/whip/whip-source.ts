import { t } from '../../../../kernel/languages/message.ts';
import type { FlvSource } from '../../ingest/flv-program.ts';

/** Codecs of pictures; H.264 is broadcast as it comes. */
export type WhipVideoCodec = 'H264' | 'VP8' | 'VP9';

const KEYFRAME_SECONDS = 2;
const SOUND_BPS = 160_000;
/** Streams are described by their headers and first frames. */
const DESCRIBED = ['-analyzeduration', '500000', '-fpsprobesize', '0'];
/** For a browser's pictures, at about what browsers send. */
const VIDEO = [
  ...['-map', '0:v:0', '-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'],
  ...['-crf', '23', '-maxrate', '6M', '-bufsize', '6M', '-sc_threshold', '0'],
  ...['-force_key_frames', `expr:gte(t,n_forced*${KEYFRAME_SECONDS})`, '-g', '600'],
];
/** Sound keeps the pace of its timestamps, also where packets are missing. */
const SOUND = [
  ...['-map', '0:a:0', '-c:a', 'aac', '-b:a', `${SOUND_BPS}`, '-ar', '48000', '-ac', '2'],
  ...['-af', 'aresample=async=1000'],
];

/** What ffmpeg encodes of what comes by WebRTC: Opus as AAC, and pictures that are not H.264. */
export function whipSource(video: WhipVideoCodec, hasSound: boolean): FlvSource {
  return {
    arguments: [
      ...[...DESCRIBED, '-f', 'matroska', '-i', 'pipe:0', '-copyts'],
      ...(video === 'H264' ? [] : VIDEO),
      ...(hasSound ? SOUND : []),
    ],
    faultIn: () => t`What the browser sends cannot be decoded.`,
  };
}
