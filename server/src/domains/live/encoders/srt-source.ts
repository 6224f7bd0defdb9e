import { RtmpError } from '@reelgraph/rtmp';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { EncoderError } from '../ingest/encoder-input.ts';
import type { FlvSource } from '../ingest/flv-program.ts';

/** ffmpeg describes the streams after so much of them: more than the keyframe interval that encoders are asked for. */
const DESCRIBED_MS = 2_500;
/** More than comes in that time. */
const DESCRIBED_BYTES = 32_000_000;

/** MPEG-TS with H.264 and AAC, without encoding. */
export const SRT_SOURCE: FlvSource = {
  arguments: [
    ...['-analyzeduration', `${DESCRIBED_MS * 1_000}`, '-probesize', `${DESCRIBED_BYTES}`],
    ...['-f', 'mpegts', '-i', 'pipe:0', '-map', '0:v:0?', '-map', '0:a:0?', '-c', 'copy'],
  ],
  faultIn,
};

function faultIn(stderr: string): Text {
  const [, track, codec = ''] = /(Video|Audio) codec (\S+) not compatible with flv/.exec(stderr) ?? [];
  if (track === 'Video')
    return t`Pictures in ${codec} cannot be received by SRT. Set the video encoder to H.264, or publish by RTMP.`;
  if (track === 'Audio') return t`Sound in ${codec} cannot be broadcast. Set the audio encoder to AAC.`;
  if (/incompatible with output codec id/.test(stderr))
    return t`The encoder sends a codec that cannot be received by SRT. Set it to H.264 and AAC.`;
  if (/dimensions not set/.test(stderr))
    return t`The encoder begins without a keyframe. Set its keyframe interval to 2 seconds.`;
  return t`The encoder does not send MPEG-TS with H.264 and AAC.`;
}

/** What is wrong with an encoder that sends by SRT, for its channel; null where the error is not of the encoder. */
export function faultOfSrt(error: unknown): Text | null {
  if (error instanceof EncoderError) return error.text;
  return error instanceof RtmpError ? t`What the encoder sends cannot be received by SRT: ${error.message}` : null;
}
