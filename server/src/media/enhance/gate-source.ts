import type { Gated } from '@reelgraph/upscale';
import { explainEncodeError } from '../encode/encode-errors.ts';
import { chunkLimits } from '../encode/encode-limits.ts';
import { type EncodePlan, stagesOfPlan } from '../encode/encode-plan.ts';
import { sizesOf } from '../encode/encoder-args.ts';
import { pipedVideo } from '../encode/piped/piped-args.ts';
import { fastestOf } from '../encode/video-filters.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import type { Runner } from '../runner.ts';
import { StageError, stageErrorOf } from '../stages/stage-error.ts';
import { videoSteps } from '../stages/staged.ts';
import { megapixelsPerSecond } from '../stages/stages.ts';
import { UPSCALE, type UpscalePlan, upscaleProgram } from '../stages/upscale-stage.ts';

export interface GateSourceOptions {
  readonly inputPath: string;
  /** An empty or missing folder for temporary files. Remove it when done, or when this throws. */
  readonly workDir: string;
  readonly signal: AbortSignal;
}

/** CPU seconds for a million pixels of a source that the gate decides on with one of our models, with decoding. */
const GATE_COST = 0.025;
/** Frames that are tested in a second: see `Gate`. */
const TESTED_PER_SECOND = 4;
/** Of a program on this machine, in what it is expected to take. */
const MOST_TIMES_COST = 20;

/** CPU seconds for which the gate decides on a source. Pure. */
export function gateSeconds({ video, durationMs }: MediaFacts, upscale: Pick<UpscalePlan, 'factor' | 'operator'>) {
  if (video === null) return 0;
  const { factor, operator } = upscale;
  const seconds = (durationMs ?? 0) / 1000;
  const tested = (TESTED_PER_SECOND * video.width * video.height) / 1e6 / factor ** 2;
  return seconds * (GATE_COST * megapixelsPerSecond(video) + (operator ? operator.cost * tested : 0));
}

/**
 * Decides in the sandbox how each scene of the video of a plan is enlarged.
 * @throws AppError TRANSCODE_FAILED where the file cannot be decoded; StageError where the model fails; RunError
 *   `aborted` when it was stopped.
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
  const { program, args, readOnly = [], devices = [], memoryBytes } = upscaleProgram('measure', upscale, given);
  const cpuSeconds = limits.cpuSeconds + MOST_TIMES_COST * gateSeconds(facts, upscale);
  const ownLimits = { ...limits, memoryBytes, cpuSeconds, wallMs: 2000 * cpuSeconds };
  const background = true;
  const decoder = {
    ...{ name: 'decoder', program: 'ffmpeg', args: piped.decode },
    options: { cwd: workDir, inputs: [inputPath], limits: { ...limits, wallMs: ownLimits.wallMs }, background },
  };
  const gate = {
    ...{ name: UPSCALE.id, program, args },
    options: { readOnly, devices, limits: ownLimits, background },
  };
  try {
    const results = await runner.runPiped([decoder, gate], { signal });
    // The program prints nothing else.
    return JSON.parse(results.at(-1)?.stdout ?? '') as Gated;
  } catch (error) {
    const explained = stageErrorOf(error, [step.stage]);
    throw explained instanceof StageError ? explained : explainEncodeError(error);
  }
}
