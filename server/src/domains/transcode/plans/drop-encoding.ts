import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import {
  onDemandFolder,
  onDemandPrefix,
  orderObjectPurge,
  orderSegmentPurge,
  packagePrefix,
  videoPrefix,
} from '../../assets/index.ts';
import { deleteEncodePlan } from './encode-plans.store.ts';
import { withdrawOnDemand } from './on-demand.store.ts';

/** By then every worker has noticed that the plan is gone, and writes no more segments. */
export const WRITTEN_MS = 60_000;

interface Dropped {
  readonly jobId: string;
  readonly contentId: string;
  readonly videoAssetId: string | null;
  /** Of the content, where what is encoded was all that could be played of it. */
  readonly status: 'DRAFT' | 'FAILED' | 'PROCESSING';
}

/**
 * Drops the plan of a job that ends without a package or is planned again, and has what was encoded deleted, so the
 * video is not played any more where it was played while it was encoded. The caller has locked the job, as everything
 * that ends a job does.
 */
export async function dropEncoding(
  tx: Transaction,
  { jobId, contentId, videoAssetId, status }: Dropped,
  nowMs: number,
): Promise<void> {
  const plan = await deleteEncodePlan(tx, jobId);
  if (plan === null || videoAssetId === null) return;
  if (plan.folder !== null) return dropRebuild(tx, { contentId, videoAssetId, folder: plan.folder }, plan.only, nowMs);
  await orderObjectPurge(tx, packagePrefix(contentId, videoAssetId, jobId, plan.attempt), nowMs + WRITTEN_MS);
  if (!plan.onDemand) return;
  const played = onDemandPrefix(contentId, videoAssetId, jobId, plan.attempt);
  await orderObjectPurge(tx, played, nowMs + WRITTEN_MS);
  const withdrawn = await withdrawOnDemand(tx, videoAssetId, played, status, new Date(nowMs).toISOString());
  if (!withdrawn) return;
  const { channelId, wasPublished } = withdrawn;
  await appendEvent(tx, {
    ...{ type: wasPublished ? 'content.unpublished' : 'content.updated', channelId },
    ...{ subjectId: contentId, payload: {} },
  });
}

/** Of evicted renditions: they stay so. */
async function dropRebuild(
  tx: Transaction,
  video: { readonly contentId: string; readonly videoAssetId: string; readonly folder: string },
  only: readonly string[] | null,
  nowMs: number,
): Promise<void> {
  const { contentId, videoAssetId, folder } = video;
  const prefix = `${videoPrefix(contentId, videoAssetId)}${folder}/`;
  for (const each of only ?? []) await orderSegmentPurge(tx, `${prefix}${each}/`, nowMs + WRITTEN_MS);
  await purgeSingles(tx, video, nowMs + WRITTEN_MS);
}

/** Has the segments deleted that were encoded one by one. */
export async function purgeSingles(
  tx: Transaction,
  {
    contentId,
    videoAssetId,
    folder,
  }: { readonly contentId: string; readonly videoAssetId: string; readonly folder: string },
  dueMs: number,
): Promise<void> {
  await orderObjectPurge(tx, videoPrefix(contentId, videoAssetId) + onDemandFolder(`${folder}/`), dueMs);
}
