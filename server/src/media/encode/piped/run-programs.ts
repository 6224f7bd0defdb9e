import { rename, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunLimits, RunResult } from '@reelgraph/sandbox';
import { toNumber } from '../../inspect/fraction.ts';
import type { Runner } from '../../runner.ts';
import { ENCODER, StageError, stageErrorOf } from '../../stages/stage-error.ts';
import type { ProcessStage, Stage, StageProgram } from '../../stages/stages.ts';
import type { EncodeChunk, EncodePlan } from '../encode-plan.ts';
import { SAMPLES } from '../verify/samples.ts';
import { type PipedChunk, pipedAudio, pipedVideo, RECEIVED } from './piped-args.ts';
import { countedSamples, type FrameWindow } from './piped-filters.ts';

export interface RunProgramsOptions {
  readonly inputPath: string;
  readonly workDir: string;
  /** Of ffmpeg. */
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  /** Of the encoder. */
  readonly onStdoutLine: (line: string) => void;
  /** Of the decoder. */
  readonly onStderrLine: (line: string) => void;
  readonly background: boolean;
  readonly stallMs?: number;
}

/** How programs change a chunk; null where none does. Pure. */
export function pipedChunk(plan: EncodePlan, chunk: EncodeChunk, stages: readonly Stage[]): PipedChunk | null {
  return chunk.kind === 'video' ? pipedVideo(plan, chunk, stages) : pipedAudio(plan, chunk.folder, stages);
}

/** What `runPrograms` leaves. */
export interface ProgramsResult {
  readonly cpuMs: number;
  /** Of the decoder. */
  readonly stderrTail: string;
  /** The folder with the renditions, and with what they are compared with for verification. */
  readonly workDir: string;
}

/**
 * Decodes a chunk, passes it through the programs, and encodes what the last one writes, each process in a sandbox of
 * its own. Nothing but pipes is between them.
 * @throws StageError when a program fails, stops working, or loses something.
 */
export async function runPrograms(
  runner: Runner,
  plan: EncodePlan,
  chunk: EncodeChunk,
  piped: PipedChunk,
  { inputPath, workDir, limits, signal, onStdoutLine, onStderrLine, background, stallMs }: RunProgramsOptions,
): Promise<ProgramsResult> {
  await runner.prepareWorkDir(workDir, ['decoded', 'encoded']);
  const [decoded, encoded] = [join(workDir, 'decoded'), join(workDir, 'encoded')];
  const stages = piped.programs.map(({ stage }) => stage);
  const own = piped.programs.map(({ stage, program }) => programLimits(plan, chunk, stage, program));
  // Each waits for the others.
  const wallMs = Math.max(limits.wallMs, ...own.map((each) => each.wallMs));
  const commands = [
    {
      ...{ name: 'decoder', program: 'ffmpeg', args: piped.decode },
      options: { cwd: decoded, inputs: [inputPath], limits: { ...limits, wallMs }, background, onStderrLine },
    },
    ...piped.programs.map(({ stage, program: { program, args, readOnly = [], devices = [] } }, index) => ({
      ...{ name: stage.id, program, args },
      options: { limits: { ...limits, ...own[index], wallMs }, readOnly, devices, background },
    })),
    {
      ...{ name: ENCODER, program: 'ffmpeg', args: piped.encode },
      options: { cwd: encoded, limits: { ...limits, wallMs }, background, onStdoutLine, maxStdoutBytes: 0 },
    },
  ];
  let results: readonly RunResult[];
  try {
    results = await runner.runPiped(commands, { signal, ...(stallMs === undefined ? {} : { stallMs }) });
  } catch (error) {
    throw stageErrorOf(error, stages);
  }
  const [first, last] = [results[0]?.stderrTail ?? '', results.at(-1)?.stderrTail ?? ''];
  const isWhole = piped.window
    ? await collectSamples(decoded, encoded, piped.window)
    : countedSamples(first) === countedSamples(last);
  if (!isWhole) throw new StageError(stages, 'incomplete');
  return { cpuMs: results.reduce((sum, { cpuMs }) => sum + cpuMs, 0), stderrTail: first, workDir: encoded };
}

/** Of a program on this machine, in what it is expected to take. */
const MOST_TIMES_COST = 20;

function programLimits(
  { facts, timeline }: EncodePlan,
  chunk: EncodeChunk,
  stage: ProcessStage,
  { memoryBytes }: StageProgram,
): RunLimits {
  const whole = (facts.durationMs ?? 0) / 1000;
  const seconds =
    chunk.kind === 'video' && chunk.endFrame !== null
      ? (chunk.endFrame - chunk.startFrame) / toNumber(timeline.baseRate)
      : whole;
  const cpuSeconds = Math.ceil(300 + MOST_TIMES_COST * seconds * stage.costPerSecond(facts));
  return { cpuSeconds, memoryBytes, outputBytes: 0, wallMs: 2000 * cpuSeconds };
}

/**
 * Puts what the decoder left for the verification beside the renditions, without the frames around the chunk.
 * @returns Whether the encoder received as many frames as were decoded.
 */
async function collectSamples(decoded: string, encoded: string, { before, count }: FrameWindow): Promise<boolean> {
  const { source, counted } = SAMPLES.video;
  const given = (await stat(join(decoded, counted))).size;
  const received = (await stat(join(encoded, RECEIVED))).size;
  const ofChunk = Math.max(0, given - before);
  await truncate(join(decoded, counted), count === null ? ofChunk : Math.min(ofChunk, count));
  for (const file of [source, counted]) await rename(join(decoded, file), join(encoded, file));
  return given === received;
}
