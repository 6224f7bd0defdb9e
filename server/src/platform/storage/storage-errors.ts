import { AppError } from '../../kernel/errors.ts';

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

/** What a failing file operation becomes: SERVICE_UNAVAILABLE when the disk is full or lost, else the error itself. */
export function diskError(error: unknown): unknown {
  const code = systemCode(error) ?? '';
  if (FULL.has(code)) {
    return new AppError('SERVICE_UNAVAILABLE', 'The storage is full: nothing can be stored at the moment.', {
      suggestedFix: 'Try again later; bytes that were acknowledged are kept. The operator has to free disk space.',
      retryAfterSeconds: 300,
      cause: error,
    });
  }
  if (code === 'EROFS' || code === 'EIO' || code === 'EMFILE' || code === 'ENFILE') {
    return new AppError('SERVICE_UNAVAILABLE', 'The storage cannot be used at the moment.', { retryAfterSeconds: 30, cause: error });
  }
  return error;
}
