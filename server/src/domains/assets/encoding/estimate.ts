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
import { readEncodeLoad } from './encode-speeds.store.ts';

export const MAX_HOURS = 24;
export const MAX_SIDE = 8192;
export const MAX_RATE = 240;
const DEFAULT_RATE = 30;

export interface EstimateInput {
  readonly duration: number;
  readonly width?: Maybe<number>;
  readonly height?: Maybe<number>;
  readonly frameRate?: Maybe<number>;
  readonly hasAudio?: Maybe<boolean>;
}

export interface ProcessingEstimate {
  readonly cpuSeconds: number;
  readonly sizeBytes: number;
  readonly readyInSeconds: number;
  readonly readyAt: string;
  /** Of `me.credits.generation`. */
  readonly credits: number;
}

/** What is not in the chunks of a plan: CPU time after the last and before the first one in ms, and credits. */
interface OtherCosts {
  readonly finish: number;
  readonly before: number;
  readonly credits: number;
}

/** What the processing of a video would take if its file were submitted now, as measured on this installation. */
export async function estimate(context: ResolverContext, input: EstimateInput): Promise<ProcessingEstimate> {
  const plan = planEncode(readFacts(input));
  return estimatePlan(context, plan, { finish: finishCostMs(plan), before: 0, credits: 0 });
}

/** The same for a plan. */
export async function estimatePlan(
  context: Pick<ResolverContext, 'services' | 'nowMs'>,
  plan: EncodePlan,
  { finish, before, credits }: OtherCosts,
): Promise<ProcessingEstimate> {
  const costs = chunkCostsMs(plan);
  const load = await readEncodeLoad(
    context.services.assets.db,
    costs.reduce((sum, cost) => sum + cost, 0),
  );
  const chunks = plan.chunks.map((chunk, index) => {
    const isVideo = chunk.kind === 'video';
    return {
      cpuMs: (costs[index] ?? 0) * (isVideo ? load.videoCpuPerCost : load.audioCpuPerCost),
      bytes: peakBytes(plan, chunk) * (isVideo ? load.videoBytesPerPeak : load.audioBytesPerPeak),
    };
  });
  const encodeMs = chunks.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const finishMs = finish * load.finishCpuPerCost;
  const longestMs = Math.max(...chunks.map(({ cpuMs }) => cpuMs));
  const encodedMs = load.aheadMs / load.lanes + Math.max(encodeMs / load.lanes, longestMs);
  const readyMs = (encodedMs + before) * load.wallPerCpu + finishMs * load.finishWallPerCpu;
  return {
    cpuSeconds: (before + encodeMs + finishMs) / 1000,
    sizeBytes: Math.round(chunks.reduce((sum, { bytes }) => sum + bytes, 0)),
    readyInSeconds: Math.ceil(readyMs / 1000),
    readyAt: new Date(context.nowMs + readyMs).toISOString(),
    credits,
  };
}

function readFacts({ duration, width, height, frameRate, hasAudio }: EstimateInput): MediaFacts {
  const durationMs = Math.round(1000 * numberIn('duration', duration, 0.001, MAX_HOURS * 3600));
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
