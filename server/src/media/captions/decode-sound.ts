import { join } from 'node:path';
import { explainEncodeError } from '../encode/encode-errors.ts';
import { pinnedInput } from '../inspect/probe.ts';
import type { Runner } from '../runner.ts';

const FILE_NAME = 'sound.pcm';
const MEMORY_BYTES = 2 * 1024 ** 3;
const SLACK_BYTES = 1024 ** 2;

/** Sound to decode. */
export interface SoundInput {
  /** A fragmented MP4. */
  readonly inputPath: string;
  /** A folder prepared by `Runner.prepareWorkDir`, which has the result as long as it exists. */
  readonly workDir: string;
  readonly durationMs: number;
  readonly signal: AbortSignal;
}

/**
 * Decodes sound to mono samples of 16 bits at a rate, in the sandbox. Returns the path of the file.
 * @throws AppError TRANSCODE_FAILED where the file cannot be decoded; RunError `aborted` when it was stopped.
 */
export async function decodeSound(
  runner: Runner,
  { inputPath, workDir, durationMs, signal }: SoundInput,
  rate: number,
): Promise<string> {
  const seconds = Math.ceil(durationMs / 1000);
  const cpuSeconds = 60 + seconds;
  const limits = {
    ...{ cpuSeconds, memoryBytes: MEMORY_BYTES, wallMs: 2_000 * cpuSeconds },
    outputBytes: SLACK_BYTES + 4 * seconds * rate,
  };
  const filters = `aresample=${rate}:async=1:first_pts=0,aformat=sample_fmts=s16:channel_layouts=mono`;
  const args = [...pinnedInput('mov'), '-map', '0:a:0', '-af', filters, '-f', 's16le', FILE_NAME];
  try {
    await runner.run('ffmpeg', args, { cwd: workDir, inputs: [inputPath], limits, signal, background: true });
  } catch (error) {
    throw explainEncodeError(error);
  }
  return join(workDir, FILE_NAME);
}
