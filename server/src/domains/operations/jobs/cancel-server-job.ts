import type { DidKind, StatementCommand } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { not, oneOf, type Policy, state } from '../../../kernel/policy.ts';
import { SERVER_JOB_TARGET, type ServerJobTarget, serverJobWrites } from './server-jobs.store.ts';

/** A job as operators know it, and as members of its channel do. */
export const SERVER_JOB_KINDS: readonly DidKind[] = ['serverJob', 'job'];

/** Which jobs an operator can cancel: those that have not ended. */
const SERVER_JOB_CANCELLATION: Policy<{ readonly status: string }> = {
  missing: serverJobNotFound,
  requires: [
    state(not(oneOf('status', ['COMPLETE', 'ERROR'])), (field) => {
      return new AppError('INVALID_INPUT', t`This job has already ended.`, {
        field,
        suggestedFix: t`There is nothing to cancel.`,
      });
    }),
  ],
};

/** Cancels a job in any channel, and notes it in the audit log. One round trip; idempotent. */
export const cancelServerJob: StatementCommand<{ readonly id: string }, ServerJobTarget> = {
  prepare: ({ id }, env) => ({ id: env.parseDid(id, SERVER_JOB_KINDS, 'id').id, actionId: newId() }),
  payload: ({ id }) => id,
  row: 'cancelled',
  target: SERVER_JOB_TARGET,
  policy: SERVER_JOB_CANCELLATION,
  writes: serverJobWrites,
};

export function serverJobNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such job.`, {
    field,
    suggestedFix: t`Check the id; serverJobs lists the jobs of all channels.`,
  });
}
