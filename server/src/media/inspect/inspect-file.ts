import { open, stat } from 'node:fs/promises';
import { isDurationPlausible } from '../package/verify-package.ts';
import { RunError } from '../run-error.ts';
import type { Runner } from '../runner.ts';
import { acceptMedia, DEFAULT_MEDIA_LIMITS, type MediaAcceptance, type MediaLimits } from './accept-media.ts';
import type { MediaFacts } from './media-facts.ts';
import { checkMp4Times, type Mp4TimesResult, readMp4Times } from './mp4-times.ts';
import { packetScanArgs, packetTimes, parseProbe, probeArgs } from './probe.ts';
import { SNIFF_BYTES, type SniffRefusal, sniff } from './sniff.ts';

/** What `inspectFile` found: facts to package from, or a refusal the uploader understands. */
export type Inspection =
  | { readonly ok: true; readonly facts: MediaFacts; readonly mimeType: string }
  | {
      readonly ok: false;
      readonly code: 'TRANSCODE_FAILED';
      /** For metrics and tests: what `sniff` saw, or `damaged` and `rejected` after probing. */
      readonly reason: SniffRefusal | 'damaged' | 'rejected';
      readonly message: string;
      readonly suggestedFix: string;
    };

export interface InspectOptions {
  readonly limits?: MediaLimits;
  /** From `probeTools`; default true. */
  readonly toneMapping?: boolean;
  readonly signal?: AbortSignal;
}

const PROBE_LIMITS = { cpuSeconds: 60, memoryBytes: 2 * 1024 ** 3, outputBytes: 1024, wallMs: 120_000 };
const SEND_MEDIA = 'Upload a video or audio file, for example MP4 with H.264 and AAC.';

/**
 * Looks at a file before anything is made from it: sniffs its bytes, probes it with the demuxer pinned, measures its
 * duration where the header has none, and judges it. Takes its time from the file's own content, never from its name.
 * @throws RunError for failures that are not the file's: aborted, killed, tool missing.
 */
export async function inspectFile(runner: Runner, path: string, options: InspectOptions = {}): Promise<Inspection> {
  const sniffed = sniff(await readHead(path));
  if (!sniffed.ok)
    return {
      ok: false,
      code: 'TRANSCODE_FAILED',
      reason: sniffed.reason,
      message: sniffed.message,
      suggestedFix: SEND_MEDIA,
    };
  try {
    const probed = await runner.run('ffprobe', probeArgs(sniffed.demuxer), {
      ...runOptions(options, path),
      maxStdoutBytes: 4 * 1024 * 1024,
    });
    const declared = parseProbe(probed.stdout, sniffed.demuxer);
    const times = sniffed.demuxer === 'mov' ? await readMp4TimesResult(path, declared.durationMs) : 'plausible';
    const found = await withDuration(runner, path, declared, times, options);
    if (found === null) return CONTRADICTORY_TIMES;
    const facts = await withBitrate(path, found);
    const acceptance: MediaAcceptance = acceptMedia(
      facts,
      options.limits ?? DEFAULT_MEDIA_LIMITS,
      options.toneMapping ?? true,
    );
    return acceptance.ok ? { ok: true, facts, mimeType: sniffed.mimeType } : { ...acceptance, reason: 'rejected' };
  } catch (error) {
    if (!isFileError(error)) throw error;
    const message = 'The file is damaged or incomplete: its structure cannot be read.';
    const suggestedFix =
      'Play the file locally to check it, export it again (for ' +
      'example as MP4 with H.264 and AAC) and upload it once more.';
    return { ok: false, code: 'TRANSCODE_FAILED', reason: 'damaged', message, suggestedFix };
  }
}

/** A tool that fails, hangs, floods or eats memory over one file fails because of that file. */
export function isFileError(error: unknown): boolean {
  return (
    error instanceof RunError &&
    ['exit', 'timeout', 'cpu-limit', 'output-limit', 'memory', 'bad-output'].includes(error.reason)
  );
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function runOptions(options: InspectOptions, path: string) {
  return {
    limits: PROBE_LIMITS,
    inputs: [path],
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

const CONTRADICTORY_TIMES: Inspection = {
  ok: false,
  code: 'TRANSCODE_FAILED',
  reason: 'damaged',
  message: 'The file contradicts itself about its duration: its time scale is wrong.',
  suggestedFix: 'Export it again, for example as MP4 with H.264 and AAC, and upload that file.',
};

async function readMp4TimesResult(path: string, declaredMs: number | null): Promise<Mp4TimesResult> {
  const times = await readMp4Times(path);
  return times === null ? 'plausible' : checkMp4Times(times, declaredMs);
}

/**
 * The duration as the headers tell, where that can be believed, else as the packets do; null where a time scale is
 * impossible, or doubtful and contradicted by the packets.
 */
async function withDuration(
  runner: Runner,
  path: string,
  facts: MediaFacts,
  times: Mp4TimesResult,
  options: InspectOptions,
): Promise<MediaFacts | null> {
  const streamIndex = facts.video?.index ?? facts.audio?.index;
  if (streamIndex === undefined) return facts;
  if (times === 'impossible') return null;
  if (facts.durationMs !== null && times === 'plausible') return facts;
  const durationMs = await measureDuration(runner, path, facts.demuxer, streamIndex, options);
  const { durationMs: declared } = facts;
  const contradicted = declared !== null && durationMs !== null && !isDurationPlausible(durationMs / 1000, declared);
  return times === 'doubtful' && contradicted ? null : { ...facts, durationMs };
}

/** Where the file does not tell the bit rate of the picture, at most the whole file is picture. */
async function withBitrate(path: string, facts: MediaFacts): Promise<MediaFacts> {
  const { video, durationMs } = facts;
  if (video === null || video.bitrateBps !== null || !durationMs) return facts;
  return { ...facts, video: { ...video, bitrateBps: Math.ceil(((await stat(path)).size * 8000) / durationMs) } };
}

/**
 * Duration in milliseconds of one stream, from the times of its packets: for files whose header has none (live
 * recordings).
 */
export async function measureDuration(
  runner: Runner,
  path: string,
  demuxer: string,
  streamIndex: number,
  options: InspectOptions = {},
): Promise<number | null> {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let lastStart = Number.NEGATIVE_INFINITY;
  let packets = 0;
  const onStdoutLine = (line: string) => {
    const times = packetTimes(line);
    if (times === null) return;
    packets += 1;
    first = Math.min(first, times.startMs);
    last = Math.max(last, times.endMs);
    lastStart = Math.max(lastStart, times.startMs);
  };
  await runner.run('ffprobe', packetScanArgs(demuxer, streamIndex), {
    ...runOptions(options, path),
    onStdoutLine,
    maxStdoutBytes: 0,
  });
  if (packets === 0) return null;
  // Packets without a duration of their own last about as long as the others.
  const typical = packets > 1 ? (lastStart - first) / (packets - 1) : 0;
  return Math.round(Math.max(last, lastStart + typical) - first);
}
