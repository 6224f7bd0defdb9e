import { finishCodec } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { EncodedJob, Finishing } from '../../transcode/index.ts';
import { completeAddition } from '../additions/complete-addition.ts';
import { sizeBeside } from './plan-codec-job.ts';

/**
 * Adds a codec to a video whose chunks have all been encoded in it.
 * @throws AppError TRANSCODE_FAILED where its segments are not those that the video has.
 */
export async function addCodec(
  platform: Pick<Platform, 'db' | 'store' | 'clock'>,
  job: EncodedJob,
  finishing: Finishing,
): Promise<void> {
  const { plan, chunks } = job;
  const beside = await sizeBeside(platform.db, job);
  if (!beside) throw new Error('the video has no encoded size');
  await completeAddition(platform, job, finishCodec(plan, chunks, beside), {
    ...finishing,
    record: async () => ({ codec: plan.codec }),
  });
}
