import { fileURLToPath } from 'node:url';
import { type ProcessAudioStage, type ProcessVideoStage, STAGES, type Stage } from '../../stages/stages.ts';

const PROGRAM = fileURLToPath(new URL('./toy-program.fixture.mjs', import.meta.url));
const MEMORY_BYTES = 1024 ** 3;

/** What a program does wrong, at a frame that it reads, or at the end. */
export interface ToyFault {
  readonly fault?: 'die' | 'leave' | 'hang' | 'lose' | 'double' | 'part';
  readonly at?: number;
  /** An argument by which its process is found. */
  readonly marker?: string;
}

/** Doubles the sides of pictures, and writes their numbers into them; each depends on the frames beside it. */
export function frameCounter(fault: ToyFault = {}): ProcessVideoStage {
  return {
    ...{ id: 'frame-counter', version: 1, kind: 'process-video', scope: 'chunk', overlapFrames: 1 },
    pixelFormat: 'yuv420p',
    appliesTo: ({ video }) => video !== null,
    costPerSecond: () => 0.1,
    output: ({ width, height, pixelFormat }) => ({ width: 2 * width, height: 2 * height, pixelFormat }),
    program: ({ width, height, firstFrame }) => program('video', { width, height, firstFrame, ...fault }),
  };
}

/** Makes 5.1 of stereo. */
export function surroundMaker(fault: ToyFault = {}): ProcessAudioStage {
  return {
    ...{ id: 'surround-maker', version: 1, kind: 'process-audio', scope: 'track', overlapFrames: 0 },
    appliesTo: ({ audio }) => audio !== null,
    costPerSecond: () => 0.01,
    output: ({ channels }) => (channels === 2 ? 6 : null),
    program: ({ channels }) => program('audio', { channels, output: 6, ...fault }),
  };
}

/** Passes frames on as they are. */
export const unchanged: ProcessVideoStage = {
  ...{ id: 'unchanged', version: 1, kind: 'process-video', scope: 'chunk', overlapFrames: 2 },
  pixelFormat: 'yuv420p',
  appliesTo: ({ video }) => video !== null,
  costPerSecond: () => 0.001,
  output: (picture) => picture,
  program: () => ({ program: 'cat', args: [], memoryBytes: MEMORY_BYTES }),
};

function program(kind: string, settings: object) {
  const args = [PROGRAM, kind, JSON.stringify(settings)];
  return { program: process.execPath, args, readOnly: [PROGRAM], memoryBytes: MEMORY_BYTES };
}

/** All stages of the platform, and these. */
export function withStages(...stages: readonly Stage[]): readonly Stage[] {
  return [...STAGES, ...stages];
}
