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
/**
 * Output arguments that measure a track of input 0 with all its channels, for `parseLoudness`; mono counts as played by
 * two loudspeakers. Nothing is written. Pure.
 */
export function loudnessOutput(streamIndex: number): string[] {
  const measure = 'ebur128=peak=true:dualmono=true:framelog=verbose';
  return ['-map', `0:${streamIndex}`, '-af', measure, '-f', 'null', '-'];
}

/**
 * Reads the summary of the filter `ebur128` from standard error, the last one: before it, ffmpeg prints texts of the
 * file. Null for silence and without a summary. Pure.
 */
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
