import type { ResolverContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import {
  chunkCostsMs,
  type EncodePlan,
  finishCostMs,
  type MediaFacts,
  peakBytes,
  planEncode,
} from '../../../media/index.ts';
import { type ChunkSpeedKind, type PlanningKind, readEncodeQueue, readSpeeds } from './encode-speeds.store.ts';

export const MAX_HOURS = 24;
export const MAX_SIDE = 8192;
export const MAX_RATE = 240;
const DEFAULT_RATE = 30;
/** Of an upload: its file is inspected. */
export const PLANNING_COST_MS = 1_000;

export interface EstimateInput {
  readonly durationMs: number;
  readonly width?: Maybe<number>;
  readonly height?: Maybe<number>;
  readonly frameRate?: Maybe<number>;
  readonly hasAudio?: Maybe<boolean>;
}

export interface ProcessingEstimate {
  readonly cpuMs: number;
  readonly sizeBytes: number;
  readonly readyInMs: number;
  /** Of `me.credits.generation`. */
  readonly credits: number;
}

/** What is not in the chunks of a plan: CPU time in ms, and credits. */
interface OtherCosts {
  /** Of what comes before the first chunk. */
  readonly planning: number;
  readonly planningKind: PlanningKind;
  /** Of what comes after the last one. */
  readonly finish: number;
  readonly credits: number;
}

/** What the processing of a video would take if its file were submitted now, as measured on this installation. */
export async function estimate(context: ResolverContext, input: EstimateInput): Promise<ProcessingEstimate> {
  const plan = planEncode(readFacts(input));
  const costs = { planning: PLANNING_COST_MS, planningKind: 'plan' as const, finish: finishCostMs(plan), credits: 0 };
  return estimatePlan(context, plan, costs);
}

/** Workers look for the next step of a job once a second. */
const LOOKS_MS = 1_500;

/** The same for a plan: in the queue as it is, with the speed that was measured for this kind of work. */
export async function estimatePlan(
  context: Pick<ResolverContext, 'services'>,
  plan: EncodePlan,
  { planning, planningKind, finish, credits }: OtherCosts,
): Promise<ProcessingEstimate> {
  const { db } = context.services.assets;
  const speeds = await readSpeeds(db, ['audio', 'video', 'upmix', 'upscale', 'finish', planningKind]);
  const costs = chunkCostsMs(plan);
  const chunks = plan.chunks.map((chunk, index) => {
    const { cpuPerCost, wallPerCpu, bytesPerPeak } = speeds[speedKindOf(plan, chunk.kind)];
    const cpuMs = (costs[index] ?? 0) * cpuPerCost;
    return { cpuMs, wallMs: cpuMs * wallPerCpu, bytes: peakBytes(plan, chunk) * bytesPerPeak };
  });
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
  const queue = await readEncodeQueue(db, {
    costMs: sumOf(costs),
    leftMs: sumOf(chunks.map(({ wallMs }) => wallMs)),
    longestMs: Math.max(...chunks.map(({ wallMs }) => wallMs)),
  });
  const { [planningKind]: planned, finish: finished } = speeds;
  const plannedInMs = queue.planningMs + planning * planned.cpuPerCost * planned.wallPerCpu;
  const finishMs = finish * finished.cpuPerCost;
  const readyMs = LOOKS_MS + plannedInMs + queue.encodedInMs + queue.finishingMs + finishMs * finished.wallPerCpu;
  return {
    cpuMs: Math.round(planning * planned.cpuPerCost + sumOf(chunks.map(({ cpuMs }) => cpuMs)) + finishMs),
    sizeBytes: Math.round(sumOf(chunks.map(({ bytes }) => bytes))),
    readyInMs: Math.ceil(readyMs),
    credits,
  };
}

/** The kind of a chunk of a plan whose speed is measured. Pure. */
export function speedKindOf({ upmix, upscale }: EncodePlan, kind: 'audio' | 'video'): ChunkSpeedKind {
  if (upmix) return 'upmix';
  return upscale ? 'upscale' : kind;
}

function readFacts({ durationMs: given, width, height, frameRate, hasAudio }: EstimateInput): MediaFacts {
  const durationMs = numberIn('durationMs', given, 1, MAX_HOURS * 3_600_000);
  const video = width == null && height == null ? null : pictureFacts(width, height, frameRate);
  const audio = hasAudio === false ? null : SOUND;
  if (video === null && audio === null)
    throw new AppError('INVALID_INPUT', t`A file without picture and sound cannot be processed.`, {
      field: 'input.width',
      suggestedFix: t`Send width and height of the picture, or hasAudio: true.`,
    });
  return {
    ...{ demuxer: 'mov', durationMs, randomAccess: true, startMs: 0, video, audio, otherAudio: [], cover: null },
    ...{ chapters: [], subtitles: [], undecodable: { video: [], audio: [] } },
  };
}

/** Stereo, as most files have it. */
const SOUND: MediaFacts['audio'] = {
  ...{ index: 1, codec: 'aac', channels: 2, channelLayout: 'stereo', sampleRate: 48_000 },
  ...{ bitrateBps: null, language: null, title: null },
};

/** H.264 in standard dynamic range. */
function pictureFacts(width: Maybe<number>, height: Maybe<number>, frameRate: Maybe<number>): MediaFacts['video'] {
  const size = {
    width: Math.round(numberIn('width', width, 1, MAX_SIDE)),
    height: Math.round(numberIn('height', height, 1, MAX_SIDE)),
  };
  const rate = numberIn('frameRate', frameRate ?? DEFAULT_RATE, 0.1, MAX_RATE);
  return {
    ...{ index: 0, codec: 'h264', profile: null, ...size, displayWidth: size.width, displayHeight: size.height },
    ...{ rotation: 0, sar: { num: 1, den: 1 }, frameRate: { num: Math.round(1000 * rate), den: 1000 } },
    ...{ variableFrameRate: false, pixelFormat: 'yuv420p', bitDepth: 8, hdr: null, interlaced: null, bitrateBps: null },
    colour: { primaries: null, transfer: null, matrix: null, range: null },
  };
}

function numberIn(field: string, value: Maybe<number>, least: number, most: number): number {
  if (value != null && value >= least && value <= most) return value;
  throw new AppError('INVALID_INPUT', value == null ? t`input.${field} is missing.` : t`input.${field} is ${value}.`, {
    field: `input.${field}`,
    suggestedFix: t`Send ${least} to ${most}.`,
  });
}
