import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Mp4Error } from '@reelgraph/mp4';
import type { RunLimits } from '@reelgraph/sandbox';
import { type CopyPlan, INDEX_FOLDER, type StandardPlan } from '../copy/copy-package.ts';
import { changesParameters } from '../copy/parameter-sets.ts';
import { planCopyOf } from '../copy/plan-copy.ts';
import { ANONYMOUS } from '../encode/encoder-args.ts';
import { isFileError } from '../inspect/inspect-file.ts';
import { pinnedInput } from '../inspect/probe.ts';
import type { Runner } from '../runner.ts';
import type { RemuxableFile } from './remuxable.ts';

/** The copy in its package; addresses below the folder are not served. */
export const REMUXED_PATH = `${INDEX_FOLDER}/remuxed.mp4`;
const NAME = 'remuxed.mp4';

export type Remuxed =
  /** The copy, and how it is played: its index names no source yet. */
  | { readonly standard: true; readonly path: string; readonly sizeBytes: number; readonly plan: StandardPlan }
  | Extract<CopyPlan, { standard: false }>;

export interface RemuxOptions {
  /** An empty or missing folder for the copy. */
  readonly workDir: string;
  readonly signal: AbortSignal;
}

/**
 * Copies picture and sound of a file to MP4 in the sandbox, without encoding, and plans how to play the copy. Not
 * standard where the clock of the file jumps, packets are damaged or the parameters of the picture change.
 * @throws RunError for failures that are not the file's: aborted, disk full, tool missing.
 */
export async function remuxFile(
  runner: Runner,
  path: string,
  file: RemuxableFile,
  { workDir, signal }: RemuxOptions,
): Promise<Remuxed> {
  await runner.prepareWorkDir(workDir);
  const damage = new AbortController();
  try {
    await runner.run('ffmpeg', remuxArgs(file), {
      ...{ cwd: workDir, inputs: [path], limits: remuxLimits((await stat(path)).size) },
      signal: AbortSignal.any([signal, damage.signal]),
      onStderrLine: (line) => isDamage(line) && damage.abort(),
    });
    return await planRemuxed(join(workDir, NAME));
  } catch (error) {
    if (damage.signal.aborted && !signal.aborted) return { standard: false, reason: 'packets are damaged' };
    if (error instanceof Mp4Error || isFileError(error)) return { standard: false, reason: String(error) };
    throw error;
  }
}

/** Times are kept, so that jumps of the clock show; they begin with the first moment of either stream. */
function remuxArgs({ format, facts: { demuxer, startMs }, video, audio }: RemuxableFile): string[] {
  const language = audio?.language ? ['-metadata:s:a:0', `language=${audio.language}`] : [];
  return [
    ...['-copyts', ...pinnedInput(demuxer), '-map', `0:${video.index}`],
    ...(audio ? ['-map', `0:${audio.index}`] : []),
    // FLAC in MP4 is experimental for this version of ffmpeg.
    ...['-c', 'copy', '-strict', 'experimental', ...ANONYMOUS, ...language],
    ...['-output_ts_offset', `${-startMs / 1000}`, '-avoid_negative_ts', 'disabled', '-f', format, NAME],
  ];
}

/** Of a message with its level: what a demuxer or a muxer could not read. */
function isDamage(line: string): boolean {
  return /\[(?:error|fatal|panic)\]|\bcorrupt\b/.test(line);
}

const BYTES_PER_SECOND = 20_000_000;

/** Limits of a run that copies a file of this size. */
export function remuxLimits(sizeBytes: number): RunLimits {
  const cpuSeconds = 60 + Math.ceil(sizeBytes / BYTES_PER_SECOND);
  return {
    cpuSeconds,
    memoryBytes: 2 * 1024 ** 3,
    outputBytes: mostRemuxedBytes(sizeBytes),
    wallMs: 4_000 * cpuSeconds,
  };
}

/** Maximum size of the copy of a file: its sample tables may be larger than its own. Pure. */
export function mostRemuxedBytes(sizeBytes: number): number {
  return Math.ceil(1.2 * sizeBytes) + 1024 ** 2;
}

async function planRemuxed(path: string): Promise<Remuxed> {
  const file = await open(path, 'r');
  try {
    const { size: sizeBytes } = await file.stat();
    const source = { key: '', etag: '', sizeBytes, read: (at: number, length: number) => readAt(file, at, length) };
    const plan = await planCopyOf(source, { steady: true });
    if (!plan.standard) return plan;
    if (await changesParameters(plan, source)) return { standard: false, reason: 'parameter sets change' };
    return { standard: true, path, sizeBytes, plan };
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
