import type { StandardTrack } from '@reelgraph/mp4';

/** Samples of sound in a frame of AC-3, and of E-AC-3 as MP4 files have it (ETSI TS 102 366 section F.6.3). */
const FRAME_TICKS = 1536;
const TIMESCALE = 48_000;
/** Frames this far from their place are not noticed; containers round times to a millisecond. */
const MOST_SHIFT_SECONDS = 0.02;
/** How much shorter or longer than the video the sound may be. */
const MOST_REST_SECONDS = 0.5;

/**
 * Copied frames one after the other from the start of the video, as segments have them; null where they begin late,
 * have gaps or do not last as long as the video. Pure.
 */
export function withoutGaps<Found extends StandardTrack<unknown> & { readonly delaySeconds: number }>(
  found: Found,
  videoSeconds: number,
): Found | null {
  const { samples, track, startTime, delaySeconds } = found;
  const decodeTimes = Float64Array.from({ length: samples.count + 1 }, (_, sample) => sample * FRAME_TICKS);
  const shifted = samples.decodeTimes.some(
    (time, sample) => Math.abs(time - (decodeTimes[sample] ?? 0)) > MOST_SHIFT_SECONDS * TIMESCALE,
  );
  const seconds = ((decodeTimes[samples.count] ?? 0) - startTime) / TIMESCALE;
  const fits = Math.abs(seconds - videoSeconds) <= MOST_REST_SECONDS && delaySeconds <= MOST_SHIFT_SECONDS;
  return track.timescale !== TIMESCALE || shifted || !fits ? null : { ...found, samples: { ...samples, decodeTimes } };
}
