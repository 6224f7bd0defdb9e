import { type Fraction, reduced, toNumber } from '../inspect/fraction.ts';
import type { AudioFacts, MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { TICKS_PER_SECOND } from '../inspect/picture-times.ts';
import { type AudioLadder, type AudioRung, audioRungs, planAudio, upmixRungs } from './audio-rungs.ts';
import { h264HighCodecs, h264LevelIdc } from './h264-level.ts';
import { type AddedCodec, sizesIn } from './video-codecs.ts';

/** One encoded video size. */
export interface VideoRung {
  /** Display name: `1080p`. Unique within a ladder. */
  readonly label: string;
  /** Even, square pixels, upright. */
  readonly width: number;
  readonly height: number;
  readonly frameRate: Fraction;
  /**
   * Units per second of time stamps, the same for all sizes: where they differ, hls.js aligns a size again by its first
   * presentation time, without its edit list, and shows it late.
   */
  readonly timescale: number;
  /** Frames for each frame of the ladder's base rate: 1 or 2; 1 where pictures keep the times of the source. */
  readonly framesPerBase: number;
  /** Where pictures keep their times: the least ticks from one to the next; absent: all are shown. */
  readonly leastStep?: number;
  /** Maximum bit rate over the encoder's buffer of `bufsizeBits`. */
  readonly maxrateBps: number;
  readonly bufsizeBits: number;
  /** Requested level_idc of H.264: 40 is level 4.0. */
  readonly levelIdc: number;
  /** RFC 6381, of H.264 at the requested level. */
  readonly codecs: string;
  /** Folder of its playlist and segments. */
  readonly folder: string;
}

/**
 * The encoding plan: video sizes from large to small (none for an audio file), and the audio (none for a silent video).
 */
export interface Ladder extends AudioLadder {
  readonly video: readonly VideoRung[];
  /**
   * The frame rate in which segments are counted: that of the slowest rungs, which divides those of all; the ticks of a
   * second where pictures keep the times of the source.
   */
  readonly baseRate: Fraction;
  /** Frames of the base rate in a segment of ordinary length. */
  readonly segmentFrames: number;
}

const STANDARD = [2160, 1440, 1080, 720, 480, 360, 240] as const;
/**
 * The lowest rung: 416x234 at 145 kbit/s, as Apple's HLS Authoring Specification has it, for connections that are too
 * slow for 240p. It costs 1 % of the CPU time of a ladder from 1080p, and 61 MB for an hour.
 */
const LOWEST = { size: 234, maxrateBps: 145_000 } as const;
/**
 * How many times the lines of the next smaller size a size has at least. Bit rates grow with the 3/2 power of lines, so
 * theirs are a factor of 1.4 apart (`sizesApart`).
 */
const LEAST_STEP = 1.25;
/** Sources that are larger than the largest size by more than this are scaled to it. */
const LARGEST_STEP = 1.15;
const TARGET_SEGMENT_SECONDS = 4;
/** Maximum length of segments of slow or still videos: a player loads one before it starts. */
const LONGEST_SEGMENT_SECONDS = 60;
/** Shorter videos have few segments anyway. */
const LONG_VIDEO_MS = 10 * 60_000;
/** Minimum frames per segment, which ordinary segments have from 15 frames per second on. */
const FRAMES_PER_SEGMENT = 60;
/** Below this bit rate frames hardly change, but each segment starts with a full frame. */
const STILL_BPS = 50_000;
const NEARLY_STILL_BPS = 150_000;
/** Above this many frames per second a rung costs nearly twice as much: not worth it in small sizes beside others. */
const CALM_RATE = 31;
const SMALLEST_FAST_RUNG = 540;
const MAX_RATE = 60.5;
/** Segments of an audio file are counted in seconds. */
const ONE: Fraction = { num: 1, den: 1 };

/**
 * Segment length: 4 s; in videos of ten minutes and more up to a minute if frames are few (below 15 frames per second)
 * or hardly change, because each segment starts with a full frame, which was most of the size of an 8-hour still. RFC
 * 8216 section 4.3.3.1 sets no upper bound. Pure.
 */
export function targetSegmentSeconds(
  facts: Pick<MediaFacts, 'video'> & Partial<Pick<MediaFacts, 'durationMs'>>,
): number {
  const { video, durationMs } = facts;
  if (video === null || (durationMs ?? 0) < LONG_VIDEO_MS) return TARGET_SEGMENT_SECONDS;
  const byFrames = video.frameRate === null ? 0 : FRAMES_PER_SEGMENT / toNumber(video.frameRate);
  const bps = video.bitrateBps ?? Number.POSITIVE_INFINITY;
  const byRate =
    bps < STILL_BPS ? LONGEST_SEGMENT_SECONDS / 2 : bps < NEARLY_STILL_BPS ? 3 * TARGET_SEGMENT_SECONDS : 0;
  return Math.min(LONGEST_SEGMENT_SECONDS, Math.max(TARGET_SEGMENT_SECONDS, byFrames, byRate));
}

/** Whether segments of the video are longer than ordinary ones, because it is slow or still. Pure. */
export function isSlowVideo(facts: Pick<MediaFacts, 'video' | 'durationMs'>): boolean {
  return targetSegmentSeconds(facts) > TARGET_SEGMENT_SECONDS;
}

/** What programs make of a source: see `ProcessStage`. */
export interface Staged {
  /** The size of the picture; null where none changes it. */
  readonly picture: { readonly width: number; readonly height: number } | null;
  /** The channels of tracks of sound that programs change, by their stream index. */
  readonly channels: Readonly<Record<number, number>>;
}

/**
 * Plans the ladder for a source: never larger or faster than the source, or than what programs make of it. Pure.
 */
export function planLadder(
  facts: Pick<MediaFacts, 'video' | 'audio'> & Partial<Pick<MediaFacts, 'durationMs' | 'otherAudio'>>,
  staged: Staged | null = null,
): Ladder {
  const sound = planAudio(staged ? stagedSound(facts, staged) : facts);
  if (facts.video === null) return { video: [], ...sound, baseRate: ONE, segmentFrames: TARGET_SEGMENT_SECONDS };
  const source = facts.video;
  const shown = staged?.picture ?? { width: source.displayWidth, height: source.displayHeight };
  const sizes = planSizes(shown.width, shown.height);
  const isFast = ({ size }: Size) => size >= SMALLEST_FAST_RUNG || size === sizes[0]?.size;
  const rates = { ...ratesOf(source), isTimed: keepsTimes(source, staged) };
  // A source of this size has no lowest rung.
  const video = sizes.map((size, index) => {
    return rungOf(size, { ...rates, isFast: isFast(size) }, index > 0 && size.size === LOWEST.size);
  });
  const segmentSeconds = targetSegmentSeconds(facts);
  if (rates.isTimed) {
    const segmentFrames = Math.round(segmentSeconds * TICKS_PER_SECOND);
    return { video, ...sound, baseRate: { num: TICKS_PER_SECOND, den: 1 }, segmentFrames };
  }
  // Whole frames of the slow rate, so that the time is also a frame of the fast rate.
  const segmentFrames = Math.max(1, Math.round(segmentSeconds * toNumber(rates.calm)));
  return { video, ...sound, baseRate: rates.calm, segmentFrames };
}

/** Whether renditions keep the times of the pictures of a source: programs read pictures at a constant rate. Pure. */
export function keepsTimes({ pictures }: Pick<VideoFacts, 'pictures'>, staged: Staged | null = null): boolean {
  return pictures !== undefined && !staged?.picture;
}

function ratesOf(source: VideoFacts): ReturnType<typeof planRates> {
  return planRates(showsFields(source) ? { ...source, frameRate: fieldRate(source) } : source);
}

interface RungRates extends ReturnType<typeof planRates> {
  readonly isFast: boolean;
  readonly isTimed: boolean;
}

/** Pictures with jitter are this much of their usual distance apart, and more. */
const LEAST_OF_STEP = 0.75;

/** A size as it is encoded. */
function rungOf(
  { label, width, height }: Size,
  { fast, calm, ratio, divisor, isFast, isTimed }: RungRates,
  isLowest: boolean,
): VideoRung {
  const frameRate = isFast ? fast : calm;
  const isThinned = isTimed && (isFast ? divisor : divisor * ratio) > 1;
  const maxrateBps = isLowest ? LOWEST.maxrateBps : maxrate(width * height, toNumber(frameRate));
  const levelIdc = h264LevelIdc(width, height, toNumber(frameRate), maxrateBps);
  return {
    ...{ label, width, height, frameRate, timescale: isTimed ? TICKS_PER_SECOND : timescaleOf(fast) },
    framesPerBase: isFast && !isTimed ? ratio : 1,
    ...(isThinned ? { leastStep: Math.round((LEAST_OF_STEP * TICKS_PER_SECOND) / toNumber(frameRate)) } : {}),
    ...{ maxrateBps, bufsizeBits: Math.round(1.5 * maxrateBps), levelIdc, codecs: h264HighCodecs(levelIdc) },
    folder: `v${label.replace('p', '')}`,
  };
}

const LEAST_TIMESCALE = 10_000;

/** A whole number of units for each frame, as most writers of MP4 have it: 12,800 at 25 and 50 frames per second. */
function timescaleOf({ num }: Fraction): number {
  let timescale = num;
  while (timescale < LEAST_TIMESCALE) timescale *= 2;
  return timescale;
}

/** What a ladder is planned from. */
interface LadderPlan {
  readonly facts: MediaFacts;
  readonly staged?: Staged;
  readonly codec?: AddedCodec;
  readonly upmix?: object;
  readonly upscale?: { readonly target: number };
}

/**
 * The ladder of a plan; of one for another codec its pictures alone, of an upmix the main track with more channels, of
 * one that is upscaled the target. Pure.
 */
export function ladderOf({ facts, staged, codec, upmix, upscale }: LadderPlan): Ladder {
  const ladder = planLadder(facts, staged);
  if (upscale) return { ...ladder, video: enlargedRungs(facts.video, upscale.target), audio: null, otherAudio: [] };
  if (upmix) return { ...ladder, video: [], audio: null, otherAudio: ladder.audio ? upmixRungs(ladder.audio) : [] };
  if (codec === undefined) return ladder;
  return { ...ladder, video: sizesIn(codec, ladder.video), audio: null, otherAudio: [] };
}

function enlargedRungs(video: VideoFacts | null, target: number): VideoRung[] {
  if (video === null) return [];
  const size = sizeIn(target, video.displayWidth, video.displayHeight);
  return [rungOf(size, { ...ratesOf(video), isFast: true, isTimed: false }, false)];
}

function stagedSound(
  { audio, otherAudio = [] }: Pick<MediaFacts, 'audio'> & Partial<MediaFacts>,
  { channels }: Staged,
): Pick<MediaFacts, 'audio' | 'otherAudio'> {
  const changed = (track: AudioFacts): AudioFacts => {
    const made = channels[track.index];
    return made === undefined ? track : { ...track, channels: made, channelLayout: null, codec: 'pcm_f32le' };
  };
  return { audio: audio && changed(audio), otherAudio: otherAudio.map(changed) };
}

interface Size {
  readonly label: string;
  readonly width: number;
  readonly height: number;
  /** The nominal lines of the label. */
  readonly size: number;
}

/**
 * The sizes of a ladder. A source belongs to the standard whose 16:9 frame it fills in one direction (1920x800 is
 * 1080p, as is 1080x1920), keeps its own size there, and is scaled into the frames of the smaller standards. A source
 * between two standards gets a rung of its own size, one above 2160p is scaled to it, one of at most 240 lines has a
 * single rung; the others have the lowest one, too.
 */
export function planSizes(sourceWidth: number, sourceHeight: number): Size[] {
  const short = Math.min(sourceWidth, sourceHeight);
  const lines = linesOf(sourceWidth, sourceHeight);
  const isSmall = lines <= 1.04 * (STANDARD.at(-1) ?? 0);
  const ownPixels = { width: even(sourceWidth, Math.floor), height: even(sourceHeight, Math.floor) };
  const ownLabel = `${even(short, Math.floor)}p`;
  const scaledInto = (size: number) => sizeIn(size, sourceWidth, sourceHeight);

  // Both tolerances are for sources a few lines off a standard, such as 1920x1088 and 854x480.
  const standard = STANDARD.find((size) => size <= lines * 1.02);
  if (standard === undefined) return [{ label: ownLabel, size: short, ...ownPixels }];
  const smaller = [...STANDARD.filter((size) => size < standard), ...(isSmall ? [] : [LOWEST.size])].map(scaledInto);
  // The label of wide pictures is that of their standard; others are named after their own lines.
  const own = lines > standard * 1.04 && lines === short ? { label: ownLabel, size: short } : standardSize(standard);
  if (lines < standard * (standard === STANDARD[0] ? LARGEST_STEP : LEAST_STEP))
    return [{ ...own, ...ownPixels }, ...smaller];
  if (standard === STANDARD[0]) return [scaledInto(standard), ...smaller];
  const below = [scaledInto(standard), ...smaller].filter((size) => size.label !== ownLabel);
  return [{ label: ownLabel, size: Math.floor(lines), ...ownPixels }, ...below];
}

/** The lines of the 16:9 frame that a picture fills in one direction. Pure. */
export function linesOf(width: number, height: number): number {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  return Math.max(short, (long * 9) / 16);
}

/** A picture that fills the frame of a standard in one direction. */
function sizeIn(size: number, width: number, height: number): Size {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  const factor = Math.min((size * 16) / 9 / long, size / short);
  return {
    label: `${size}p`,
    size,
    width: even(width * factor, Math.round),
    height: even(height * factor, Math.round),
  };
}

function standardSize(size: number): Pick<Size, 'label' | 'size'> {
  return { label: `${size}p`, size };
}

/** H.264 in 4:2:0 needs even sides. */
function even(value: number, round: (value: number) => number): number {
  return Math.max(2, 2 * round(value / 2));
}

const COMMON_RATES: readonly Fraction[] = [
  { num: 15, den: 1 },
  { num: 24_000, den: 1001 },
  { num: 24, den: 1 },
  { num: 25, den: 1 },
  { num: 30_000, den: 1001 },
  { num: 30, den: 1 },
  { num: 48, den: 1 },
  { num: 50, den: 1 },
  { num: 60_000, den: 1001 },
  { num: 60, den: 1 },
];
const FALLBACK_RATE: Fraction = { num: 30, den: 1 };

/** The rates of interlaced frames in television: 25 and 29.97. */
const INTERLACED_RATES = { least: 24.5, most: 30.5 } as const;

/**
 * Whether each field of an interlaced source becomes a frame: it shows motion at that rate, which large rungs keep.
 * Pure.
 */
export function showsFields(video: InterlacedVideo): boolean {
  const { interlaced, frameRate, variableFrameRate, displayWidth, displayHeight } = video;
  if (interlaced === null || frameRate === null || variableFrameRate) return false;
  const rate = toNumber(frameRate);
  const isFast = linesOf(displayWidth, displayHeight) >= SMALLEST_FAST_RUNG;
  return isFast && rate >= INTERLACED_RATES.least && rate <= INTERLACED_RATES.most;
}

type InterlacedVideo = Pick<
  VideoFacts,
  'interlaced' | 'frameRate' | 'variableFrameRate' | 'displayWidth' | 'displayHeight'
>;

function fieldRate({ frameRate }: Pick<VideoFacts, 'frameRate'>): Fraction | null {
  return frameRate && reduced(2 * frameRate.num, frameRate.den);
}

/**
 * The frame rates of a ladder: `fast` for large rungs, `calm` for the others, `fast` being `ratio` times `calm`. A
 * source above 60 frames per second is divided by a whole number, so that every output frame is an original one.
 */
export function planRates(source: Pick<VideoFacts, 'frameRate' | 'variableFrameRate' | 'exactRate' | 'pictures'>): {
  fast: Fraction;
  calm: Fraction;
  ratio: number;
  /** Of the rate of the source, for the fast one. */
  divisor: number;
} {
  const rate = rateOf(source);
  const divided = (divisor: number) => reduced(rate.num, rate.den * divisor);
  const fastDivisor = Math.max(1, Math.ceil(toNumber(rate) / MAX_RATE));
  const fast = divided(fastDivisor);
  const ratio = toNumber(fast) > CALM_RATE ? 2 : 1;
  return { fast, calm: divided(fastDivisor * ratio), ratio, divisor: fastDivisor };
}

function rateOf({ frameRate, variableFrameRate, exactRate, pictures }: Parameters<typeof planRates>[0]): Fraction {
  if (frameRate && (exactRate || pictures)) return frameRate;
  return variableFrameRate ? constantFor(frameRate) : snapped(frameRate ?? FALLBACK_RATE);
}

/** Rates written with rounding errors (45000/1499) are taken for the common rate within 0.2 %. */
function snapped(rate: Fraction): Fraction {
  const distance = (common: Fraction) => Math.abs(toNumber(common) / toNumber(rate) - 1);
  const nearest = COMMON_RATES.reduce((best, common) => (distance(common) < distance(best) ? common : best));
  if (distance(nearest) <= 0.002) return nearest;
  // Unusual rates stay, unless their terms overflow MP4 time bases.
  return rate.num <= 1_000_000 && rate.den <= 1_000_000 ? rate : reduced(Math.round(toNumber(rate) * 1000), 1000);
}

/** For variable frame rates: the lowest common rate that shows no fewer frames than the source has on average. */
function constantFor(average: Fraction | null): Fraction {
  if (average === null) return FALLBACK_RATE;
  return COMMON_RATES.find((common) => toNumber(common) >= 0.985 * toNumber(average)) ?? { num: 60, den: 1 };
}

/**
 * Peak bit rate from pixels and frames per second: 5 Mbit/s at 1080p30, growing with the 3/4 power of the pixels
 * (detail grows slower than area) and, above 30 frames per second, with the 0.6th power of the rate (frames become more
 * alike).
 */
export function maxrate(pixels: number, framesPerSecond: number): number {
  const raw = 5_000_000 * (pixels / (1920 * 1080)) ** 0.75 * Math.max(1, framesPerSecond / 30) ** 0.6;
  return Math.max(100_000, Math.round(raw / 10_000) * 10_000);
}

/** The smallest rung whose bit rate is that of its size; null for audio only. */
export function smallestClearRung({ video }: Pick<Ladder, 'video'>): VideoRung | null {
  return video.findLast(({ label }, index) => index === 0 || label !== `${LOWEST.size}p`) ?? null;
}

/** All rungs of a ladder, which have a folder each. */
export function rungsOf({ video, audio, otherAudio }: Ladder): (VideoRung | AudioRung)[] {
  return [...video, ...audioRungs({ audio, otherAudio })];
}
