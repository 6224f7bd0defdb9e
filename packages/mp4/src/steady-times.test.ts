import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AacEntry } from './sample-entry.ts';
import type { StandardInput } from './standard-input.ts';
import { unsteadyTimes } from './steady-times.ts';

type Standard = Extract<StandardInput, { standard: true }>;
const AAC = { kind: 'aac', codecs: 'mp4a.40.2', objectType: 2, sampleRate: 48_000, channels: 2 } as const;

/** Tracks whose samples last so many units each: of a millisecond for pictures, of 1/48000 s for sound. */
function input(pictures: readonly number[], packets: readonly number[] | null): Standard {
  const trackOf = (durations: readonly number[], timescale: number) => {
    const decodeTimes = new Float64Array(durations.length + 1);
    for (const [index, duration] of durations.entries()) decodeTimes[index + 1] = (decodeTimes[index] ?? 0) + duration;
    const samples = { count: durations.length, decodeTimes };
    return { track: { timescale }, samples, startTime: 0 };
  };
  const entry: AacEntry = { ...AAC, sbr: 'none', parametricStereo: false, bytes: Buffer.alloc(0) };
  // Only times and rates are read.
  return {
    standard: true,
    video: trackOf(pictures, 1_000),
    audio: packets && { ...trackOf(packets, 48_000), entry },
  } as unknown as Standard;
}
const times = (count: number, duration: number) => Array<number>(count).fill(duration);

describe('the times of tracks that were copied', () => {
  for (const [name, pictures, packets, expected] of [
    ['are steady at 25 pictures and 1024 samples a packet', times(100, 40), times(188, 1024), null],
    ['are steady without sound', times(100, 40), null, null],
    ['may round to milliseconds', times(90, 33).concat(34, 33, 33), times(50, 1008).concat(times(50, 1040)), null],
    ['may leave out pictures', [...times(20, 40), 3_000, ...times(20, 40)], times(50, 1024), null],
    ['may overlap a little where files were joined', times(50, 40), [...times(20, 1024), 1, ...times(20, 1024)], null],
    [
      'are not steady where sound has a gap',
      times(50, 40),
      [...times(20, 1024), 4_000, ...times(20, 1024)],
      'the times of packet 21 of sound jump',
    ],
    [
      'are not steady where the clock of the sound went back',
      times(50, 40),
      [...times(20, 1024), ...times(20, 1)],
      'the times of packet 22 of sound jump',
    ],
    [
      'are not steady where the clock of pictures went back',
      [...times(20, 40), ...times(10, 0.1)],
      null,
      'the times of picture 28 go back',
    ],
  ] as const)
    it(name, () => assert.equal(unsteadyTimes(input(pictures, packets)), expected));
});
