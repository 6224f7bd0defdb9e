import { AppError } from '../../../kernel/errors.ts';
import { type ContentId, type JobId, newId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { JobDefinition } from '../../../platform/jobs/job.ts';
import type { StorageSpace } from '../../../platform/storage/storage-space.ts';
import {
  availableSpace,
  checkStorageQuota,
  markContentProcessing,
  remainingBytes,
  requireSpace,
} from '../../assets/index.ts';
import { lockOwnerOf } from '../../channels/index.ts';
import { insertTranscodeJob, type ProcessingTools, reportJob } from '../../transcode/index.ts';
import { type FetchSource, fetchSourceJob } from './fetch-source.job.ts';

export interface FetchTools extends ProcessingTools {
  readonly space: StorageSpace;
}

export interface FetchRequest {
  readonly contentId: ContentId;
  readonly channelId: string;
  readonly url: string;
  /** A VideoContentType. */
  readonly hint: string;
  readonly layout?: string | null;
  /** The job that fetches it; defaults to the guarded fetcher's. */
  readonly job?: JobDefinition<FetchSource>;
  /** The caller's argument name for the address, for errors. */
  readonly field: string;
}

/**
 * Queues fetching and processing of `url`, in the caller's transaction; the job is QUEUED meanwhile. The fetch is
 * limited by the plan of the channel's owner, its quota and the free space of the object store. Throws INVALID_INPUT
 * when the quota is used up, SERVICE_UNAVAILABLE when the store has no free space.
 */
export async function startFetching(tools: FetchTools, tx: Transaction, request: FetchRequest): Promise<JobId> {
  const { contentId, channelId, url, hint, job = fetchSourceJob } = request;
  const maxBytes = await mostBytes(tools, tx, request);
  const jobId = newId<'job'>();
  const now = new Date(tools.clock.now()).toISOString();
  await insertTranscodeJob(tx, { id: jobId, contentId, channelId, videoAssetId: null, status: 'QUEUED' }, now);
  await markContentProcessing(tx, contentId, request.layout ?? null, now);
  await tools.jobs.send(tx, job, { jobId, url, hint, maxBytes });
  await reportJob(tx, jobId, contentId, channelId, 'QUEUED');
  return jobId;
}

async function mostBytes(
  { clock, space }: FetchTools,
  tx: Transaction,
  { channelId, field }: FetchRequest,
): Promise<number> {
  const owner = await lockOwnerOf(tx, channelId, clock.now());
  if (!owner) throw new AppError('RESOURCE_NOT_FOUND', undefined, { field });
  const full = checkStorageQuota(owner, 1, field);
  if (full) throw full;
  await requireSpace(space, tx, 1, field);
  return Math.min(owner.limits.maxUploadBytes, remainingBytes(owner), Math.max(1, await availableSpace(space, tx)));
}
