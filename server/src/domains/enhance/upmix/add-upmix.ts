import { finishUpmix, layoutOf } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { renditionsOfVideo } from '../../assets/index.ts';
import { type EncodedJob, type Finishing, reportJob } from '../../transcode/index.ts';
import { completeAddition } from '../additions/complete-addition.ts';
import { completeEnhancement } from '../additions/enhancements.store.ts';
import { receiptOf } from './upmix-receipt.ts';

/**
 * Adds the upmix to a video once it has been encoded, and writes the receipt.
 * @throws AppError TRANSCODE_FAILED where something is missing.
 */
export async function addUpmix(
  platform: Pick<Platform, 'db' | 'store' | 'clock'>,
  job: EncodedJob,
  finishing: Finishing,
): Promise<void> {
  const { jobId, contentId, channelId, videoAssetId, plan, chunks } = job;
  const { upmix } = plan;
  if (!upmix?.figures) throw new Error('the plan has no figures of an upmix');
  const present = await renditionsOfVideo(platform.db, videoAssetId, contentId);
  const names = present.flatMap((rendition) => (rendition.kind === 'AUDIO' ? [rendition.name] : []));
  const added = finishUpmix(plan, chunks, names);
  const receipt = receiptOf(upmix.figures, plan.facts.audio?.channels ?? 0);
  await completeAddition(platform, job, added, {
    ...finishing,
    record: async (tx, folder) => {
      await completeEnhancement(tx, jobId, receipt, { folder, bytes: added.totalBytes, files: added.totalFiles });
      await reportJob(tx, jobId, contentId, channelId, 'COMPLETE');
      return { upmix: layoutOf(upmix) };
    },
  });
}
