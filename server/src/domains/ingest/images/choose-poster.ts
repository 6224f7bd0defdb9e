import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import {
  choosePosterImage,
  completeRequestId,
  forgetPosterRequest,
  frameRequestId,
  isPosterShown,
  newestPlayableVideo,
  requestPoster,
  requireOriginal,
  withdrawPosterRequest,
} from '../../assets/index.ts';
import { posterFrameJob } from './poster-frame.job.ts';

/** Of a content: one of its images, or a time of its video in milliseconds. */
export type PosterChoice = { readonly imageAssetId: string } | { readonly timeMs: number };

/** Argument names of the caller, for errors. */
export interface PosterFields {
  readonly content: string;
  readonly image: string;
  readonly time: string;
}

/**
 * Makes an image of a content its poster at once, or queues the extraction of a video frame; the last choice wins, and
 * a repeated one changes nothing. The caller has locked the content and checks ownership. Returns whether it changed.
 * @throws AppError RESOURCE_NOT_FOUND for an image that is not the content's, INVALID_INPUT for an audio-only content
 *   for a time after the end, and for a time of a video whose original was deleted.
 */
export async function choosePoster(
  { jobs }: { readonly jobs: Jobs },
  tx: Transaction,
  contentId: string,
  choice: PosterChoice,
  fields: PosterFields,
): Promise<boolean> {
  if ('imageAssetId' in choice) {
    const isChanged = await choosePosterImage(tx, contentId, choice.imageAssetId);
    if (isChanged === null) throw noSuchImage(fields.image);
    if (!isChanged) return withdrawPosterRequest(tx, contentId);
    await forgetPosterRequest(tx, contentId);
    return true;
  }
  const video = await newestPlayableVideo(tx, contentId);
  if (!video || video.width === null) throw noVideoFrames(fields.content, video !== null);
  if (choice.timeMs > video.durationMs) throw afterTheEnd(fields.time, video.durationMs);
  await requireOriginal(tx, video.id, fields.time);
  const requestId = frameRequestId(video.id, choice.timeMs);
  if (await isPosterShown(tx, contentId, completeRequestId(requestId))) return false;
  if (!(await requestPoster(tx, contentId, requestId))) return false;
  await jobs.send(tx, posterFrameJob, { contentId, videoAssetId: video.id, timeMs: choice.timeMs, requestId });
  return true;
}

function noSuchImage(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`This content has no such image.`, {
    field,
    suggestedFix: t`Use the id of one of content.assets.images, or upload one with createContentAsset first.`,
  });
}

function noVideoFrames(field: string, playable: boolean): AppError {
  return new AppError(
    'INVALID_INPUT',
    playable ? t`This content is audio only.` : t`This content has no processed video yet.`,
    {
      field,
      suggestedFix: playable
        ? t`Upload an image with createContentAsset and send its id.`
        : t`Wait until waitForProcessing returns COMPLETE, then repeat the call; or send the id of an uploaded image.`,
    },
  );
}

function afterTheEnd(field: string, durationMs: number): AppError {
  return new AppError('INVALID_INPUT', t`The video ends at ${durationMs / 1000} seconds.`, {
    field,
    suggestedFix: t`Send a time from 0 to ${durationMs / 1000}.`,
  });
}
