import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import {
  chunkCostsMs,
  type EncodePlan,
  outputKeys,
  peakBytes,
  placeOfSize,
  type Stage,
  singleSegment,
} from '../../../media/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  derivedLimitOfVideo,
  isSegmentPurgePending,
  orderSegmentPurge,
  videoPrefix,
  withdrawSegmentPurge,
} from '../../assets/index.ts';
import { reserveDerived } from '../jobs/reserve-derived.ts';
import { startProcessing } from '../jobs/start-processing.ts';
import { insertTranscodeJob } from '../jobs/transcode-jobs.store.ts';
import { purgeSingles } from '../plans/drop-encoding.ts';
import type { SingleChunk } from '../plans/encode-chunks.store.ts';
import { type EncodedJob, insertEncodePlan } from '../plans/encode-plans.store.ts';
import type { SegmentState } from '../plans/on-demand.store.ts';
import { encodedVideo, outputKeysOf } from '../plans/outputs.store.ts';
import { outputsOf } from '../plans/outputs.ts';
import { findSourceTag } from '../sources/encode-source.ts';
import { isEncodedFrom } from '../sources/indexed-source.ts';
import { type EvictedRendition, restoreRendition } from './cold-renditions.store.ts';
import {
  endRebuild,
  idleRebuilds,
  lockEvictedVideo,
  orderWholeSize,
  outputsOfRendition,
  rebuildJob,
  rebuildProgress,
  wantSingle,
} from './rebuild.store.ts';
import { planAgainAs } from './rebuild-plan.ts';

interface Tools {
  readonly db: Database;
  readonly store: Pick<Platform['store'], 'head'>;
}

/** Of work that no viewer waits for. */
const PRIORITY = -1;
/** Segments of all sizes of a video are numbered together. */
const MOST_SEGMENTS = 100_000;

/** A wanted segment: where its state is found. */
export interface WantedSingle {
  readonly jobId: string;
  readonly number: number;
  readonly state: SegmentState;
}

/**
 * Has a segment of an evicted size encoded for a viewer, or with `whole` the whole size. Null where it cannot be: its
 * file is gone, or this version of the encoder makes other segments.
 */
export async function wantEvicted(
  tools: Tools,
  videoAssetId: string,
  evicted: EvictedRendition,
  { segment, whole }: { readonly segment: number; readonly whole: boolean },
): Promise<WantedSingle | null> {
  const encoded = await encodedVideo(tools.db, videoAssetId);
  const plan = encoded && planAgainAs(encoded);
  const [name = '', folder = ''] = evicted.folder.split('/');
  const place = plan ? placeOfSize(plan, folder) : -1;
  if (!plan || place < 0 || segment >= evicted.segments) return null;
  const jobId =
    (await rebuildJob(tools.db, videoAssetId)) ??
    (await openRebuild(tools, videoAssetId, { plan, name, sourceTag: encoded.sourceTag }));
  if (jobId === null) return null;
  const { segments, init } = evicted;
  const single = { folder, segment: singleSegment(plan, segment, segments), segments, init, whole };
  const number = (place + 1) * MOST_SEGMENTS + segment;
  return { jobId, number, state: await wantSingle(tools.db, jobId, number, single) };
}

interface RebuildPlan {
  readonly plan: EncodePlan;
  /** Of the package. */
  readonly name: string;
  readonly sourceTag: string;
}

/** Opens the job that encodes evicted sizes of a video; it is not shown. Null where the video cannot be encoded. */
function openRebuild(
  { db, store }: Tools,
  videoAssetId: string,
  { plan, name, sourceTag }: RebuildPlan,
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const video = await lockEvictedVideo(tx, videoAssetId);
    const uploadedTag = video && (await findSourceTag(store, video.sourceKey));
    if (!video || uploadedTag === null || !isEncodedFrom({ sourceTag }, uploadedTag)) return null;
    const known = await rebuildJob(tx, videoAssetId);
    if (known !== null) return known;
    const { channelId, contentId, mimeType, sizeBytes } = video;
    const id = newId<'job'>();
    const job = { id, channelId, contentId, videoAssetId, status: 'TRANSCODING' as const };
    await insertTranscodeJob(tx, job, new Date().toISOString(), { purpose: 'RENDITIONS', priority: PRIORITY });
    const stored = { jobId: id, attempt: 0, plan: { ...plan, chunks: [] }, mimeType, remuxedKey: null, sourceTag };
    const limits = { maxBytes: derivedLimitOfVideo(sizeBytes), costsMs: [], finishCostMs: FINISH_COST_MS };
    await insertEncodePlan(tx, { ...stored, ...limits, folder: name });
    return id;
  });
}

const FINISH_COST_MS = 50;

/** Offers an evicted size again whose segments have not been deleted yet. False where they have. */
export function restoreEvicted(
  { db }: Pick<Tools, 'db'>,
  { videoAssetId, contentId }: { readonly videoAssetId: string; readonly contentId: string },
  folder: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await withdrawSegmentPurge(tx, `${videoPrefix(contentId, videoAssetId)}${folder}/`))) return false;
    return restoreRendition(tx, videoAssetId, folder);
  });
}

/** A size is encoded again when so many of its segments were watched, or half of them. */
const WATCHED_SEGMENTS = 8;

export interface OrderTools {
  readonly platform: Pick<Platform, 'db' | 'clock' | 'space' | 'jobs' | 'log'>;
  readonly stages?: readonly Stage[] | undefined;
}

/** What a worker encoded for a viewer. */
interface EncodedSingle {
  readonly jobId: string;
  readonly channelId: string;
  readonly contentId: string;
  readonly videoAssetId: string;
  /** Of the package. */
  readonly folder: string;
  readonly single: SingleChunk;
}

/** Has a whole evicted size encoded again once enough of it was watched. */
export async function orderWatchedSize(tools: OrderTools, done: EncodedSingle): Promise<void> {
  const { db, log } = tools.platform;
  const { jobId, single, contentId, videoAssetId } = done;
  const { encoded, ordered } = await rebuildProgress(db, jobId, single.folder);
  const enough = Math.min(WATCHED_SEGMENTS, Math.ceil(single.segments / 2));
  if (ordered || (!single.whole && encoded < enough)) return;
  const prefix = `${videoPrefix(contentId, videoAssetId)}${done.folder}/${single.folder}/`;
  // What a sweep deletes must not be what was just encoded.
  if (await isSegmentPurgePending(db, prefix)) return;
  try {
    await orderSize(tools, done);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.info({ error, videoAssetId }, 'an evicted size cannot be encoded again now');
  }
}

async function orderSize({ platform, stages }: OrderTools, done: EncodedSingle): Promise<void> {
  const { db } = platform;
  const { jobId, videoAssetId, single } = done;
  const encoded = await encodedVideo(db, videoAssetId);
  const whole = encoded && planAgainAs(encoded, stages);
  if (!encoded || !whole) return;
  const plan = { ...whole, only: [single.folder] };
  const chunks = plan.chunks.filter(({ kind }) => kind === 'video');
  const known = await outputKeysOf(db, videoAssetId);
  const keys = chunks.flatMap((chunk) => outputKeys(plan, chunk, encoded.sourceTag, stages));
  if (!keys.every(({ key }) => known.has(key))) return processAgain(platform, videoAssetId);
  const bytes = chunks.reduce((sum, chunk) => sum + peakBytes(plan, chunk), 0);
  const { channelId } = done;
  await reserveDerived(platform, { jobId, attempt: 0, channelId }, Math.ceil(bytes));
  const costs = chunkCostsMs({ ...plan, chunks }, stages);
  await orderWholeSize(db, jobId, single.folder, chunks, costs);
}

/** With another version of the encoder, all of the video is encoded again. */
async function processAgain(platform: Pick<Platform, 'db' | 'clock' | 'jobs'>, videoAssetId: string): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const video = await lockEvictedVideo(tx, videoAssetId);
    if (video) await startProcessing(platform, tx, { ...video, again: true, priority: PRIORITY });
  });
}

/** Segments that were encoded one by one are kept so long after the whole size was encoded. */
const SINGLE_MS = 86_400_000;

/**
 * Offers a size again whose chunks have all been encoded. Where its bytes are others than before (by another version of
 * a library, say), it stays evicted, and the video is processed again.
 */
export async function finishRebuild(
  platform: Pick<Platform, 'db' | 'clock' | 'jobs' | 'log'>,
  job: EncodedJob & { readonly folder: string },
  stages?: readonly Stage[],
): Promise<void> {
  const { db, clock, log } = platform;
  const { jobId, contentId, videoAssetId, folder: name } = job;
  const [made] = outputsOf(job, stages);
  const folder = `${name}/${made?.folder}`;
  const stored = await outputsOfRendition(db, videoAssetId, folder);
  const isSame = made?.init === stored?.init && isDeepStrictEqual(made?.outputs, stored?.outputs);
  if (!isSame) log.warn({ videoAssetId, folder }, 'an evicted size has other bytes now, the video is processed again');
  await db.transaction(async (tx) => {
    if (!(await endRebuild(tx, jobId))) return;
    if (isSame) await restoreRendition(tx, videoAssetId, folder);
    else await orderSegmentPurge(tx, `${videoPrefix(contentId, videoAssetId)}${folder}/`, clock.now());
    await purgeSingles(tx, { contentId, videoAssetId, folder: name }, clock.now() + SINGLE_MS);
  });
  if (!isSame) await processAgain(platform, videoAssetId);
}

const IDLE_MS = 3_600_000;

/** Ends jobs that nobody has waited for in the last hour, and deletes what they encoded. */
export async function endIdleRebuilds({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  for (const idle of await idleRebuilds(db, new Date(clock.now() - IDLE_MS).toISOString()))
    await db.transaction(async (tx) => {
      if (await endRebuild(tx, idle.jobId)) await purgeSingles(tx, idle, clock.now());
    });
}
