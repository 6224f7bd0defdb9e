import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHANNELS, type UpmixLayout } from '@reelgraph/upmix';
import type { ProcessAudioStage } from './stages.ts';

const PROGRAM = fileURLToPath(import.meta.resolve('@reelgraph/upmix/program'));
const MEMORY_BYTES = 2 * 1024 ** 3;

/**
 * The name of the stage; its version, raised with every change of what it makes of a track; and CPU seconds for a
 * second of sound that is measured.
 */
export const UPMIX = { id: 'upmix', version: 2, measuringCost: 0.06 } as const;

/** A run of the program of the stage: with a gain, it writes samples; without one, figures. */
export function upmixProgram(channels: number, layout: UpmixLayout, gain: number | null) {
  const source = channels === 1 ? 'mono' : 'stereo';
  const args = gain === null ? ['measure', source, layout] : ['upmix', source, layout, `${gain}`];
  return {
    program: process.execPath,
    args: [PROGRAM, ...args],
    readOnly: [dirname(PROGRAM)],
    memoryBytes: MEMORY_BYTES,
  };
}

/** Makes 5.1 or 7.1 of tracks in stereo or mono, with this gain of all channels: see `Upmixer`. */
export function upmixStage(layout: UpmixLayout, gain: number): ProcessAudioStage {
  return {
    ...{ id: UPMIX.id, version: UPMIX.version, kind: 'process-audio', scope: 'track', overlapFrames: 0 },
    appliesTo: ({ audio }) => audio !== null,
    costPerSecond: () => COST,
    output: ({ channels }) => (channels <= 2 ? CHANNELS[layout].length : null),
    program: ({ channels }) => upmixProgram(channels, layout, gain),
  };
}

/** CPU seconds for a second of sound. */
const COST = 0.04;
