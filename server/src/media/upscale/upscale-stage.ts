import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { megapixelsPerSecond, type ProcessVideoStage, type RawFrames, type StageProgram } from '../encode/stages.ts';
import { toNumber } from '../inspect/fraction.ts';
import { type GateFigures, type Scene, spellScenes } from './gate.ts';
import { type ModelName, modelFile } from './models.ts';
import type { UpscaleSettings } from './upscale-program.ts';
import { runtimeFiles } from './upscaler-files.ts';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const MEMORY_BYTES = 3 * 1024 ** 3;

/** The name of the stage; its version, raised with every change of what it makes of a picture. */
export const UPSCALE = { id: 'upscale', version: 1 } as const;

/** How a video is upscaled. Plain data: stored with the plan. */
export interface UpscalePlan {
  /** Nominal lines of the rendition. */
  readonly target: number;
  readonly model: ModelName;
  /** Of the enlargement; its result is scaled to the target. */
  readonly factor: UpscaleFactor;
  /** Those of the whole video. */
  readonly scenes: readonly Scene[];
  /** What the gate measured; absent before. */
  readonly figures?: GateFigures;
}

export type UpscaleFactor = 2 | 4;

/** CPU seconds for a million pixels that are doubled in width and height, with chroma. */
const DOUBLING_COST = 0.36;

/** CPU seconds for a million pixels that are enlarged. */
export function enlargingCost(factor: UpscaleFactor): number {
  return factor === 2 ? DOUBLING_COST : 5 * DOUBLING_COST;
}

/** Enlarges pictures, each scene as the plan has it. */
export function upscaleStage(plan: UpscalePlan): ProcessVideoStage {
  const { factor } = plan;
  return {
    ...{ id: UPSCALE.id, version: UPSCALE.version, kind: 'process-video', scope: 'chunk', overlapFrames: 0 },
    pixelFormat: 'yuv420p',
    appliesTo: ({ video }) => video !== null,
    costPerSecond: ({ video }) => enlargingCost(factor) * megapixelsPerSecond(video),
    output: ({ width, height, pixelFormat }) => ({ width: factor * width, height: factor * height, pixelFormat }),
    program: (input) => upscaleProgram('enlarge', plan, input),
  };
}

/** A run of the program of the stage: `enlarge` writes frames, `measure` what the gate decides. */
export function upscaleProgram(
  command: 'enlarge' | 'measure',
  { model, factor, scenes }: UpscalePlan,
  { width, height, frameRate, firstFrame }: RawFrames,
): StageProgram {
  const models = passesOf(model, factor).map(modelFile);
  const framesPerSecond = toNumber(frameRate);
  const spelled = command === 'enlarge' ? spellScenes(scenes) : '';
  const settings: UpscaleSettings = { width, height, models, factor, framesPerSecond, firstFrame, scenes: spelled };
  return {
    program: process.execPath,
    args: [join(FOLDER, 'upscale-program.ts'), command, JSON.stringify(settings)],
    readOnly: [FOLDER, ...runtimeFiles(), ...models],
    memoryBytes: MEMORY_BYTES,
  };
}

/** The models that make the factor, one after the other: what the first one has enlarged is clean. */
function passesOf(model: ModelName, factor: UpscaleFactor): ModelName[] {
  return factor === 2 ? [model] : [model, 'clean'];
}
