import type { ErrorPort } from '@reelgraph/sql-planner';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import { isOutage } from './error-kinds.ts';

/** The planner's errors, from the catalogue. */
export const plannerErrors: ErrorPort = {
  invalidArgument: (message, details) => new AppError('INVALID_INPUT', message, details),
  missingArgument: (name) => new AppError('FIELD_REQUIRED', t`The argument ${name} must not be null.`, { field: name }),
  notFound: (field) => new AppError('RESOURCE_NOT_FOUND', undefined, { field }),
  listDenied: (field) =>
    new AppError('UNAUTHORIZED', t`You may not read this list of that object, or there is no such object.`, {
      field,
      suggestedFix: t`Check the identifier, and your role in the channel it names or belongs to.`,
    }),
  timedOut: (limitMs) =>
    new AppError('SERVICE_UNAVAILABLE', t`The operation took longer than ${Math.round(limitMs / 1000)} s.`, {
      retryAfterSeconds: 1,
    }),
  isExpected: (error) => error instanceof AppError,
  isFatal: isOutage,
};
