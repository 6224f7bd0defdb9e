import {
  aacStreamEntry,
  av1StreamEntry,
  h264StreamEntry,
  hevcStreamEntry,
  type StreamFrame,
  type VideoFrame,
} from '@reelgraph/mp4';
import type { AudioTag, VideoTag } from '@reelgraph/rtmp';
import { type Text, t } from '../../../kernel/languages/message.ts';
import {
  type LiveStream,
  type LiveTracks,
  type LiveVideoEntry,
  LONGEST_KEYFRAME_SECONDS,
} from '../packaging/live-stream.ts';

/** Sound is waited for so long, if it is not announced: some encoders describe it after their first pictures. */
const SOUND_PATIENCE_MS = 1_000;
/** What waits meanwhile. */
const MOST_WAITING_BYTES = 16 * 1024 ** 2;

/** Why what an encoder sends cannot be broadcast. */
export class EncoderError extends Error {
  readonly text: Text;

  constructor(text: Text) {
    super(String(text));
    this.name = 'EncoderError';
    this.text = text;
  }
}

type Frame =
  | { readonly track: 'video'; readonly frame: VideoFrame }
  | { readonly track: 'audio'; readonly frame: StreamFrame };

/**
 * Passes what an encoder sends to a live stream, once it is known which tracks it has.
 * @throws EncoderError where it cannot be broadcast; Mp4Error where a decoder configuration is malformed.
 */
export class EncoderInput {
  readonly #stream: LiveStream;
  readonly #longestUnbrokenMs: number;
  #video: LiveVideoEntry | null = null;
  #audio: LiveTracks['audio'] = null;
  #hasBegun = false;
  #waiting: Frame[] = [];
  #waitingBytes = 0;
  #firstTimestamp: number | null = null;
  #lastPicture: number | null = null;
  /** Since the last keyframe. */
  #unbrokenMs = 0;

  /** `keyframeSeconds`: without a keyframe for so long, the stream is refused. */
  constructor(stream: LiveStream, keyframeSeconds = LONGEST_KEYFRAME_SECONDS) {
    [this.#stream, this.#longestUnbrokenMs] = [stream, 1_000 * keyframeSeconds];
  }

  video(timestamp: number, tag: VideoTag): void {
    if (tag.kind === 'end') return;
    if (tag.kind === 'config') {
      this.#video = videoEntry(tag);
      this.#describe();
      return;
    }
    if (this.#video === null)
      throw new EncoderError(t`The encoder sends pictures without their decoder configuration.`);
    const { data, isKeyframe, compositionMs } = tag;
    this.#checkKeyframes(timestamp, isKeyframe);
    this.#take({ track: 'video', frame: { timestamp, data, isKeyframe, compositionMs } }, timestamp);
  }

  audio(timestamp: number, tag: AudioTag): void {
    if (tag.kind === 'end') return;
    if (tag.codec !== 'mp4a')
      throw new EncoderError(t`Sound in ${tag.codec} cannot be broadcast. Set the audio encoder to AAC.`);
    if (tag.kind === 'config') {
      this.#audio = aacStreamEntry(tag.data);
      this.#describe();
      return;
    }
    if (this.#audio === null) return;
    this.#checkPictures(timestamp);
    this.#take({ track: 'audio', frame: { timestamp, data: tag.data } }, timestamp);
  }

  /** A decoder configuration changes what follows, once the stream has begun. */
  #describe(): void {
    if (this.#hasBegun && this.#video) this.#stream.begin({ video: this.#video, audio: this.#audio });
  }

  #take(frame: Frame, timestamp: number): void {
    if (this.#hasBegun) {
      this.#pass(frame);
      return;
    }
    this.#firstTimestamp ??= timestamp;
    this.#waiting.push(frame);
    this.#waitingBytes += frame.frame.data.length;
    if (this.#waitingBytes > MOST_WAITING_BYTES) throw tooMuch();
    const isOver = elapsedMs(this.#firstTimestamp, timestamp) >= SOUND_PATIENCE_MS;
    if (this.#video === null || (this.#audio === null && !isOver)) return;
    this.#hasBegun = true;
    this.#stream.begin({ video: this.#video, audio: this.#audio });
    for (const each of this.#waiting.splice(0)) this.#pass(each);
  }

  #pass(each: Frame): void {
    if (each.track === 'video') this.#stream.video(each.frame);
    else this.#stream.audio(each.frame);
  }

  #checkKeyframes(timestamp: number, isKeyframe: boolean): void {
    this.#unbrokenMs = isKeyframe ? 0 : this.#unbrokenMs + stepMs(this.#lastPicture, timestamp);
    this.#lastPicture = timestamp;
    if (this.#unbrokenMs > this.#longestUnbrokenMs)
      throw new EncoderError(
        t`No keyframe came for ${LONGEST_KEYFRAME_SECONDS} seconds. Set the keyframe interval of the encoder to 2
          seconds.`,
      );
  }

  /** Sound without a picture is not broadcast. */
  #checkPictures(timestamp: number): void {
    if (this.#lastPicture !== null || this.#firstTimestamp === null) return;
    if (elapsedMs(this.#firstTimestamp, timestamp) > 1_000 * LONGEST_KEYFRAME_SECONDS)
      throw new EncoderError(t`The encoder sends sound and no picture. Add a video source.`);
  }
}

/** From one picture to the next; 0 where the clock of the encoder has jumped. */
function stepMs(before: number | null, timestamp: number): number {
  const step = before === null ? 0 : elapsedMs(before, timestamp);
  return step > 1_000 * LONGEST_KEYFRAME_SECONDS ? 0 : step;
}

/** From one timestamp to a later one, modulo 2^32. */
function elapsedMs(from: number, to: number): number {
  return (((to - from) % 2 ** 32) + 2 ** 32) % 2 ** 32;
}

function tooMuch(): EncoderError {
  return new EncoderError(t`The encoder sends too much before its first keyframe.`);
}

function videoEntry({ codec, data }: Extract<VideoTag, { kind: 'config' }>): LiveVideoEntry {
  switch (codec) {
    case 'avc1':
      return h264StreamEntry(data);
    case 'hvc1':
      return hevcStreamEntry(data);
    case 'av01':
      return av1StreamEntry(data);
    default:
      throw new EncoderError(t`Pictures in ${codec} cannot be broadcast. Set the video encoder to H.264, HEVC or AV1.`);
  }
}
