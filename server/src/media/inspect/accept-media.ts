import { allOf, type Message, phrase, type Text, t } from '../../kernel/languages/message.ts';
import { codecName } from './codecs.ts';
import type { MediaFacts } from './media-facts.ts';

/** Limits of a source. */
export interface MediaLimits {
  readonly maxDurationMs: number;
  /** Maximum coded width and height. */
  readonly maxSidePixels: number;
  /** Of faster ones, not all pictures are shown. */
  readonly maxFrameRate: number;
}

export const DEFAULT_MEDIA_LIMITS: MediaLimits = {
  maxDurationMs: 12 * 3_600_000,
  maxSidePixels: 8192,
  maxFrameRate: 480,
};

/** Whether a file can be processed; a refusal has a message and a suggested fix for the uploader. */
export type MediaAcceptance =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: 'TRANSCODE_FAILED'; readonly message: Text; readonly suggestedFix: Text };

const EXPORT_AGAIN = t`Export the video again, for example as MP4 with H.264 and AAC, and upload that file.`;

/** Checks a probed file against `limits`. Pure. `toneMapping`: whether this machine can map HDR video to SDR. */
export function acceptMedia(
  facts: MediaFacts,
  limits: MediaLimits = DEFAULT_MEDIA_LIMITS,
  toneMapping = true,
): MediaAcceptance {
  const { video, audio, undecodable } = facts;
  const refuse = (message: Text, suggestedFix: Text = EXPORT_AGAIN): MediaAcceptance => ({
    ok: false,
    code: 'TRANSCODE_FAILED',
    message,
    suggestedFix,
  });

  if (video === null && undecodable.video.length > 0) {
    return refuse(
      t`The video is encoded as ${allOf(undecodable.video.map(codecName))}, which this server does not decode.`,
    );
  }
  if (video === null && audio === null) {
    if (undecodable.audio.length > 0)
      return refuse(
        t`The sound is encoded as ${allOf(undecodable.audio.map(codecName))}, which this server does not decode.`,
      );
    return refuse(t`The file holds neither video nor audio that can be played.`);
  }
  if (facts.durationMs === null || facts.durationMs < 1)
    return refuse(t`The file has no playable content: its duration is zero.`);
  if (facts.durationMs > limits.maxDurationMs) {
    return refuse(
      t`The video is ${spoken(facts.durationMs)} long; the limit is ${spoken(limits.maxDurationMs)}.`,
      t`Cut the video into parts and upload them separately.`,
    );
  }
  if (video === null) return { ok: true };
  if (video.width < 2 || video.height < 2 || video.displayWidth < 2 || video.displayHeight < 2) {
    return refuse(t`The picture is ${video.width} x ${video.height} pixels, which is too small to be a video.`);
  }
  if (Math.max(video.width, video.height, video.displayWidth, video.displayHeight) > limits.maxSidePixels) {
    return refuse(
      t`The picture is ${video.width} x ${video.height} pixels; the limit is ${limits.maxSidePixels} on each side.`,
      t`Export the video at ${limits.maxSidePixels} pixels or less on each side, for example 3840 x 2160.`,
    );
  }
  if (video.pixelFormat === 'unknown')
    return refuse(t`The video stream is damaged: no picture could be decoded from it.`);
  if (video.hdr !== null && !toneMapping)
    return refuse(
      t`The video is HDR, which this server cannot convert.`,
      t`Export the video in standard dynamic range (SDR).`,
    );
  return { ok: true };
}

/** `2 h 5 min`, `4 min 10 s` or `12 s`. */
export function spoken(durationMs: number): Message {
  const seconds = Math.round(durationMs / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  if (hours > 0) return minutes > 0 ? phrase`${hours} h ${minutes} min` : phrase`${hours} h`;
  if (minutes > 0) return rest > 0 ? phrase`${minutes} min ${rest} s` : phrase`${minutes} min`;
  return phrase`${rest} s`;
}
