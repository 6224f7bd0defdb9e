import { AppError } from '../../../kernel/errors.ts';
import { type ContentId, type JobId, newId, type VideoAssetId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { composeRanges, type TimeRange } from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { StorageSpace } from '../../../platform/storage/storage-space.ts';
import {
  checkStorageQuota,
  insertVideoAsset,
  markContentProcessing,
  originalDeleted,
  requireSpace,
} from '../../assets/index.ts';
import { lockOwnerOf } from '../../channels/index.ts';
import { type ProcessingTools, reportJob, startProcessing } from '../jobs/start-processing.ts';
import { insertTranscodeJob } from '../jobs/transcode-jobs.store.ts';
import { cutSourceJob } from './cut-source.job.ts';
import { type PlayedVideo, playedVideo } from './cuttable-videos.store.ts';

/** The video of a content, which can be cut. @throws AppError INVALID_INPUT naming `field` otherwise. */
export async function requireCuttable(
  tx: Transaction,
  contentId: string,
  field: string,
): Promise<PlayedVideo & { readonly durationMs: number }> {
  const video = await playedVideo(tx, contentId);
  if (video === null || video.durationMs === null)
    throw new AppError('INVALID_INPUT', t`This content has no video that can be played.`, {
      field,
      suggestedFix: t`Wait until waitForProcessing returns COMPLETE, then repeat the call.`,
    });
  if (video.isOriginalDeleted) throw originalDeleted(field);
  return { ...video, durationMs: video.durationMs };
}

export interface CutRequest {
  /** What the result is the video of. */
  readonly contentId: ContentId;
  readonly channelId: string;
  readonly video: PlayedVideo;
  /** Of the video as it is played now. */
  readonly ranges: readonly TimeRange[];
  /** Whether the result takes the place of `video`. */
  readonly isTrim: boolean;
  /** Captions of the content that become those of the speech of the result. */
  readonly spokenCaptions?: readonly string[];
  readonly field: string;
}

export interface CuttingTools extends ProcessingTools {
  readonly space: StorageSpace;
}

/**
 * Queues cutting ranges out of a video and processing of the result, in the caller's transaction. Always cut from the
 * uploaded file, so that a video that is trimmed again loses no quality.
 * @throws AppError as `openCut`.
 */
export async function startCutting(tools: CuttingTools, tx: Transaction, request: CutRequest): Promise<JobId> {
  const { video, isTrim, spokenCaptions = [] } = request;
  const jobId = await openCut(tools, tx, request);
  const { originalKey: key, originalBytes: sizeBytes, filename, hint, keptRanges } = video;
  const ranges = keptRanges === null ? request.ranges : composeRanges(keptRanges, request.ranges);
  const file = { key, sizeBytes, filename, hint };
  await tools.jobs.send(tx, cutSourceJob, { jobId, file, ranges, isTrim, spokenCaptions });
  return jobId;
}

/** What the result of a cut is the video of. */
export type OpenedCut = Pick<CutRequest, 'contentId' | 'channelId' | 'field'>;

/**
 * A job that waits for a file that is cut; the caller queues the work in the same transaction.
 * @throws AppError INVALID_INPUT when the quota is used up, SERVICE_UNAVAILABLE when the store has no free space.
 */
export async function openCut(
  tools: Pick<CuttingTools, 'clock' | 'space'>,
  tx: Transaction,
  { contentId, channelId, field }: OpenedCut,
): Promise<JobId> {
  const owner = await lockOwnerOf(tx, channelId, tools.clock.now());
  if (!owner) throw new AppError('RESOURCE_NOT_FOUND', undefined, { field });
  const full = checkStorageQuota(owner, 1, field);
  if (full) throw full;
  await requireSpace(tools.space, tx, 1, field);
  const jobId = newId<'job'>();
  const now = new Date(tools.clock.now()).toISOString();
  await insertTranscodeJob(tx, { id: jobId, contentId, channelId, videoAssetId: null, status: 'QUEUED' }, now);
  await markContentProcessing(tx, contentId, null, now);
  await reportJob(tx, jobId, contentId, channelId, 'QUEUED');
  return jobId;
}

/**
 * Queues processing of the uploaded file of a trimmed video, which then takes its place. The caller has locked the
 * content.
 * @throws AppError INVALID_INPUT naming `field` where it was not trimmed.
 */
export async function startRevert(
  tools: ProcessingTools,
  tx: Transaction,
  { contentId, channelId, field }: Pick<CutRequest, 'contentId' | 'channelId' | 'field'>,
): Promise<JobId> {
  const video = await playedVideo(tx, contentId);
  if (video === null || video.keptRanges === null)
    throw new AppError('INVALID_INPUT', t`The video of this content is the original.`, {
      field,
      suggestedFix: t`There is nothing to revert. Content.trim tells whether a video was trimmed.`,
    });
  const nowMs = tools.clock.now();
  const videoAssetId: VideoAssetId = newId<'video-asset'>(nowMs);
  const { originalKey: sourceKey, originalBytes: sizeBytes, filename, hint } = video;
  await insertVideoAsset(
    tx,
    { id: videoAssetId, channelId, contentId, ingestionId: null, hint, filename, sourceKey, sizeBytes },
    new Date(nowMs).toISOString(),
    { edit: 'REVERT' },
  );
  return (await startProcessing(tools, tx, { contentId, videoAssetId, field })).jobId;
}
