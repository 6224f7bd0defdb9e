import { isDeepStrictEqual } from 'node:util';
import type { UpmixFigures, UpmixLayout } from '@reelgraph/upmix';
import { type Fraction, toNumber } from '../inspect/fraction.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { TICKS_PER_SECOND } from '../inspect/picture-times.ts';
import { type AudioRung, audioRungs } from '../ladder/audio-rungs.ts';
import {
  isSlowVideo,
  keepsTimes,
  type Ladder,
  ladderOf,
  planLadder,
  type Staged,
  type VideoRung,
} from '../ladder/ladder.ts';
import { type AddedCodec, CODECS } from '../ladder/video-codecs.ts';
import { stagedBy } from '../stages/staged.ts';
import { isProcess, megapixelsPerSecond, type PlannedStage, STAGES, type Stage, stagesOf } from '../stages/stages.ts';
import { upmixStage } from '../stages/upmix-stage.ts';
import { type UpscalePlan, upscaleStage } from '../stages/upscale-stage.ts';
import { planKeyframes } from './times/plan-keyframes.ts';
import {
  everySegment,
  keyframesBeforeGaps,
  planChunks,
  type Timeline,
  timedCuts,
  type VideoChunk,
} from './times/timeline.ts';

/** What is encoded from a source, in chunks that any worker can encode. Plain data: stored as JSON. */
export interface EncodePlan {
  readonly facts: MediaFacts;
  readonly timeline: Timeline;
  readonly stages: readonly PlannedStage[];
  /** Where a stage is a program. */
  readonly staged?: Staged;
  /** What the pictures become; absent: H.264, with all tracks of sound. */
  readonly codec?: AddedCodec;
  /** Present: nothing but the main track, upmixed. */
  readonly upmix?: UpmixPlan;
  /** Present: nothing but the pictures, upscaled. */
  readonly upscale?: UpscalePlan;
  readonly chunks: readonly EncodeChunk[];
  /** Version of ffmpeg where it was planned: another one may encode other bytes. */
  readonly ffmpeg?: string;
  /** Folders of the renditions that are encoded; default all of the ladder. */
  readonly only?: readonly string[];
}

/** How a track is upmixed: the gain of all channels, and what was measured without it, before. */
export interface UpmixPlan {
  /** Absent: 5.1. */
  readonly layout?: UpmixLayout;
  readonly gain: number;
  readonly figures?: UpmixFigures;
}

/** A part of the work: some seconds of all sizes of the picture, or a whole track of sound. */
export type EncodeChunk =
  | ({ readonly kind: 'video' } & VideoChunk)
  | { readonly kind: 'audio'; readonly number: number; readonly folder: string };

/** The ladder and the encoders of pictures and of sound, as stages of every plan: raised with every change of them. */
export const ENCODERS = {
  video: { id: 'encode', version: 6 },
  audio: { id: 'encode-audio', version: 1 },
} as const satisfies Record<EncodeChunk['kind'], PlannedStage>;

/** The encoders of a plan. What another codec makes of the pictures depends on the ladder of H.264, too. */
export function encodersOf(codec: AddedCodec | undefined): PlannedStage[] {
  if (codec === undefined) return Object.values(ENCODERS);
  return [ENCODERS.video, { id: codec, version: CODECS[codec].version }];
}

/**
 * Plans the encoding of a source. `cuts` are the times in seconds at which segments are to begin, from 0: those of its
 * keyframes where it is played as it is, too; `keyframes` are those at which there is to be one. `all` are the stages
 * that there are. Pure.
 */
export function planEncode(
  facts: MediaFacts,
  cuts: readonly number[] | null = null,
  all: readonly Stage[] = STAGES,
  keyframes: readonly number[] = [],
): EncodePlan {
  const stages = stagesOf(facts, all);
  const staged = stagedBy(facts, stages);
  const ladder = planLadder(facts, staged);
  const timeline = timelineOf(facts, ladder, staged, { cuts, keyframes });
  const { durationMs } = facts;
  const costPerSecond = costOf(facts, ladder, stages);
  const randomAccess = isDivisible(facts, stages);
  const video = ladder.video.length === 0 ? [] : planChunks(timeline, { durationMs, randomAccess, costPerSecond });
  const audio = audioRungs(ladder).map(({ folder }, index) => ({ kind: 'audio' as const, number: index, folder }));
  return {
    facts,
    timeline,
    stages: plannedStages({ facts }, all),
    ...(staged ? { staged } : {}),
    chunks: [...video.map((chunk) => ({ kind: 'video' as const, ...chunk })), ...audio],
  };
}

/** Whether any part of the picture can be encoded by itself. */
export function isDivisible({ randomAccess }: MediaFacts, stages: readonly Stage[]): boolean {
  return randomAccess && !stages.some(({ kind, scope }) => kind === 'process-video' && scope === 'track');
}

/** The stages that this version of the software applies to a source. */
export function plannedStages(
  plan: Pick<EncodePlan, 'facts' | 'codec' | 'upmix' | 'upscale'>,
  all: readonly Stage[],
): PlannedStage[] {
  return [...stagesOfPlan(plan, all).map(plannedStage), ...encodersOf(plan.codec)];
}

/** The stages of a plan, of those that there are, in their order. Pure. */
export function stagesOfPlan(
  { facts, upmix, upscale }: Pick<EncodePlan, 'facts' | 'upmix' | 'upscale'>,
  all: readonly Stage[] = STAGES,
): Stage[] {
  const added = [
    ...(upmix ? [upmixStage(layoutOf(upmix), upmix.gain)] : []),
    ...(upscale ? [upscaleStage(upscale)] : []),
  ];
  return [...stagesOf(facts, all), ...added];
}

/** What a track is upmixed to. Pure. */
export function layoutOf({ layout = '5.1' }: Pick<UpmixPlan, 'layout'>): UpmixLayout {
  return layout;
}

/** A stage as plans store it. Pure. */
export function plannedStage(stage: Stage): PlannedStage {
  const { id, version } = stage;
  return isProcess(stage) ? { id, version, kind: 'process' } : { id, version };
}

/** The sizes that a plan encodes, of its ladder. Pure. */
export function encodedSizes(
  plan: Pick<EncodePlan, 'facts' | 'staged' | 'codec' | 'upscale' | 'only'>,
): readonly VideoRung[] {
  const { only } = plan;
  return ladderOf(plan).video.filter(({ folder }) => only === undefined || only.includes(folder));
}

/** What a plan encodes of its ladder. Pure. */
export function encodedLadder(plan: EncodePlan): Ladder {
  return { ...ladderOf(plan), video: encodedSizes(plan) };
}

/**
 * Whether the plan was made with the stages and encoders of this version of the software, with older ones, or with ones
 * that it does not know. Pure.
 */
export function planVersion(
  plan: Pick<EncodePlan, 'facts' | 'stages' | 'codec' | 'upmix' | 'upscale'>,
  all: readonly Stage[] = STAGES,
): 'current' | 'older' | 'newer' {
  if (isDeepStrictEqual(plannedStages(plan, all), plan.stages)) return 'current';
  const known: readonly PlannedStage[] = [...all.map(plannedStage), ...plannedStages(plan, all)];
  const isNewer = plan.stages.some(
    ({ id, version }) => version > (known.find((stage) => stage.id === id)?.version ?? 0),
  );
  return isNewer ? 'newer' : 'older';
}

/** Times of the source in seconds. */
interface GivenTimes {
  readonly cuts: readonly number[] | null;
  readonly keyframes: readonly number[];
}

function timelineOf(
  facts: MediaFacts,
  { baseRate, segmentFrames, video: rungs }: Ladder,
  staged: Staged | null,
  { cuts, keyframes }: GivenTimes,
): Timeline {
  const { video, durationMs } = facts;
  const pictures = video && keepsTimes(video, staged) ? video.pictures : undefined;
  const given = cuts && frameCuts(cuts, baseRate);
  const planned = pictures ? (given ?? timedCuts(pictures, segmentFrames)) : given;
  const timed = pictures ? { timed: { end: pictures.end } } : {};
  const timeline = { baseRate, segmentFrames, cuts: planned, ...timed };
  const seconds = pictures ? pictures.end / TICKS_PER_SECOND : (durationMs ?? 0) / 1000;
  const rate = toNumber(baseRate);
  const starts = planned ?? everySegment(seconds * rate, segmentFrames);
  const gaps = pictures && planned ? keyframesBeforeGaps(pictures, planned) : [];
  // Nearly still videos have one in each of their long segments.
  if (rungs.length === 0 || durationMs === null || isSlowVideo(facts))
    return gaps.length > 0 ? { ...timeline, keyframes: gaps } : timeline;
  const all = planKeyframes({ rate, starts, given: frameCuts(keyframes, baseRate), end: seconds * rate, pictures });
  return { ...timeline, keyframes: [...new Set([...all, ...gaps])].sort((a, b) => a - b) };
}

/** Times as frames, without those that fall on the same one. */
function frameCuts(cuts: readonly number[], rate: Fraction): number[] {
  const frames = cuts.map((seconds) => Math.round(seconds * toNumber(rate)));
  return [0, ...frames.filter((frame, index) => frame > (frames[index - 1] ?? 0) && frame > 0)];
}

/** H.264 in the preset of the platform, for a million pixels. */
const ENCODE_COST = 0.02;
const DECODE_COST = 0.0015;
const AUDIO_COST = 0.017;

/** CPU seconds for a second of the source, on one core of an ordinary server. Pure. */
export function costOf(facts: MediaFacts, ladder: Ladder, stages: readonly Stage[], codec?: AddedCodec): number {
  const encoded = ladder.video.reduce(
    (sum, { width, height, frameRate }) => sum + (width * height * toNumber(frameRate)) / 1e6,
    0,
  );
  const staged = stages.reduce((sum, stage) => sum + stage.costPerSecond(facts), 0);
  const sound = AUDIO_COST * audioRungs(ladder).length;
  const encodeCost = ENCODE_COST * (codec ? CODECS[codec].cost : 1);
  return encodeCost * encoded + DECODE_COST * megapixelsPerSecond(facts.video) + staged + sound;
}

/** Of every chunk: the start of ffmpeg, twice. */
const START_MS = { video: 60, audio: 40 } as const;

/** Estimated CPU milliseconds of each chunk of a plan, in their order. Pure. */
export function chunkCostsMs(plan: EncodePlan, all: readonly Stage[] = STAGES): number[] {
  const { facts, timeline, chunks } = plan;
  const stages = stagesOfPlan(plan, all);
  const perSecond = costOf(facts, encodedLadder(plan), stages, plan.codec);
  const programs = stages.filter(({ kind }) => kind === 'process-audio');
  const soundPerSecond = programs.reduce((sum, stage) => sum + stage.costPerSecond(facts), AUDIO_COST);
  const seconds = (facts.durationMs ?? 60_000) / 1000;
  const rate = toNumber(timeline.baseRate);
  return chunks.map((chunk) => {
    if (chunk.kind === 'audio') return Math.ceil(1000 * soundPerSecond * seconds) + START_MS.audio;
    const end = chunk.endFrame === null ? Math.max(seconds, chunk.startFrame / rate) : chunk.endFrame / rate;
    return Math.ceil(1000 * perSecond * (end - chunk.startFrame / rate)) + START_MS.video;
  });
}

/** Estimated CPU milliseconds after the last chunk: pictures, preview and indexes of downloads. Pure. */
export function finishCostMs({ facts }: EncodePlan): number {
  const megapixels = ((facts.video?.displayWidth ?? 0) * (facts.video?.displayHeight ?? 0)) / 1e6;
  const seconds = (facts.durationMs ?? 60_000) / 1000;
  return Math.ceil(200 + 1000 * megapixels + 5 * seconds);
}

/** Bytes of a chunk whose renditions are always at their highest bit rate. Pure. */
export function peakBytes(plan: EncodePlan, chunk: EncodeChunk): number {
  const { facts, timeline } = plan;
  const seconds = (facts.durationMs ?? 60_000) / 1000;
  if (chunk.kind === 'audio') return (seconds * audioRungOf(plan, chunk.folder).bitrateBps) / 8;
  const rate = toNumber(timeline.baseRate);
  const end = chunk.endFrame === null ? seconds : chunk.endFrame / rate;
  const bitsPerSecond = encodedSizes(plan).reduce((sum, { maxrateBps }) => sum + maxrateBps, 0);
  return (Math.max(0, end - chunk.startFrame / rate) * bitsPerSecond) / 8;
}

/** The sound of a chunk. @throws Error where the plan has no such rendition. */
export function audioRungOf(plan: EncodePlan, folder: string): AudioRung {
  const rung = audioRungs(ladderOf(plan)).find((each) => each.folder === folder);
  if (!rung) throw new Error(`The plan has no sound in ${folder}.`);
  return rung;
}

/** Units per second of a rendition's time stamps, and of them in a frame. */
export function ticksOf({ frameRate, timescale }: Pick<VideoRung, 'frameRate' | 'timescale'>): {
  timescale: number;
  frame: number;
} {
  return { timescale, frame: (timescale * frameRate.den) / frameRate.num };
}
