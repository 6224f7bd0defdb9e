import type { AddedPackage } from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { nameOfPackage, packagePrefix } from '../delivery/media-address.ts';
import type { EncodedJob } from '../encoding/encode-plans.store.ts';
import { endPlan } from '../encoding/end-plan.ts';
import { purgeOmitted } from '../encoding/title-sizes.ts';
import { giveUpOriginal } from '../originals/drop-originals.ts';
import { completeTranscodeJob } from '../processing/transcode-jobs.store.ts';
import { lockContentOfVideo } from '../processing/video-assets.store.ts';
import { addRenditions } from '../renditions/renditions.store.ts';
import { countAdded } from './additions.store.ts';

/** An attempt to finish a job. */
export interface Finishing {
  readonly signal: AbortSignal;
  /** `unknown` while the transaction is committed. */
  readonly outcome: { unknown: boolean };
}

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
