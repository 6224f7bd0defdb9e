import type { StandardInput } from './standard-input.ts';

/** Samples over which times are compared: single ones may be rounded, or late. */
const RUN = 8;
const MOST_PICTURES_PER_SECOND = 1_000;
/** Samples of a packet of AAC. */
const AAC_SAMPLES = 1024;
/** Sound and picture may be this far apart. */
const MOST_SHIFT_SECONDS = 0.04;

/**
 * Where the times of a file jump; null where they are steady: sound is without gaps, and pictures do not go back. For
 * files that were copied from containers whose clock may be reset: a muxer that must write rising times gives
 * pictures after a jump back nearly the same ones. Pure.
 */
export function unsteadyTimes({ video, audio }: Extract<StandardInput, { standard: true }>): string | null {
  const pictures = video.samples.decodeTimes;
  for (let sample = RUN; sample < video.samples.count; sample += 1) {
    const seconds = ((pictures[sample] ?? 0) - (pictures[sample - RUN] ?? 0)) / video.track.timescale;
    if (seconds < RUN / MOST_PICTURES_PER_SECOND) return `the times of picture ${sample} go back`;
  }
  if (audio === null) return null;
  const packets = audio.samples.decodeTimes;
  const expected = (RUN * AAC_SAMPLES) / audio.entry.sampleRate;
  for (let sample = RUN; sample < audio.samples.count; sample += 1) {
    const seconds = ((packets[sample] ?? 0) - (packets[sample - RUN] ?? 0)) / audio.track.timescale;
    if (Math.abs(seconds - expected) > MOST_SHIFT_SECONDS) return `the times of packet ${sample} of sound jump`;
  }
  return null;
}
