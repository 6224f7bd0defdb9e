import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RunError, type RunLimits } from '@reelgraph/sandbox';
import type { Runner } from '../../runner.ts';
import { FaultyEncodingError } from './faulty-encoding.ts';

export interface VerifyOptions {
  readonly runner: Runner;
  /** The folder in which the chunk was encoded. */
  readonly workDir: string;
  /** Of renditions that keep the times of the source: those of their pictures, in ticks from the start of the chunk. */
  readonly pictureTimes?: ReadonlyMap<string, readonly number[]>;
  readonly limits?: RunLimits;
  readonly signal?: AbortSignal;
  readonly background?: boolean;
}

/** A file in the work folder with the segments of a rendition, as they are stored. */
function segmentsName(folder: string): string {
  return `${folder}.segments.mp4`;
}

/** Keeps a segment, or the initialization segment before them, for the verification. */
export async function keepForVerification(workDir: string, folder: string, bytes: Buffer): Promise<void> {
  await appendFile(join(workDir, segmentsName(folder)), bytes, { mode: 0o600 });
}

/**
 * Decodes kept segments in one run. Segments that cannot be decoded are faulty.
 * @returns The CPU time in milliseconds.
 */
export async function decodeSegments(
  kind: FaultyEncodingError['kind'],
  renditions: readonly { readonly folder: string; readonly options: readonly string[] }[],
  outputs: readonly string[],
  { runner, workDir, limits, signal, background = false }: VerifyOptions & { readonly limits: RunLimits },
): Promise<number> {
  const inputs = renditions.flatMap(({ folder, options }) => [
    ...[...options, '-err_detect', 'explode', '-threads', '1'],
    ...['-protocol_whitelist', 'file', '-f', 'mov', '-i', segmentsName(folder)],
  ]);
  const run = { cwd: workDir, limits, background, ...(signal === undefined ? {} : { signal }) };
  try {
    return (await runner.run('ffmpeg', ['-xerror', '-copyts', ...inputs, ...outputs], run)).cpuMs;
  } catch (error) {
    if (!(error instanceof RunError) || error.reason !== 'exit') throw error;
    const folder = renditions[0]?.folder ?? '';
    throw new FaultyEncodingError(kind, { folder, fault: 'unreadable', atMs: 0 }, { cause: error });
  }
}
