import type { Platform } from '../../../platform/platform.ts';
import { processVideoJob } from '../jobs/process-video.job.ts';
import { releaseTranscodeJob } from '../jobs/transcode-jobs.store.ts';
import { dropEncoding } from './drop-encoding.ts';

interface PlannedJob {
  readonly jobId: string;
  readonly attempt: number;
  readonly contentId: string;
  readonly videoAssetId: string;
}

/**
 * Plans a job again: one that was planned by an older version, because what two versions encode does not fit together,
 * or one whose file is to be decoded whole.
 */
export async function planAgain(
  { db, jobs, clock }: Pick<Platform, 'db' | 'jobs' | 'clock'>,
  job: PlannedJob,
  { decodesWhole = false } = {},
): Promise<void> {
  const { jobId, attempt } = job;
  await db.transaction(async (tx) => {
    if (!(await releaseTranscodeJob(tx, jobId, attempt, decodesWhole))) return;
    await dropEncoding(tx, { ...job, status: 'PROCESSING' }, clock.now());
    await jobs.send(tx, processVideoJob, { jobId });
  });
}
