import { AppError, StorageFullError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const GONE = new Set(['ENOENT', 'ENOTDIR']);

/** The code of a Node.js system error, or undefined. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether the error says that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return GONE.has(systemCode(error) ?? '');
}

/**
 * The error for a failed file operation: StorageFullError when the disk is full, SERVICE_UNAVAILABLE when it is gone,
 * otherwise the error itself.
 */
export function diskError(error: unknown): unknown {
  const code = systemCode(error) ?? '';
  if (FULL.has(code)) return new StorageFullError(undefined, { cause: error });
  if (code === 'EROFS' || code === 'EIO' || code === 'EMFILE' || code === 'ENFILE') {
    return new AppError('SERVICE_UNAVAILABLE', t`The storage cannot be used at the moment.`, {
      retryAfterSeconds: 30,
      cause: error,
    });
  }
  return error;
}
