import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import { isFileError, Mp4Error } from '../../../media/index.ts';

/** Whether the video, or what its owner may process, is the reason why it cannot be played: trying again is in vain. */
export function isOfVideo(error: unknown): boolean {
  const isRefused = error instanceof AppError && !ERROR_CATALOGUE[error.code].retryable;
  return isRefused || error instanceof Mp4Error || isFileError(error);
}
