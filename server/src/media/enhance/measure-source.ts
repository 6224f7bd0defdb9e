import type { UpmixFigures } from '@reelgraph/upmix';
import { explainEncodeError } from '../encode/encode-errors.ts';
import { chunkLimits } from '../encode/encode-limits.ts';
import { type EncodePlan, layoutOf, stagesOfPlan } from '../encode/encode-plan.ts';
import { pipedAudio } from '../encode/piped/piped-args.ts';
import type { Runner } from '../runner.ts';
import { UPMIX, upmixProgram } from '../stages/upmix-stage.ts';

export interface MeasureOptions {
  readonly inputPath: string;
  /** An empty or missing folder for temporary files. Remove it when done, or when this throws. */
  readonly workDir: string;
  readonly signal: AbortSignal;
}

/**
 * Upmixes the track of a plan without encoding it, in the sandbox.
 * @throws AppError TRANSCODE_FAILED where the file cannot be decoded; RunError `aborted` when it was stopped.
 */
export async function measureSource(
  runner: Runner,
  plan: EncodePlan,
  { inputPath, workDir, signal }: MeasureOptions,
): Promise<UpmixFigures> {
  const [chunk] = plan.chunks;
  const piped = chunk?.kind === 'audio' ? pipedAudio(plan, chunk.folder, stagesOfPlan(plan)) : null;
  const { audio } = plan.facts;
  if (!chunk || !piped || !audio || !plan.upmix) throw new Error('The plan upmixes nothing.');
  await runner.prepareWorkDir(workDir);
  const limits = chunkLimits(plan, chunk);
  const { program, args, readOnly, memoryBytes } = upmixProgram(audio.channels, layoutOf(plan.upmix), null);
  const background = true;
  const decoder = {
    ...{ name: 'decoder', program: 'ffmpeg', args: piped.decode },
    options: { cwd: workDir, inputs: [inputPath], limits, background },
  };
  const meter = {
    ...{ name: UPMIX.id, program, args },
    options: { readOnly, limits: { ...limits, memoryBytes }, background },
  };
  try {
    const results = await runner.runPiped([decoder, meter], { signal });
    // The program prints nothing else.
    return JSON.parse(results.at(-1)?.stdout ?? '') as UpmixFigures;
  } catch (error) {
    throw explainEncodeError(error);
  }
}
