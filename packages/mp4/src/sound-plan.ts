import type { Cut } from './cut-plan.ts';
import { firstFrom } from './first-from.ts';
import type { SampleIndex } from './sample-index.ts';
import type { SoundFormat } from './sound-file.ts';
import type { SoundTrack } from './sound-track.ts';

/** Sound that is encoded beside pictures that are copied, segment by segment. Plain data. */
export interface SoundSource extends SoundFormat {
  /** When playback begins, in the time scale. */
  readonly startTime: number;
  /** ISO 639-2/T; null where it is undetermined. */
  readonly language: string | null;
  /** When segments begin, in seconds from 0, and when the last one ends. */
  readonly starts: readonly number[];
  readonly endSeconds: number;
}

/** The name of the track in the index of segments. */
export const SOUND_TRACK = 'sound';
/**
 * What is decoded before a segment: decoders need some packets until they are exact (MP3 has bits in up to ten packets
 * before, Opus and HE-AAC settle over some), and encoders some more.
 */
const LEAD_SECONDS = 1.6;
/** And after it: the packet that a segment ends with, and those that the encoder looks at. */
const TAIL_SECONDS = 0.25;
/** What is decoded for a segment is held in memory: 15 seconds of eight channels at 96 kHz in 32 bits have less. */
const MAX_SEGMENT_BYTES = 48_000_000;
/** How much longer or shorter than the pictures the sound may be. */
const MOST_REST_SECONDS = 10;

/** How sound is cut beside pictures with these cuts; a reason where it lasts much longer or shorter. Pure. */
export function planSound(
  { track, entry, samples, startTime, frameBytes }: SoundTrack,
  cuts: readonly Cut[],
): { readonly source: SoundSource; readonly blocks: Cut[] } | string {
  const { timescale, language } = track;
  const videoEnd = cuts.at(-1)?.endSeconds ?? 0;
  const soundEnd = ((samples.decodeTimes[samples.count] ?? 0) - startTime) / timescale;
  if (Math.abs(soundEnd - videoEnd) > MOST_REST_SECONDS)
    return `sound ends after ${soundEnd} s, the picture ${videoEnd}`;
  const endSeconds = Math.max(soundEnd, videoEnd);
  const starts = cuts.map(({ startSeconds }) => startSeconds);
  const source = { entry, timescale, frameBytes, startTime, language, starts, endSeconds };
  const blocks = starts.map((startSeconds, index) => {
    const end = starts[index + 1] ?? endSeconds;
    return { ...samplesBetween(samples, startTime, timescale, startSeconds, end), startSeconds, endSeconds: end };
  });
  const tooLarge = blocks.some(({ first, end }) => bytesOf(samples, first, end) > MAX_SEGMENT_BYTES);
  return tooLarge ? `sound of a segment has more than ${MAX_SEGMENT_BYTES} bytes` : { source, blocks };
}

function bytesOf({ sizes }: SampleIndex, first: number, end: number): number {
  return sizes.subarray(first, end).reduce((sum, size) => sum + size, 0);
}

/** The samples that are decoded for a part of the track, one at least. */
function samplesBetween(
  { decodeTimes, count }: SampleIndex,
  startTime: number,
  timescale: number,
  fromSeconds: number,
  toSeconds: number,
): { first: number; end: number } {
  const times = decodeTimes.subarray(0, count);
  const firstAt = (seconds: number) => firstFrom(times, startTime + seconds * timescale);
  const first = Math.min(count - 1, Math.max(0, firstAt(fromSeconds - LEAD_SECONDS) - 1));
  return { first, end: Math.max(first + 1, firstAt(toSeconds + TAIL_SECONDS)) };
}
