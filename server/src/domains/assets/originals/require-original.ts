import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { isOriginalDeleted } from './originals.store.ts';

/**
 * Refuses work on the uploaded file of a video that was deleted.
 * @throws AppError INVALID_INPUT with `field`, the caller's argument.
 */
export async function requireOriginal(tx: Executor, videoAssetId: string, field: string): Promise<void> {
  if (await isOriginalDeleted(tx, videoAssetId)) throw originalDeleted(field);
}

/** The error for work on an uploaded file that was deleted. */
export function originalDeleted(field: string): AppError {
  return new AppError('INVALID_INPUT', t`The original file of this video was deleted after it was processed.`, {
    field,
    suggestedFix: t`Upload the video again. To keep originals from now on, call updateChannel with keepOriginals: true
      first.`,
  });
}
