import { ApiError } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';

/** What follows a failed request of a transfer. */
export type FailureKind = 'retry' | 'file' | 'end';

/**
 * `file`: the file was changed, moved or deleted, which browsers report like a lost connection. `end`: the server
 * refused the upload, so that sending it again is of no use.
 */
export function kindOfFailure(status: number | null, isFileReadable: boolean): FailureKind {
  if (status !== null && status >= 400 && status < 500 && ![408, 409, 423, 425, 429].includes(status)) return 'end';
  return isFileReadable ? 'retry' : 'file';
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** How long to wait before the next attempt, after so many failed ones in a row. */
export function retryDelayMs(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
}

/** The error in a response of an upload address. */
export function uploadError(body: string | null): ApiError {
  try {
    const { errors } = JSON.parse(body ?? '');
    return new ApiError({ message: errors[0].message, extensions: errors[0] });
  } catch {
    return new ApiError({
      message: t`The server did not accept the upload.`,
      extensions: { code: 'UPLOAD_FAILED', suggestedFix: t`Try again.` },
    });
  }
}
