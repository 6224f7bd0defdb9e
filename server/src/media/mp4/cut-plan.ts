import type { StandardTrack } from './standard-input.ts';

/** A segment of a track: samples from `first` up to `end`, and how long it is shown, in seconds from the start. */
export interface Cut {
  readonly first: number;
  readonly end: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

const TARGET_SECONDS = 4;
/** A last segment shorter than this is part of the one before. */
const SHORTEST_SECONDS = 1;

/**
 * Cuts a video into segments of about 4 seconds at its sync samples; longer where its groups of pictures are. Pure.
 */
export function cutVideo(video: StandardTrack<unknown>): Cut[] {
  const { samples, startTime, track } = video;
  const secondsAt = (sample: number): number =>
    ((samples.decodeTimes[sample] ?? 0) + (samples.shifts?.[sample] ?? 0) - startTime) / track.timescale;
  const endSeconds = presentationEnd(video);
  const places = samples.sync ?? Uint32Array.from({ length: samples.count }, (_, sample) => sample);
  const starts: number[] = [0];
  for (const sample of places) {
    const begun = secondsAt(starts.at(-1) ?? 0);
    const at = secondsAt(sample);
    // Half a frame of tolerance, so that a keyframe every 4 s is a cut every 4 s.
    if (at >= begun + TARGET_SECONDS - 0.01 && endSeconds - at >= SHORTEST_SECONDS) starts.push(sample);
  }
  return starts.map((first, index) => {
    const end = starts[index + 1] ?? samples.count;
    return {
      first,
      end,
      startSeconds: index === 0 ? 0 : secondsAt(first),
      endSeconds: end === samples.count ? endSeconds : secondsAt(end),
    };
  });
}

/** Cuts sound at the times of the video's cuts: each segment begins with the first sample that begins there. Pure. */
export function cutAudio(
  { samples, startTime, track }: StandardTrack<unknown>,
  video: readonly Pick<Cut, 'endSeconds'>[],
): Cut[] {
  const secondsAt = (sample: number): number => ((samples.decodeTimes[sample] ?? 0) - startTime) / track.timescale;
  let sample = 0;
  const cuts: Cut[] = [];
  for (const [index, cut] of video.entries()) {
    const first = sample;
    const last = index === video.length - 1;
    while (sample < samples.count && (last || secondsAt(sample) < cut.endSeconds)) sample += 1;
    if (sample > first)
      cuts.push({ first, end: sample, startSeconds: Math.max(0, secondsAt(first)), endSeconds: secondsAt(sample) });
  }
  return cuts;
}

/** When the last picture ends, in seconds from the start of playback. */
function presentationEnd({ samples, startTime, track }: StandardTrack<unknown>): number {
  let end = 0;
  for (let sample = 0; sample < samples.count; sample += 1) {
    const duration = (samples.decodeTimes[sample + 1] ?? 0) - (samples.decodeTimes[sample] ?? 0);
    end = Math.max(end, (samples.decodeTimes[sample] ?? 0) + (samples.shifts?.[sample] ?? 0) + duration);
  }
  return (end - startTime) / track.timescale;
}
