import { finishCodec } from '../../../media/index.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { nameOfPackage, packagePrefix } from '../delivery/media-address.ts';
import type { EncodedJob } from '../encoding/encode-plans.store.ts';
import { endPlan } from '../encoding/end-plan.ts';
import { giveUpOriginal } from '../originals/drop-originals.ts';
import { completeTranscodeJob } from '../processing/transcode-jobs.store.ts';
import { lockContentOfVideo } from '../processing/video-assets.store.ts';
import { addRenditions } from '../renditions/renditions.store.ts';
import { countAdded } from './codec-jobs.store.ts';
import { sizeBeside } from './plan-codec-job.ts';

/**
 * Adds a codec to a video whose chunks have all been encoded in it: stores its playlists and lists it in the manifests.
 * `outcome` is unknown while the transaction is committed.
 * @throws AppError TRANSCODE_FAILED where its segments are not those that the video has.
 */
export async function addCodec(
  { db, store, clock }: Pick<Platform, 'db' | 'store' | 'clock'>,
  job: EncodedJob,
  signal: AbortSignal,
  outcome: { unknown: boolean },
): Promise<void> {
  const { jobId, attempt, contentId, channelId, videoAssetId, plan, chunks } = job;
  const beside = await sizeBeside(db, job);
  if (!beside) throw new Error('the video has no encoded size');
  const { renditions, files, totalBytes, totalFiles } = finishCodec(plan, chunks, beside);
  const prefix = packagePrefix(contentId, videoAssetId, jobId, attempt);
  for (const { path, bytes, contentType } of files) {
    signal.throwIfAborted();
    await store.put(`${prefix}${path}`, bytes, { contentType });
  }
  const nowMs = clock.now();
  outcome.unknown = true;
  const completed = await db.transaction(async (tx) => {
    await lockContentOfVideo(tx, contentId);
    if (!(await completeTranscodeJob(tx, jobId, attempt, new Date(nowMs).toISOString()))) return false;
    await endPlan(tx, jobId, prefix, nowMs);
    await addRenditions(tx, videoAssetId, nameOfPackage(prefix), renditions);
    await countAdded(tx, videoAssetId, totalBytes, totalFiles);
    const payload = { videoAssetId, codec: plan.codec };
    await appendEvent(tx, { type: 'asset.renditions_added', channelId, subjectId: contentId, payload });
    await giveUpOriginal(tx, { contentId, videoAssetId }, nowMs);
    return true;
  });
  outcome.unknown = false;
  if (!completed) throw new Error('the job was taken over or cancelled before it could be completed');
}
