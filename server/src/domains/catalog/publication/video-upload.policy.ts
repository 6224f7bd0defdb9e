import { AppError } from '../../../kernel/errors.ts';
import { t, textOf } from '../../../kernel/languages/message.ts';
import type { VideoUpload } from '../../ingest/index.ts';

const NEW_UPLOAD = t`Open a new upload with createContentAsset and send the file to its endpoint.`;

/**
 * The error when processing cannot begin with this upload; null when all its bytes have arrived. `field` names the
 * argument.
 */
export function checkVideoUpload(upload: VideoUpload, field: string): AppError | null {
  const { state, receivedBytes, sizeBytes, error } = upload;
  switch (state) {
    case 'FINISHED':
      return sizeBytes === 0
        ? new AppError('UPLOAD_FAILED', t`The file is empty.`, { field, suggestedFix: NEW_UPLOAD })
        : null;
    case 'FAILED':
      return new AppError('UPLOAD_FAILED', error ? textOf(error) : t`The upload failed.`, {
        field,
        suggestedFix: NEW_UPLOAD,
      });
    case 'EXPIRED':
      return new AppError('UPLOAD_FAILED', t`The upload made no progress for too long and has expired.`, {
        field,
        suggestedFix: NEW_UPLOAD,
      });
    case 'OPEN': {
      if (sizeBytes === null) {
        return new AppError(
          'INVALID_INPUT',
          t`The upload is not finished: ${receivedBytes} bytes have arrived, and its size is not known yet.`,
          { field, suggestedFix: t`Send the missing bytes with PATCH, the last ones with Upload-Length; then repeat.` },
        );
      }
      const missing = sizeBytes - receivedBytes;
      if (missing <= 0) {
        return new AppError('INVALID_INPUT', t`All bytes have arrived; the upload is being completed.`, {
          field,
          suggestedFix: t`Repeat the call in a few seconds.`,
        });
      }
      return new AppError(
        'INVALID_INPUT',
        t`The upload is not finished: ${receivedBytes} of ${sizeBytes} bytes have arrived, ${missing} are missing.`,
        {
          field,
          suggestedFix: t`Send the missing bytes to the upload endpoint (HEAD returns the offset, PATCH continues from
            there), then repeat the call.`,
        },
      );
    }
  }
}
