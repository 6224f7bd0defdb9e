import {
  type Additions,
  type FinishingTools,
  type HeldJob,
  type PlanningTools,
  withSizesApart,
} from '../transcode/index.ts';
import { enhancementOfJob } from './additions/enhancements.store.ts';
import { renewEnhancements } from './additions/order-enhancement.ts';
import { addCodec } from './codecs/add-codec.ts';
import { dropCodecs, orderCodecs } from './codecs/order-codecs.ts';
import { planCodecJob } from './codecs/plan-codec-job.ts';
import { dropReplacedSpeech } from './speech/order-transcription.ts';
import { addUpmix } from './upmix/add-upmix.ts';
import type { ChosenUpmix } from './upmix/order-upmix.ts';
import { planUpmixJob } from './upmix/plan-upmix-job.ts';
import { addUpscale } from './upscale/add-upscale.ts';
import type { ChosenUpscale } from './upscale/order-upscale.ts';
import { planUpscaleJob } from './upscale/plan-upscale-job.ts';

/** Sound in 5.1 and 7.1, enhanced sizes and other codecs. */
export const videoAdditions: Additions = {
  plan(tools, held, signal) {
    return held.codec === null ? planEnhancement(tools, held, signal) : planCodecJob(tools, held, held.codec, signal);
  },
  complete(tools: FinishingTools, job, finishing) {
    const { platform } = tools;
    if (job.plan.upmix) return addUpmix(platform, job, finishing);
    if (job.plan.upscale) return addUpscale(tools, job, finishing);
    return addCodec(platform, withSizesApart(platform, job), finishing);
  },
  async dropReplaced(platform, tx, { contentId, videoAssetId }, dueMs) {
    await dropCodecs(tx, contentId, dueMs);
    await renewEnhancements(platform, tx, { contentId, videoAssetId });
  },
  async orderForNew(platform, tx, { contentId, channelId, videoAssetId }) {
    await orderCodecs(platform, tx, { channelId, videoAssetId });
    await dropReplacedSpeech(platform, tx, { contentId, channelId, videoAssetId });
  },
};

async function planEnhancement(tools: PlanningTools, held: HeldJob, signal: AbortSignal): Promise<void> {
  const enhancement = await enhancementOfJob(tools.platform.db, held.jobId);
  // A job whose enhancement was removed is cancelled.
  if (enhancement === null) throw new Error('the enhancement was removed');
  // As `startUpmix` and `startUpscale` stored it.
  if (enhancement.kind === 'UPMIX') return planUpmixJob(tools, held, enhancement.input as ChosenUpmix, signal);
  return planUpscaleJob(tools, held, enhancement.input as ChosenUpscale, signal);
}
