import { open, stat } from 'node:fs/promises';
import { RunError } from '@reelgraph/sandbox';
import { type Text, t } from '../../kernel/languages/message.ts';
import type { Runner } from '../runner.ts';
import { acceptMedia, DEFAULT_MEDIA_LIMITS, type MediaAcceptance, type MediaLimits } from './accept-media.ts';
import { AnimationTimeline, animationRate, isAnimation, sumOf } from './animation-times.ts';
import { toNumber } from './fraction.ts';
import type { MediaFacts } from './media-facts.ts';
import { checkMp4Times, type Mp4TimesResult, readMp4Times } from './mp4-times.ts';
import { jumpsOf, PacketTimeline } from './packet-times.ts';
import { isDurationPlausible } from './plausible-duration.ts';
import { isDiscontinuous, parseProbe, pictureClock, probeArgs } from './probe.ts';
import { MAX_PROBE_BYTES, PROBE_LIMITS, scanPackets } from './scan-packets.ts';
import { isFileCutOff } from './sniff/cut-off-file.ts';
import { type Container, refused, type SniffRefusal, type SniffResult } from './sniff/sniff.ts';
import { sniffFile } from './sniff/sniff-file.ts';
import { readWebpAnimation } from './webp-animation.ts';
import { withPictureTimes } from './with-picture-times.ts';

/** Result of `inspectFile`: facts for packaging, or a refusal with a message for the uploader. */
export type Inspection =
  | { readonly ok: true; readonly facts: MediaFacts; readonly mimeType: string }
  | {
      readonly ok: false;
      readonly code: 'TRANSCODE_FAILED';
      /** For metrics and tests: the reason of `sniff`, or `damaged` and `rejected` after probing. */
      readonly reason: SniffRefusal | 'damaged' | 'rejected';
      readonly message: Text;
      readonly suggestedFix: Text;
    };

export interface InspectOptions {
  readonly limits?: MediaLimits;
  /** From `probeTools`; default true. */
  readonly toneMapping?: boolean;
  readonly signal?: AbortSignal;
}

const SEND_MEDIA = t`Upload a video or audio file, for example MP4 with H.264 and AAC.`;

type Refusal = Extract<Inspection, { ok: false }>;
type Sniffed = Extract<SniffResult, { ok: true }>;

/**
 * Inspects a file before processing: sniffs its bytes, probes it with a pinned demuxer, measures its duration if the
 * header has none, and checks the limits.
 * @throws RunError for failures that are not the file's: aborted, killed, tool missing.
 */
export async function inspectFile(runner: Runner, path: string, options: InspectOptions = {}): Promise<Inspection> {
  const sniffed = await sniffFile(path);
  if (!sniffed.ok) return sniffRefusal(sniffed);
  try {
    const facts = await readFacts(runner, path, sniffed, options);
    if ('ok' in facts) return facts;
    const acceptance: MediaAcceptance = acceptMedia(
      facts,
      options.limits ?? DEFAULT_MEDIA_LIMITS,
      options.toneMapping ?? true,
    );
    return acceptance.ok ? { ok: true, facts, mimeType: sniffed.mimeType } : { ...acceptance, reason: 'rejected' };
  } catch (error) {
    if (!isFileError(error)) throw error;
    return DAMAGED;
  }
}

/** Failures, hangs, floods and memory exhaustion of a tool on a file count as errors of that file. */
export function isFileError(error: unknown): boolean {
  return (
    error instanceof RunError &&
    ['exit', 'timeout', 'cpu-limit', 'output-limit', 'memory', 'bad-output'].includes(error.reason)
  );
}

function sniffRefusal({ reason, message }: Pick<Refusal, 'reason' | 'message'>): Refusal {
  return { ok: false, code: 'TRANSCODE_FAILED', reason, message, suggestedFix: SEND_MEDIA };
}

const DAMAGED: Refusal = {
  ok: false,
  code: 'TRANSCODE_FAILED',
  reason: 'damaged',
  message: t`The file is damaged or incomplete: its structure cannot be read.`,
  suggestedFix: t`Play the file locally to check it, export it again (for example as MP4 with H.264 and AAC) and upload
    it once more.`,
};

const WITHOUT_INDEX: Refusal = {
  ...DAMAGED,
  message: t`The file is cut off: its index, which is at its end, is missing.`,
  suggestedFix: t`Compare its size with that of the original, and upload the whole file.`,
};

async function readFacts(
  runner: Runner,
  path: string,
  sniffed: Sniffed,
  options: InspectOptions,
): Promise<MediaFacts | Refusal> {
  if (sniffed.container === 'webp') return webpFacts(path);
  const isCutOff = await isPathCutOff(path, sniffed.container);
  if (isCutOff && sniffed.container === 'mov' && (await readMp4Times(path)) === null) return WITHOUT_INDEX;
  const probed = await runner.run('ffprobe', probeArgs(sniffed.demuxer), {
    ...runOptions(options, path),
    maxStdoutBytes: MAX_PROBE_BYTES,
  });
  const declared = parseProbe(probed.stdout, sniffed.demuxer);
  if (isAnimation(sniffed.demuxer)) {
    const found = await withDelays(runner, path, declared, options);
    return 'ok' in found ? found : withBitrate(path, found);
  }
  return withAllTimes(runner, path, { declared, isCutOff, clock: pictureClock(probed.stdout, declared) }, options);
}

interface Declared {
  readonly declared: MediaFacts;
  readonly isCutOff: boolean;
  /** Of the picture. */
  readonly clock: ReturnType<typeof pictureClock>;
}

/** Duration, frame rate and times of pictures, as far as headers do not say them truly. */
async function withAllTimes(
  runner: Runner,
  path: string,
  { declared, isCutOff, clock }: Declared,
  options: InspectOptions,
): Promise<MediaFacts | Refusal> {
  const { demuxer } = declared;
  const declaredTimes = await readTimesResult(path, declared);
  const times = isCutOff && declaredTimes === 'plausible' ? 'measure' : declaredTimes;
  const found = await withTimes(runner, path, declared, times, options);
  if ('ok' in found) return found;
  const packets = new PacketTimeline(jumpsOf(demuxer), played(found));
  const scan = (onLine: (line: string) => void) =>
    scanPackets(runner, path, demuxer, options, (line) => {
      packets.add(line);
      onLine(line);
    });
  const timed = await withPictureTimes(path, found, clock, scan);
  if (CHAINED.has(demuxer) && !packets.hasAny) await scan(() => {});
  if (packets.goBack && !isDiscontinuous(demuxer)) return withBitrate(path, restarting(found, packets));
  // The index of Matroska is at the end, as a rule.
  const isIndexed = declaredTimes === 'plausible' && !(isCutOff && demuxer !== 'mov');
  const whole = withCappedRate(isCutOff ? withMissing(timed, declared) : timed);
  return withBitrate(path, { ...whole, randomAccess: timed.randomAccess && isIndexed });
}

async function isPathCutOff(path: string, container: Container): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    return await isFileCutOff(file, container);
  } finally {
    await file.close();
  }
}

/** Demuxers of files after which others may follow in the same file. */
const CHAINED: ReadonlySet<string> = new Set(['matroska', 'ogg']);

function restarting(facts: MediaFacts, packets: PacketTimeline): MediaFacts {
  return { ...facts, restarts: true, randomAccess: false, durationMs: packets.durationMs(null) };
}

function played({ video, audio }: MediaFacts): number[] {
  return [video, audio].flatMap((stream) => (stream === null ? [] : [stream.index]));
}

/** Headers are not more exact. */
const LEAST_MISSING_MS = 100;

function withMissing(found: MediaFacts, { durationMs: declaredMs }: MediaFacts): MediaFacts {
  const missingMs = (declaredMs ?? 0) - (found.durationMs ?? 0);
  return missingMs >= LEAST_MISSING_MS ? { ...found, missingMs } : found;
}

/** Pixels of all frames of an animated WebP together: it is converted before it is encoded. */
const MAX_ANIMATION_PIXELS = 1_000_000_000;

async function webpFacts(path: string): Promise<MediaFacts | Refusal> {
  const animation = await readWebpAnimation(path);
  if (animation === null) return DAMAGED;
  const { facts, frames } = animation;
  if (frames < 2) return sniffRefusal(refused('image'));
  const { width = 0, height = 0 } = facts.video ?? {};
  if (frames * width * height <= MAX_ANIMATION_PIXELS) return facts;
  return {
    ok: false,
    code: 'TRANSCODE_FAILED',
    reason: 'rejected',
    message: t`The animation has ${frames} frames of ${width} x ${height} pixels, which is too much.`,
    suggestedFix: t`Send a WebP of at most ${MAX_ANIMATION_PIXELS / 1e6} megapixels in all, or export it as MP4.`,
  };
}

/** The duration and frame rate of an animated image; a refusal where it is a still one. */
async function withDelays(
  runner: Runner,
  path: string,
  facts: MediaFacts,
  options: InspectOptions,
): Promise<MediaFacts | Refusal> {
  const timeline = new AnimationTimeline();
  await scanPackets(runner, path, facts.demuxer, options, (line) => timeline.add(line));
  const { delaysMs } = timeline;
  if (delaysMs.length < 2 || facts.video === null) return sniffRefusal(refused('image'));
  const video = { ...facts.video, ...animationRate(delaysMs) };
  return { ...facts, startMs: 0, durationMs: sumOf(delaysMs), video };
}

function runOptions(options: InspectOptions, path: string) {
  return {
    limits: PROBE_LIMITS,
    inputs: [path],
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

const CONTRADICTORY_TIMES: Refusal = {
  ok: false,
  code: 'TRANSCODE_FAILED',
  reason: 'damaged',
  message: t`The file contradicts itself about its duration: its time scale is wrong.`,
  suggestedFix: t`Export it again, for example as MP4 with H.264 and AAC, and upload that file.`,
};

/** Demuxers of frames of sound without a container, whose length tools estimate by the bit rate of the first ones. */
const ESTIMATED: ReadonlySet<string> = new Set(['aac', 'ac3', 'mp3']);

async function readTimesResult(path: string, { demuxer, durationMs }: MediaFacts): Promise<Mp4TimesResult> {
  if (demuxer !== 'mov') return isDiscontinuous(demuxer) || ESTIMATED.has(demuxer) ? 'measure' : 'plausible';
  const times = await readMp4Times(path);
  return times === null ? 'plausible' : checkMp4Times(times, durationMs);
}

/**
 * Duration and frame rate as the headers declare them, where they can be believed, otherwise as the packets show; a
 * refusal where a time scale is impossible, or doubtful and contradicted by the packets.
 */
async function withTimes(
  runner: Runner,
  path: string,
  facts: MediaFacts,
  times: Mp4TimesResult,
  options: InspectOptions,
): Promise<MediaFacts | Refusal> {
  const { video, audio, durationMs: declared } = facts;
  if (video === null && audio === null) return facts;
  if (times === 'impossible') return CONTRADICTORY_TIMES;
  const rateKnown = video === null || video.frameRate !== null;
  const durationKnown = declared !== null && times === 'plausible';
  if (durationKnown && rateKnown) return facts;
  const timeline = new PacketTimeline(isDiscontinuous(facts.demuxer) ? jumpsOf(facts.demuxer) : null, played(facts));
  await scanPackets(runner, path, facts.demuxer, options, (line) => timeline.add(line));
  const durationMs = timeline.durationMs(facts.startMs);
  const contradicted = declared !== null && durationMs !== null && !isDurationPlausible(durationMs / 1000, declared);
  if (times === 'doubtful' && contradicted) return CONTRADICTORY_TIMES;
  return {
    ...facts,
    ...(durationKnown ? {} : { durationMs }),
    ...(video === null || rateKnown
      ? {}
      : { video: { ...video, frameRate: timeline.rate(video.index), variableFrameRate: true } }),
  };
}

/** With as many pictures per second as are taken at most: faster ones are those of broken times, as a rule. */
function withCappedRate(facts: MediaFacts): MediaFacts {
  const { video } = facts;
  const most = DEFAULT_MEDIA_LIMITS.maxFrameRate;
  if (video === null || video.frameRate === null || toNumber(video.frameRate) <= most) return facts;
  return { ...facts, video: { ...video, frameRate: { num: most, den: 1 }, exactRate: false } };
}

/** Without a declared video bit rate, assumes that the whole file is video. */
async function withBitrate(path: string, facts: MediaFacts): Promise<MediaFacts> {
  const { video, durationMs } = facts;
  if (video === null || video.bitrateBps !== null || !durationMs) return facts;
  return { ...facts, video: { ...video, bitrateBps: Math.ceil(((await stat(path)).size * 8000) / durationMs) } };
}
