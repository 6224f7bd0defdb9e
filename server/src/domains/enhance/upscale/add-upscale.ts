import { finishUpscale } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type EncodedJob, type Finishing, reportJob } from '../../transcode/index.ts';
import { completeAddition } from '../additions/complete-addition.ts';
import { completeEnhancement } from '../additions/enhancements.store.ts';
import { sizeBeside } from '../codecs/plan-codec-job.ts';
import { type DeliveredTools, deliveredGain } from './delivered-gain.ts';
import { upscaleReceiptOf } from './upscale-receipt.ts';

/**
 * Adds the enhanced quality to a video once it has been encoded, and writes the receipt.
 * @throws AppError TRANSCODE_FAILED where its segments are not those that the video has.
 */
export async function addUpscale(
  tools: DeliveredTools & { readonly platform: Pick<Platform, 'clock'> },
  job: EncodedJob,
  finishing: Finishing,
): Promise<void> {
  const { platform } = tools;
  const { jobId, contentId, channelId, plan, chunks } = job;
  const { upscale } = plan;
  const beside = await sizeBeside(platform.db, job);
  if (!beside || !upscale?.figures) throw new Error('the video has no encoded size, or the plan no figures');
  const added = finishUpscale(plan, chunks, beside);
  const delivered = await deliveredGain(tools, job, beside, added.renditions, finishing.signal);
  const receipt = upscaleReceiptOf(upscale, upscale.figures, delivered);
  await completeAddition(platform, job, added, {
    ...finishing,
    record: async (tx, folder) => {
      await completeEnhancement(tx, jobId, receipt, { folder, bytes: added.totalBytes, files: added.totalFiles });
      await reportJob(tx, jobId, contentId, channelId, 'COMPLETE');
      return { upscale: `${upscale.target}p` };
    },
  });
}
