/**
 * Receives what encoders publish by RTMP and Enhanced RTMP, bytes in, frames with their timestamps out, and publishes
 * it elsewhere. README.md has an example.
 */
export type { Amf0Object, Amf0Value } from './amf0.ts';
export type { AudioCodec, AudioTag } from './flv-audio.ts';
export { type FlvHandlers, FlvReader } from './flv-reader.ts';
export type { VideoCodec, VideoTag } from './flv-video.ts';
export { writeAudio, writeVideo } from './flv-writer.ts';
export { Publisher, type PublisherHandlers, type PublishTarget } from './publisher.ts';
export { PublishRefusedError, RtmpError } from './rtmp-error.ts';
export {
  type PublishRequest,
  PublishSession,
  type Refusal,
  type SessionHandlers,
  type SessionLimits,
} from './session.ts';
