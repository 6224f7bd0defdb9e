import { AppError, StorageFullError } from './errors.ts';
import { t } from './languages/message.ts';

/**
 * Codes of PostgreSQL when it shuts down or has no free connections, and of the system when a connection is lost: a
 * statement being written fails with EPIPE.
 */
const UNAVAILABLE = new Set([
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08003',
  '53300',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** Messages of the driver for a connection that was lost before or while a statement was sent. */
const LOST = /connection (terminated|error|closed)|is not queryable|trying to connect/i;

/** Deadlock and serialization failure: the transaction can simply be retried. */
const UNDONE = new Set(['40P01', '40001']);

/** A text with a NUL (character_not_in_repertoire), also within JSON (untranslatable_character). */
const NOT_STORABLE = new Set(['22021', '22P05']);
const DISK_FULL = '53100';
/** Class 53 (PostgreSQL manual, Appendix A): insufficient resources. */
const NO_RESOURCES = /^53...$/;

/**
 * The one mapping of errors of the database. Connection errors, conflicts with other transactions and a lack of
 * resources become SERVICE_UNAVAILABLE, texts that cannot be stored INVALID_INPUT; other statement errors are returned
 * unchanged.
 */
export function translate(error: unknown): unknown {
  const code = codeOf(error);
  if (code === DISK_FULL)
    return new StorageFullError(t`The disk of the database is full: nothing can be stored at the moment.`, {
      cause: error,
    });
  if (NOT_STORABLE.has(code))
    return new AppError('INVALID_INPUT', t`A text contains a character that cannot be stored.`, {
      suggestedFix: t`Remove NUL characters from the arguments.`,
      cause: error,
    });
  if (code === '57014')
    return new AppError('SERVICE_UNAVAILABLE', t`The operation timed out.`, { cause: error, retryAfterSeconds: 1 });
  if (UNDONE.has(code))
    return new AppError('SERVICE_UNAVAILABLE', t`The operation conflicted with another one and was rolled back.`, {
      cause: error,
      retryAfterSeconds: 1,
    });
  if (NO_RESOURCES.test(code) && !UNAVAILABLE.has(code))
    return new AppError('SERVICE_UNAVAILABLE', t`The database is short of resources at the moment.`, {
      cause: error,
      retryAfterSeconds: 5,
    });
  const lost =
    UNAVAILABLE.has(code) || code.startsWith('ECONN') || (error instanceof Error && LOST.test(error.message));
  return lost
    ? new AppError('SERVICE_UNAVAILABLE', t`The database connection was lost.`, { cause: error, retryAfterSeconds: 1 })
    : error;
}

/** A code of PostgreSQL, in contrast to those of the system. */
const SQLSTATE = /^\d[0-9A-Z]{4}$/;

/**
 * The AppError that an error is, or that it or one of its causes means where it comes from PostgreSQL; null for others.
 * Libraries with connections of their own (the job queue, sign-in) throw errors that {@link translate} has not seen.
 */
export function appErrorOf(error: unknown): AppError | null {
  const translated = error instanceof AppError || SQLSTATE.test(codeOf(error)) ? translate(error) : null;
  if (translated instanceof AppError) return translated;
  return error instanceof Error && error.cause !== undefined ? appErrorOf(error.cause) : null;
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
