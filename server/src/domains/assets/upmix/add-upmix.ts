import { finishUpmix } from '../../../media/index.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { countAdded } from '../codecs/codec-jobs.store.ts';
import { nameOfPackage, packagePrefix } from '../delivery/media-address.ts';
import { deleteEncodePlan, type EncodedJob } from '../encoding/encode-plans.store.ts';
import { giveUpOriginal } from '../originals/drop-originals.ts';
import { reportJob } from '../processing/start-processing.ts';
import { completeTranscodeJob } from '../processing/transcode-jobs.store.ts';
import { lockContentOfVideo } from '../processing/video-assets.store.ts';
import { addRenditions, renditionsOfVideo } from '../renditions/renditions.store.ts';
import { receiptOf } from './upmix-receipt.ts';
import { completeUpmix } from './upmixes.store.ts';

/**
 * Adds the upmix to a video once it has been encoded: stores its playlists, lists it in the manifests, and writes the
 * receipt. `outcome` is unknown while the transaction is committed.
 * @throws AppError TRANSCODE_FAILED where something is missing.
 */
export async function addUpmix(
  { db, store, clock }: Pick<Platform, 'db' | 'store' | 'clock'>,
  job: EncodedJob,
  signal: AbortSignal,
  outcome: { unknown: boolean },
): Promise<void> {
  const { jobId, attempt, contentId, channelId, videoAssetId, plan, chunks } = job;
  const figures = plan.upmix?.figures;
  if (!figures) throw new Error('the plan has no figures of an upmix');
  const present = await renditionsOfVideo(db, videoAssetId, contentId);
  const names = present.flatMap((rendition) => (rendition.kind === 'AUDIO' ? [rendition.name] : []));
  const { renditions, files, totalBytes, totalFiles } = finishUpmix(plan, chunks, names);
  const prefix = packagePrefix(contentId, videoAssetId, jobId, attempt);
  for (const { path, bytes, contentType } of files) {
    signal.throwIfAborted();
    await store.put(`${prefix}${path}`, bytes, { contentType });
  }
  const nowMs = clock.now();
  const folder = nameOfPackage(prefix);
  outcome.unknown = true;
  const completed = await db.transaction(async (tx) => {
    await lockContentOfVideo(tx, contentId);
    if (!(await completeTranscodeJob(tx, jobId, attempt, new Date(nowMs).toISOString()))) return false;
    await deleteEncodePlan(tx, jobId);
    await addRenditions(tx, videoAssetId, folder, renditions);
    await countAdded(tx, videoAssetId, totalBytes, totalFiles);
    const receipt = receiptOf(figures, plan.facts.audio?.channels ?? 0);
    await completeUpmix(tx, jobId, receipt, { folder, bytes: totalBytes, files: totalFiles });
    await reportJob(tx, jobId, contentId, channelId, 'COMPLETE');
    const payload = { videoAssetId, upmix: '5.1' };
    await appendEvent(tx, { type: 'asset.renditions_added', channelId, subjectId: contentId, payload });
    await giveUpOriginal(tx, { contentId, videoAssetId }, nowMs);
    return true;
  });
  outcome.unknown = false;
  if (!completed) throw new Error('the job was taken over or cancelled before it could be completed');
}
