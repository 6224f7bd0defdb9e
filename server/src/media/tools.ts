import type { RunError } from '@reelgraph/sandbox';
import { ADDED_CODECS, type AddedCodec, CODECS } from './ladder/video-codecs.ts';
import type { Runner } from './runner.ts';

/** Required features of this build of ffmpeg. */
export interface ToolFacts {
  readonly ffmpegVersion: string;
  readonly ffprobeVersion: string;
  /**
   * Whether HDR video can be mapped to standard dynamic range (zscale and tonemap). Without it HDR sources are refused.
   */
  readonly toneMapping: boolean;
  /** Codecs beside H.264 that it encodes. */
  readonly codecs: readonly AddedCodec[];
  /** Missing required features, a sentence for the operator each. Empty on a usable build. */
  readonly problems: readonly string[];
}

const LIMITS = { cpuSeconds: 10, memoryBytes: 2 * 1024 ** 3, outputBytes: 1024, wallMs: 15_000 };
const NEEDED = {
  encoders: ['libx264', 'aac', 'eac3', 'mjpeg'],
  filters: ['scale', 'split', 'fps', 'bwdif', 'setparams', 'thumbnail', 'tile', 'tpad', 'aresample'],
  muxers: ['hls', 'mp4', 'image2'],
} as const;

/**
 * Probes the versions and features of the installed tools; run once at startup, so that problems appear before the
 * first upload.
 */
export async function probeTools(runner: Runner): Promise<ToolFacts> {
  const ask = async (tool: 'ffmpeg' | 'ffprobe', flag: string) =>
    (await runner.run(tool, [flag], { limits: LIMITS })).stdout;
  const [version, probeVersion, encoders, filters, muxers] = await Promise.all([
    ask('ffmpeg', '-version'),
    ask('ffprobe', '-version'),
    ask('ffmpeg', '-encoders'),
    ask('ffmpeg', '-filters'),
    ask('ffmpeg', '-muxers'),
  ]);
  const listed = { encoders: names(encoders), filters: names(filters), muxers: names(muxers) };
  const ffmpegVersion = versionOf(version);
  const problems = olderThan(ffmpegVersion, 5, 1)
    ? [`ffmpeg ${ffmpegVersion} is too old: 5.1 or later is needed.`]
    : [];
  for (const kind of ['encoders', 'filters', 'muxers'] as const) {
    const missing = NEEDED[kind].filter((name) => !listed[kind].has(name));
    if (missing.length > 0)
      problems.push(
        `This build of ffmpeg lacks the ${kind} ${missing.join(', ')}: install a complete one, for example Debian's.`,
      );
  }
  const toneMapping = listed.filters.has('zscale') && listed.filters.has('tonemap');
  const codecs = ADDED_CODECS.filter((codec) => listed.encoders.has(CODECS[codec].encoder));
  return { ffmpegVersion, ffprobeVersion: versionOf(probeVersion), toneMapping, codecs, problems };
}

/** The second column of ffmpeg's listings; names may be comma-separated aliases. */
export function names(listing: string): Set<string> {
  const found = new Set<string>();
  for (const line of listing.split('\n')) {
    const name = /^ +[A-Z.|]{1,6} +(\S+)/.exec(line)?.[1];
    for (const alias of name?.split(',') ?? []) found.add(alias);
  }
  return found;
}

function versionOf(output: string): string {
  return /version (\S+)/.exec(output)?.[1] ?? 'unknown';
}

/** Development builds (`N-12345-g…`) have no number and count as new. */
function olderThan(version: string, major: number, minor: number): boolean {
  const match = /^n?(\d+)\.(\d+)/.exec(version);
  if (match === null) return false;
  const [foundMajor, foundMinor] = [Number(match[1]), Number(match[2])];
  return foundMajor < major || (foundMajor === major && foundMinor < minor);
}

/** One line for the operator whose machine has no ffmpeg. */
export function missingToolHelp(error: RunError): string {
  return (
    `${error.tool} is not installed or not executable (${error.stderrTail}). ` +
    'Install ffmpeg (Debian: apt-get install ffmpeg) or set FFMPEG_PATH.'
  );
}
