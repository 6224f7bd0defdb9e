import {
  type GateFigures,
  type GpuFiles,
  isOwnModel,
  type ModelFile,
  type OperatorModel,
  OWN_FACTS,
  type Provider,
  type Scene,
  SMOOTHED_FRAMES,
  spellScenes,
  UPSCALE_MODELS,
  type UpscaleSettings,
  upscaleCommand,
} from '@reelgraph/upscale';
import { toNumber } from '../inspect/fraction.ts';
import { megapixelsPerSecond, type ProcessVideoStage, type RawFrames, type StageProgram } from './stages.ts';

/** The name of the stage; its version, raised with every change of what it makes of a picture. */
export const UPSCALE = { id: 'upscale', version: 2 } as const;

/** How a video is upscaled. Plain data: stored with the plan. */
export interface UpscalePlan {
  /** Nominal lines of the rendition. */
  readonly target: number;
  /** The name of one of ours, or of one of the operator. */
  readonly model: string;
  /** What is known of a model of the operator. */
  readonly operator?: OperatorModel;
  /** Of the enlargement; its result is scaled to the target. */
  readonly factor: UpscaleFactor;
  /** Those of the whole video. */
  readonly scenes: readonly Scene[];
  /** What the gate measured; absent before. */
  readonly figures?: GateFigures;
  /** How it is run where it is run; not stored. Default: one of ours, on the CPU. */
  readonly here?: ModelHere;
}

export type UpscaleFactor = 2 | 3 | 4;

/** How a model is run on a machine. */
export interface ModelHere {
  /** Of the file of a model of the operator. */
  readonly path?: string;
  readonly provider: Provider;
  readonly gpu: GpuFiles;
}

/** CPU seconds for a million pixels that one of our models doubles in width and height, with chroma. */
export const DOUBLING_COST = 0.36;
/** Likewise, for a million enlarged pixels beside a model of the operator: chroma, and the filter. */
const RESAMPLING_COST = 0.03;
/** For a million enlarged pixels, whatever the model. */
const SMOOTHING_COST = 0.01;

/** CPU seconds for a million pixels that are enlarged. */
export function enlargingCost({ factor, operator }: Pick<UpscalePlan, 'factor' | 'operator'>): number {
  const ours = factor === 2 ? DOUBLING_COST : 5 * DOUBLING_COST;
  const byModel = operator ? operator.cost + RESAMPLING_COST * factor ** 2 : ours;
  return byModel + SMOOTHING_COST * factor ** 2;
}

/** Enlarges pictures, each scene as the plan has it. */
export function upscaleStage(plan: UpscalePlan): ProcessVideoStage {
  const { factor } = plan;
  return {
    ...{ id: UPSCALE.id, version: UPSCALE.version, kind: 'process-video', scope: 'chunk' },
    overlapFrames: SMOOTHED_FRAMES,
    pixelFormat: 'yuv420p',
    appliesTo: ({ video }) => video !== null,
    costPerSecond: ({ video }) => enlargingCost(plan) * megapixelsPerSecond(video),
    output: ({ width, height, pixelFormat }) => ({ width: factor * width, height: factor * height, pixelFormat }),
    program: (input) => upscaleProgram('enlarge', plan, input),
  };
}

/** A run of the program of the stage: `enlarge` writes frames, `measure` what the gate decides. */
export function upscaleProgram(
  command: 'enlarge' | 'measure',
  { scenes, ...plan }: UpscalePlan,
  { width, height, frameRate, firstFrame }: RawFrames,
): StageProgram {
  const { factor, here } = plan;
  const models = passesOf(plan);
  const provider = here?.provider ?? 'cpu';
  const gpu = here && provider !== 'cpu' ? here.gpu : null;
  const framesPerSecond = toNumber(frameRate);
  const spelled = command === 'enlarge' ? spellScenes(scenes) : '';
  const frames = { width, height, factor, framesPerSecond, firstFrame };
  const settings: UpscaleSettings = { ...frames, models, provider, scenes: spelled };
  return upscaleCommand(command, settings, gpu);
}

/**
 * The models that make the factor, one after the other: what the first of ours has enlarged is clean. A model of the
 * operator makes its factor alone.
 */
function passesOf({ model, factor, operator, here }: Omit<UpscalePlan, 'scenes'>): ModelFile[] {
  if (operator) {
    if (here?.path === undefined) throw new Error(`It is not known where the model ${model} is.`);
    return [{ path: here.path, facts: operator.facts, digest: operator.digest }];
  }
  if (!isOwnModel(model)) throw new Error(`There is no model ${model}.`);
  const own = factor === 2 ? ([model] as const) : ([model, 'clean'] as const);
  return own.map((name) => ({ path: UPSCALE_MODELS[name], facts: OWN_FACTS, digest: null }));
}
