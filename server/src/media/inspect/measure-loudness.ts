import type { Runner } from '../runner.ts';
import { isFileError } from './inspect-file.ts';
import type { MediaFacts } from './media-facts.ts';
import { pinnedInput } from './probe.ts';

/** Loudness of a programme by EBU R 128. */
export interface Loudness {
  /** Over the whole duration, in LUFS. */
  readonly integratedLufs: number;
  /** Between quiet and loud parts, in LU (EBU Tech 3342). */
  readonly rangeLu: number;
  /** Largest value between samples, in dBTP (ITU-R BS.1770-4 annex 2). */
  readonly truePeakDbtp: number;
}

/** The gate of ITU-R BS.1770-4: what is as quiet as this has no loudness. */
const SILENCE_LUFS = -70;
/** It takes about 0.2 s for a minute. */
const CPU_SECONDS = { start: 60, perMinute: 10 };

/**
 * The loudness of a file's default audio track with all its channels; mono counts as played by two loudspeakers. Null
 * without audio, for silence, and where the track cannot be decoded.
 * @throws RunError for failures that are not the file's.
 */
export async function measureLoudness(
  runner: Pick<Runner, 'run'>,
  inputPath: string,
  facts: Pick<MediaFacts, 'demuxer' | 'audio' | 'durationMs'>,
  signal?: AbortSignal,
): Promise<{ readonly loudness: Loudness | null; readonly cpuMs: number }> {
  if (facts.audio === null) return { loudness: null, cpuMs: 0 };
  const cpuSeconds = CPU_SECONDS.start + Math.ceil((CPU_SECONDS.perMinute * (facts.durationMs ?? 0)) / 60_000);
  const limits = { cpuSeconds, memoryBytes: 2 * 1024 ** 3, outputBytes: 1024, wallMs: 2000 * cpuSeconds };
  try {
    const { stderrTail, cpuMs } = await runner.run('ffmpeg', loudnessArgs(facts.demuxer, facts.audio.index), {
      inputs: [inputPath],
      limits,
      ...(signal === undefined ? {} : { signal }),
    });
    return { loudness: parseLoudness(stderrTail), cpuMs };
  } catch (error) {
    if (!isFileError(error)) throw error;
    return { loudness: null, cpuMs: 0 };
  }
}

function loudnessArgs(demuxer: string, streamIndex: number): string[] {
  const measure = 'ebur128=peak=true:dualmono=true:framelog=verbose';
  return [...pinnedInput(demuxer), '-map', `0:${streamIndex}`, '-af', measure, '-f', 'null', '-'];
}

/** Reads the summary of the filter `ebur128`, the last one: before it, ffmpeg prints texts of the file. Pure. */
export function parseLoudness(stderr: string): Loudness | null {
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  const value = (name: string, unit: string) =>
    Number.parseFloat(new RegExp(`^ +${name}: +(-?[\\d.]+) ${unit}$`, 'm').exec(summary)?.[1] ?? '');
  const integratedLufs = value('I', 'LUFS');
  const rangeLu = value('LRA', 'LU');
  const truePeakDbtp = value('Peak', 'dBFS');
  const isMeasured = [integratedLufs, rangeLu, truePeakDbtp].every(Number.isFinite);
  return isMeasured && integratedLufs > SILENCE_LUFS ? { integratedLufs, rangeLu, truePeakDbtp } : null;
}
