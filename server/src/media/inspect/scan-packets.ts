import { stat } from 'node:fs/promises';
import type { Runner } from '../runner.ts';
import { packetScanArgs } from './packet-times.ts';

/** Of a run that reads the headers of a file. */
export const PROBE_LIMITS = { cpuSeconds: 60, memoryBytes: 2 * 1024 ** 3, outputBytes: 1024, wallMs: 120_000 };
/** Characters of what ffprobe says of the headers. */
export const MAX_PROBE_BYTES = 4 * 1024 * 1024;
/** A scan reads the whole file: a second of CPU time is granted for each of these, and two of the clock. */
const SCANNED_BYTES_PER_SECOND = 50_000_000;

export interface ScanOptions {
  readonly signal?: AbortSignal;
}

/** Reads the times of all packets. @throws RunError */
export async function scanPackets(
  runner: Runner,
  path: string,
  demuxer: string,
  { signal }: ScanOptions,
  onStdoutLine: (line: string) => void,
): Promise<void> {
  const seconds = Math.ceil((await stat(path)).size / SCANNED_BYTES_PER_SECOND);
  const { cpuSeconds, wallMs } = PROBE_LIMITS;
  await runner.run('ffprobe', packetScanArgs(demuxer), {
    limits: { ...PROBE_LIMITS, cpuSeconds: cpuSeconds + seconds, wallMs: wallMs + 2000 * seconds },
    ...{ inputs: [path], onStdoutLine, maxStdoutBytes: 0 },
    ...(signal === undefined ? {} : { signal }),
  });
}
