import {
  costShare,
  type EncodePlan,
  hasSameSizes,
  omittedSizes,
  planOnDemand,
  sizesApart,
  sizesForTitle,
} from '../../../media/index.ts';
import type { Executor, Transaction } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { orderObjectPurge } from '../../assets/index.ts';
import { WRITTEN_MS } from './drop-encoding.ts';
import type { ClaimedChunk } from './encode-chunks.store.ts';
import type { EncodedJob } from './encode-plans.store.ts';
import { encodedVideo } from './outputs.store.ts';
import { encodedSamples, keepSizes } from './title-sizes.store.ts';

/**
 * Chooses the sizes of a video with the last of its samples: chunks that are claimed from then on have no other ones.
 * The caller has completed the chunk, and so has locked the plan: only one completion is the last.
 */
export async function chooseSizes(
  { log }: Pick<Platform, 'log'>,
  tx: Transaction,
  { jobId, plan, isSample }: Pick<ClaimedChunk, 'jobId' | 'plan' | 'isSample'>,
): Promise<void> {
  const samples = isSample ? await encodedSamples(tx, jobId) : null;
  const kept = samples && sizesForTitle(plan, samples);
  if (!kept) return;
  await keepSizes(tx, jobId, kept, costShare(plan, kept));
  log.info({ jobId, kept }, 'sizes that hardly differ in bit rate are left out');
}

/**
 * The sizes that were chosen when the same file was encoded before, as a part of its new plan; null where they are
 * still to be chosen.
 */
export async function sizesChosenBefore(
  db: Executor,
  videoAssetId: string,
  plan: EncodePlan,
  sourceTag: string,
): Promise<Pick<EncodePlan, 'only'> | null> {
  const earlier = await encodedVideo(db, videoAssetId);
  if (earlier?.sourceTag !== sourceTag || !hasSameSizes(plan, earlier.plan)) return null;
  const { only } = earlier.plan;
  return only === undefined ? {} : { only };
}

/** An encoded job without the sizes whose bit rates came out close to that of another one. */
export function withSizesApart<Job extends Pick<EncodedJob, 'jobId' | 'plan' | 'chunks'>>(
  { log }: Pick<Platform, 'log'>,
  job: Job,
): Job {
  const { jobId, plan, chunks } = job;
  const only = sizesApart(plan, chunks);
  if (only === null) return job;
  log.info({ jobId, kept: only }, 'sizes whose bit rate is close to that of another one are left out');
  return { ...job, plan: { ...plan, only } };
}

/** Players may still use a size that was played while the video was encoded. */
const PLAYED_MS = 86_400_000;

/** Has what was encoded of sizes before they were left out deleted, once nobody writes or plays it any more. */
export async function purgeOmitted(
  tx: Transaction,
  plan: EncodePlan,
  packagePrefix: string,
  nowMs: number,
): Promise<void> {
  const played = planOnDemand(plan)?.video.folder;
  for (const folder of omittedSizes(plan))
    await orderObjectPurge(tx, `${packagePrefix}${folder}/`, nowMs + (folder === played ? PLAYED_MS : WRITTEN_MS));
}
