import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  type DeliveredFrame,
  INIT_NAME,
  measureDelivered,
  type Rendition,
  type Runner,
  sceneAt,
  segmentName,
  toNumber,
  type VideoRendition,
} from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { packagePrefix, videoPrefix, workFolders } from '../../assets/index.ts';
import type { EncodedJob, LocalSources } from '../../transcode/index.ts';

/** How the delivered pictures of an enhanced quality compare with those of the largest ordinary one. */
export interface DeliveredGain {
  /** In dB of PSNR of luma to the source, in its size. */
  readonly gainDb: number;
  readonly bitrateBps: number;
  /** The label of the ordinary one. */
  readonly ordinary: string;
  readonly ordinaryBitrateBps: number;
}

export interface DeliveredTools {
  readonly platform: Pick<Platform, 'db' | 'store' | 'config' | 'log'>;
  readonly runner: Runner;
  readonly sources: LocalSources;
}

/** Frames that are compared. */
const MOST_FRAMES = 6;

/**
 * Compares first frames of segments that were enlarged with the model, as they are delivered. Null where they cannot be
 * compared, which is logged.
 */
export async function deliveredGain(
  { platform, runner, sources }: DeliveredTools,
  job: EncodedJob,
  beside: VideoRendition,
  renditions: readonly Rendition[],
  signal: AbortSignal,
): Promise<DeliveredGain | null> {
  const { config, log } = platform;
  const enhanced = renditions.find((rendition) => rendition.kind === 'VIDEO');
  if (!enhanced) return null;
  try {
    const frames: DeliveredFrame[] = [];
    for (const segment of comparedSegments(job, beside)) frames.push(await readFrame(platform, job, beside, segment));
    const framesPerSecond = toNumber(job.plan.timeline.baseRate);
    const gainDb = await workFolders(config.DATA_DIR, log).use((folder) =>
      sources.use(job.sourceKey, (inputPath) =>
        measureDelivered(runner, job.plan.facts, frames, {
          ...{ inputPath, workDir: join(folder, 'delivered'), framesPerSecond, signal },
        }),
      ),
    );
    if (gainDb === null) return null;
    const bitrates = { bitrateBps: enhanced.averageBps, ordinaryBitrateBps: beside.averageBps };
    return { gainDb, ordinary: beside.label, ...bitrates };
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ error, jobId: job.jobId }, 'the delivered pictures of an upscale could not be compared');
    return null;
  }
}

interface ComparedSegment {
  readonly number: number;
  readonly atSeconds: number;
}

/** Segments that begin in scenes with the model, spread over the video. Pure. */
export function comparedSegments(
  { plan }: Pick<EncodedJob, 'plan'>,
  { durations, timescale }: Pick<VideoRendition, 'durations' | 'timescale'>,
): ComparedSegment[] {
  const scenes = plan.upscale?.scenes ?? [];
  let ticks = 0;
  const starts = durations.map((duration, number) => {
    const atSeconds = ticks / timescale;
    ticks += duration;
    return { number, atSeconds };
  });
  const withModel = starts.filter(({ atSeconds }) => {
    const frame = Math.round(atSeconds * toNumber(plan.timeline.baseRate));
    return scenes.length > 0 && sceneAt(scenes, frame).weight > 0;
  });
  const step = Math.max(1, withModel.length / MOST_FRAMES);
  return Array.from({ length: Math.min(MOST_FRAMES, withModel.length) }, (_, index) =>
    Math.floor(index * step),
  ).flatMap((at) => withModel[at] ?? []);
}

async function readFrame(
  { store }: Pick<Platform, 'store'>,
  { jobId, attempt, contentId, videoAssetId, chunks }: EncodedJob,
  beside: VideoRendition,
  { number, atSeconds }: ComparedSegment,
): Promise<DeliveredFrame> {
  const read = async (key: string): Promise<Buffer> => {
    const stored = await store.read(key);
    if (!stored) throw new Error(`${key} is gone`);
    return buffer(stored.stream);
  };
  const [part] = chunks.flatMap(({ parts }) => parts);
  if (!part) throw new Error('nothing was encoded');
  const folder = packagePrefix(contentId, videoAssetId, jobId, attempt) + part.folder;
  const ordinary = videoPrefix(contentId, videoAssetId) + beside.folder;
  const name = segmentName(number);
  return {
    atSeconds,
    enhanced: Buffer.concat([Buffer.from(part.init, 'base64'), await read(`${folder}/${name}`)]),
    ordinary: Buffer.concat([await read(`${ordinary}/${INIT_NAME}`), await read(`${ordinary}/${name}`)]),
  };
}
