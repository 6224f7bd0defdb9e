import type { AddedPackage } from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { addRenditions, giveUpOriginal, lockContentOfVideo, nameOfPackage, packagePrefix } from '../../assets/index.ts';
import { completeTranscodeJob, type EncodedJob, endPlan, type Finishing, purgeOmitted } from '../../transcode/index.ts';
import { countAdded } from './additions.store.ts';

interface Recording extends Finishing {
  /** Writes what else is to be known of what was added, stored in `folder`; returns what the event says of it. */
  record(tx: Transaction, folder: string): Promise<Readonly<Record<string, unknown>>>;
}

/** Adds renditions to a video: stores their playlists, lists them in the manifests and ends the job. */
export async function completeAddition(
  { db, store, clock }: Pick<Platform, 'db' | 'store' | 'clock'>,
  job: EncodedJob,
  { renditions, files, totalBytes, totalFiles }: AddedPackage,
  { signal, outcome, record }: Recording,
): Promise<void> {
  const { jobId, attempt, contentId, channelId, videoAssetId } = job;
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
    await endPlan(tx, jobId, prefix, nowMs);
    await purgeOmitted(tx, job.plan, prefix, nowMs);
    await addRenditions(tx, videoAssetId, folder, renditions);
    await countAdded(tx, videoAssetId, totalBytes, totalFiles);
    const payload = { videoAssetId, ...(await record(tx, folder)) };
    await appendEvent(tx, { type: 'asset.renditions_added', channelId, subjectId: contentId, payload });
    await giveUpOriginal(tx, { contentId, videoAssetId }, nowMs);
    return true;
  });
  outcome.unknown = false;
  if (!completed) throw new Error('the job was taken over or cancelled before it could be completed');
}
