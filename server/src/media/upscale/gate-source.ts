import { explainEncodeError } from '../encode/encode-errors.ts';
import { chunkLimits } from '../encode/encode-limits.ts';
import { type EncodePlan, stagesOfPlan } from '../encode/encode-plan.ts';
import { sizesOf } from '../encode/encoder-args.ts';
import { pipedVideo } from '../encode/piped/piped-args.ts';
import { videoSteps } from '../encode/piped/staged.ts';
import { fastestOf } from '../encode/video-filters.ts';
import type { Runner } from '../runner.ts';
import type { Gated } from './gate.ts';
import { UPSCALE, upscaleProgram } from './upscale-stage.ts';

export interface GateSourceOptions {
  readonly inputPath: string;
  /** An empty or missing folder for temporary files. Remove it when done, or when this throws. */
  readonly workDir: string;
  readonly signal: AbortSignal;
}

/** CPU seconds for a million pixels of a source that the gate decides on, with decoding. */
export const GATE_COST = 0.025;

/**
 * Decides in the sandbox how each scene of the video of a plan is enlarged.
 * @throws AppError TRANSCODE_FAILED where the file cannot be decoded; RunError `aborted` when it was stopped.
 */
export async function gateSource(
  runner: Runner,
  plan: EncodePlan,
  { inputPath, workDir, signal }: GateSourceOptions,
): Promise<Gated> {
  const { facts, upscale } = plan;
  const stages = stagesOfPlan(plan);
  const whole = { kind: 'video' as const, number: 0, startFrame: 0, endFrame: null, firstSegment: 0 };
  const piped = pipedVideo(plan, whole, stages);
  const step = facts.video && videoSteps(facts.video, stages).find(({ stage }) => stage.id === UPSCALE.id);
  if (!piped || !upscale || !step) throw new Error('The plan upscales nothing.');
  await runner.prepareWorkDir(workDir);
  const limits = chunkLimits(plan, whole);
  const { frameRate } = fastestOf(sizesOf(plan).all);
  const given = { ...step.input, frameRate, firstFrame: 0 };
  const { program, args, readOnly = [], memoryBytes } = upscaleProgram('measure', upscale, given);
  const background = true;
  const decoder = {
    ...{ name: 'decoder', program: 'ffmpeg', args: piped.decode },
    options: { cwd: workDir, inputs: [inputPath], limits, background },
  };
  const gate = {
    ...{ name: UPSCALE.id, program, args },
    options: { readOnly, limits: { ...limits, memoryBytes }, background },
  };
  try {
    const results = await runner.runPiped([decoder, gate], { signal });
    // The program prints nothing else.
    return JSON.parse(results.at(-1)?.stdout ?? '') as Gated;
  } catch (error) {
    throw explainEncodeError(error);
  }
}
