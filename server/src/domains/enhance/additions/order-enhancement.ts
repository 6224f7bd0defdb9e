import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../kernel/errors.ts';
import { type ContentId, type JobId, newId } from '../../../kernel/ids.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { chunkCostsMs, type EncodePlan } from '../../../media/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import {
  chargeCredits,
  lockContentOfVideo,
  moveCharge,
  newestVideoAsset,
  orderObjectPurge,
  packagePrefix,
  requireOriginal,
} from '../../assets/index.ts';
import { dropEncoding, encodedVideo, processVideoJob, reportJob } from '../../transcode/index.ts';
import {
  deleteEnhancement,
  type Enhancement,
  type EnhancementCosts,
  type EnhancementKind,
  enhancementsOfContent,
  insertEnhancement,
  type NewEnhancement,
} from './enhancements.store.ts';

export interface EnhancementTools {
  readonly jobs: Pick<Jobs, 'send'>;
  readonly clock: Clock;
}

/** Players may still use what is removed. */
const REMOVED_MS = 86_400_000;

/** How the newest video of a content was encoded, which can be enhanced. */
export interface EnhanceableVideo {
  readonly videoAssetId: string;
  readonly plan: Omit<EncodePlan, 'chunks'>;
}

/** @throws AppError INVALID_INPUT naming `field` where there is no processed video, or its original was deleted. */
export async function requireEnhanceable(db: Executor, contentId: string, field: string): Promise<EnhanceableVideo> {
  const videoAssetId = await newestVideoAsset(db, contentId);
  if (videoAssetId !== null) await requireOriginal(db, videoAssetId, field);
  const encoded = videoAssetId === null ? null : await encodedVideo(db, videoAssetId);
  if (videoAssetId === null || encoded === null) throw notProcessed(field);
  return { videoAssetId, plan: encoded.plan };
}

/** What is stored as the input of an enhancement, and the credits that it takes. */
export interface ChosenEnhancement {
  readonly input: Enhancement['input'];
  readonly credits: number;
  /** What it is estimated to take; null where that is not known before it is planned. */
  readonly costs: EnhancementCosts | null;
}

/** What an enhancement takes before its first chunk, and its chunks. Pure. */
export function costsOf(plan: EncodePlan, planMs: number): EnhancementCosts {
  const encodeMs = chunkCostsMs(plan).reduce((sum, costMs) => sum + costMs, 0);
  return { planMs: Math.ceil(planMs), encodeMs };
}

interface OrderedEnhancement extends Pick<Enhancement, 'kind'> {
  readonly contentId: ContentId;
  /** Whether one that is complete is made again. */
  readonly again: boolean;
  readonly field: string;
  /**
   * What is made, from how the video was encoded and what was ordered before; null for nothing.
   * @throws AppError where the video cannot be enhanced.
   */
  readonly choose: (
    video: EnhanceableVideo,
    ordered: Enhancement['input'] | null,
  ) => ChosenEnhancement | Promise<ChosenEnhancement>;
}

/**
 * Has the newest video of a content enhanced, in the caller's transaction; it is played as before meanwhile.
 * Idempotent: returns the job that waits, runs or has done the same. One with another input takes its place.
 * @throws AppError INVALID_INPUT naming `field` where it cannot be enhanced, with the reason, or too few credits are
 * left.
 */
export async function startEnhancement(
  tools: EnhancementTools,
  tx: Transaction,
  { contentId, kind, again, field, choose }: OrderedEnhancement,
): Promise<JobId> {
  const content = await lockContentOfVideo(tx, contentId);
  if (!content) throw notProcessed(field);
  const video = await requireEnhanceable(tx, contentId, field);
  const { videoAssetId } = video;
  const present = (await enhancementsOfContent(tx, contentId)).find(
    (each) => each.videoAssetId === videoAssetId && each.kind === kind,
  );
  const { input, credits, costs } = await choose(video, present?.input ?? null);
  const isSame = present && isDeepStrictEqual(present.input, input);
  if (present && isSame && (isUnderWay(present) || (present.status === 'COMPLETE' && !again)))
    return present.jobId as JobId;
  const { channelId } = content;
  const jobId = newId<'job'>();
  await chargeCredits(tools, tx, { jobId, channelId, credits, field });
  if (present && (isUnderWay(present) || present.status === 'COMPLETE')) await remove(tools, tx, contentId, present);
  await order(tools, tx, jobId, contentId, { videoAssetId, channelId, kind, input, costs });
  return jobId;
}

/**
 * Removes the enhancement of a content; false where there is none. The original stays as it is.
 * @throws AppError INVALID_INPUT naming `field` while it is being made.
 */
export async function removeEnhancement(
  tools: EnhancementTools,
  tx: Transaction,
  { contentId, kind, field }: { readonly contentId: ContentId; readonly kind: EnhancementKind; readonly field: string },
): Promise<boolean> {
  const content = await lockContentOfVideo(tx, contentId);
  const present = (await enhancementsOfContent(tx, contentId)).filter((each) => each.kind === kind);
  if (!content || present.length === 0) return false;
  if (present.some(isUnderWay))
    throw new AppError('INVALID_INPUT', STILL_MADE[kind], {
      field,
      suggestedFix: t`Cancel its job with cancelJob, or wait until it has ended.`,
    });
  for (const enhancement of present) await remove(tools, tx, contentId, enhancement);
  await appendEvent(tx, {
    ...{ type: 'content.updated', channelId: content.channelId },
    ...{ subjectId: contentId, payload: {} },
  });
  return true;
}

/**
 * Removes the enhancements of a content whose package is replaced. Those of this video are made again from the file as
 * it is now, for the credits that they took, unless they had failed or were cancelled. The caller has locked the
 * content.
 */
export async function renewEnhancements(
  tools: EnhancementTools,
  tx: Transaction,
  { contentId, videoAssetId }: { readonly contentId: string; readonly videoAssetId: string },
): Promise<void> {
  for (const enhancement of await enhancementsOfContent(tx, contentId)) {
    const isPresent = isUnderWay(enhancement) || enhancement.status === 'COMPLETE';
    const isRenewed = isPresent && enhancement.videoAssetId === videoAssetId;
    const jobId = newId<'job'>();
    // Before the credits of one that is under way are refunded.
    if (isRenewed) await moveCharge(tx, enhancement.jobId, jobId);
    await remove(tools, tx, contentId, enhancement);
    if (isRenewed) await order(tools, tx, jobId, contentId, { ...enhancement, costs: null });
  }
}

const STILL_MADE: Readonly<Record<EnhancementKind, Text>> = {
  UPMIX: t`The upmix is still being made.`,
  UPSCALE: t`The enhanced quality is still being made.`,
};

function notProcessed(field: string): AppError {
  return new AppError('INVALID_INPUT', t`This content has no processed video.`, {
    field,
    suggestedFix: t`Wait until waitForProcessing returns COMPLETE, or call submitContentForProcessing with again:
      true.`,
  });
}

function isUnderWay({ status }: Enhancement): boolean {
  return status === 'QUEUED' || status === 'TRANSCODING' || status === 'CANCELLING';
}

async function order(
  { jobs, clock }: EnhancementTools,
  tx: Transaction,
  jobId: JobId,
  contentId: string,
  enhancement: NewEnhancement & Pick<Enhancement, 'channelId'>,
): Promise<void> {
  await insertEnhancement(tx, jobId, enhancement, new Date(clock.now()).toISOString());
  await jobs.send(tx, processVideoJob, { jobId });
  await reportJob(tx, jobId, contentId, enhancement.channelId, 'QUEUED');
}

async function remove(
  { clock }: Pick<EnhancementTools, 'clock'>,
  tx: Transaction,
  contentId: string,
  enhancement: Enhancement,
): Promise<void> {
  const { jobId, videoAssetId, channelId, attempts } = enhancement;
  const nowMs = clock.now();
  await deleteEnhancement(tx, jobId, new Date(nowMs).toISOString());
  await dropEncoding(tx, { jobId, contentId, videoAssetId, status: 'DRAFT' }, nowMs);
  for (let attempt = 1; attempt <= attempts; attempt += 1)
    await orderObjectPurge(tx, packagePrefix(contentId, videoAssetId, jobId, attempt), nowMs + REMOVED_MS);
  if (isUnderWay(enhancement)) await reportJob(tx, jobId, contentId, channelId, 'CANCELLED');
}
