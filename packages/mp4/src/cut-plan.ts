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
/** Segments of renditions that players switch between. */
const SHARED = { least: 2, most: 6 } as const;
/** Of times of keyframes: that every 2 s and that every 6 s are wanted. */
const TOLERANCE_SECONDS = 0.01;

/** Sync samples that follow another one faster are passed over: of a file with nothing else there may be millions. */
const CLOSEST_SECONDS = 0.039;

/** How a video is cut at its sync samples. */
export interface VideoCuts {
  readonly cuts: readonly Cut[];
  /** Whether all segments last 2 to 6 seconds, the last one less, so that other renditions can have them, too. */
  readonly areShared: boolean;
  /** When its sync samples are shown, in seconds from the start, rising; at most 26 in a second. */
  readonly keyframes: readonly number[];
}

/**
 * Cuts a video into segments of 2 to 6 seconds at its sync samples, as near to 4 as these allow; where they do not
 * allow any, of about 4 seconds and longer. Pure.
 */
export function cutVideo(video: StandardTrack<unknown>): VideoCuts {
  const { samples, startTime, track } = video;
  const secondsAt = (sample: number): number =>
    ((samples.decodeTimes[sample] ?? 0) + (samples.shifts?.[sample] ?? 0) - startTime) / track.timescale;
  const endSeconds = presentationEnd(video);
  const places: number[] = [];
  const keyframes: number[] = [];
  for (let index = 0; index < (samples.sync?.length ?? samples.count); index += 1) {
    const sample = samples.sync?.[index] ?? index;
    const at = index === 0 ? 0 : secondsAt(sample);
    if (index > 0 && at - (keyframes.at(-1) ?? 0) < CLOSEST_SECONDS) continue;
    places.push(sample);
    keyframes.push(at);
  }
  const shared = sharedStarts(keyframes, endSeconds);
  const starts = (shared ?? longStarts(keyframes, endSeconds)).map((index) => places[index] ?? 0);
  const cuts = starts.map((first, index) => {
    const end = starts[index + 1] ?? samples.count;
    return {
      first,
      end,
      startSeconds: index === 0 ? 0 : secondsAt(first),
      endSeconds: end === samples.count ? endSeconds : secondsAt(end),
    };
  });
  return { cuts, areShared: shared !== null, keyframes };
}

/** The keyframes with which segments begin that last at least 4 seconds. */
function longStarts(keyframes: readonly number[], end: number): number[] {
  const starts = [0];
  for (const [index, at] of keyframes.entries()) {
    const begun = keyframes[starts.at(-1) ?? 0] ?? 0;
    // Half a frame of tolerance, so that a keyframe every 4 s is a cut every 4 s.
    if (at >= begun + TARGET_SECONDS - TOLERANCE_SECONDS && end - at >= SHORTEST_SECONDS) starts.push(index);
  }
  return starts;
}

/**
 * The keyframes with which segments begin that last 2 to 6 seconds (the last one from 1), with the least squares of
 * differences to 4; null where there are none. Pure.
 */
export function sharedStarts(keyframes: readonly number[], end: number): number[] | null {
  const { least, most } = SHARED;
  // From the end: the cost of all that follows a keyframe, and where its segment ends; -1 at the end of the video.
  const costs = new Float64Array(keyframes.length).fill(Number.POSITIVE_INFINITY);
  const next = new Int32Array(keyframes.length).fill(-1);
  const offDistance = (seconds: number) => (seconds - TARGET_SECONDS) ** 2;
  for (let index = keyframes.length - 1; index >= 0; index -= 1) {
    const at = keyframes[index] ?? 0;
    const left = end - at;
    const isLast = left <= most + TOLERANCE_SECONDS && (left >= SHORTEST_SECONDS || index === 0);
    let best = isLast ? offDistance(left) : Number.POSITIVE_INFINITY;
    for (let after = index + 1; after < keyframes.length; after += 1) {
      const length = (keyframes[after] ?? 0) - at;
      if (length > most + TOLERANCE_SECONDS) break;
      const cost = (costs[after] ?? 0) + offDistance(length);
      if (length < least - TOLERANCE_SECONDS || cost >= best) continue;
      best = cost;
      next[index] = after;
    }
    costs[index] = best;
  }
  if (!Number.isFinite(costs[0])) return null;
  const starts = [0];
  for (let index = next[0] ?? -1; index >= 0; index = next[index] ?? -1) starts.push(index);
  return starts;
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
