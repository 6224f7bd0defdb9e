import type { StatementCommand } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { fact, not, oneOf, type Policy, permission, state } from '../../../kernel/policy.ts';
import { roleTooLow } from '../../channels/index.ts';
import { cancelJobWrites, JOB_TARGET, type JobTarget } from './cancel-job.store.ts';

interface JobFacts {
  /** Whether the viewer is a member of the job's channel, in any role. */
  readonly member: boolean;
  /** Whether that role allows cancelling it. */
  readonly may: boolean;
  readonly status: string;
  /** Whether somebody asked for it. */
  readonly ordered: boolean;
}

/** Who may cancel a job; for non-members of its channel it does not exist. */
export const JOB_CANCELLATION: Policy<JobFacts> = {
  missing: jobNotFound,
  requires: [
    permission(fact('member'), jobNotFound),
    permission(fact('may'), roleTooLow),
    state(not(oneOf('status', ['COMPLETE', 'ERROR'])), (field) => {
      return new AppError('INVALID_INPUT', t`This job has already ended.`, {
        field,
        suggestedFix: t`There is nothing to cancel. To make its video private, call unpublishContent or deleteContent.`,
      });
    }),
    state(fact('ordered'), (field) => {
      return new AppError('INVALID_INPUT', t`Nobody asked for this job in particular: it would begin again.`, {
        field,
        suggestedFix: t`To encode no videos in other codecs, change the settings of the channel with updateChannel.`,
      });
    }),
  ],
};

/** Cancels a job in one of the account's channels. One round trip; idempotent. */
export const cancelJob: StatementCommand<{ readonly id: string }, JobTarget> = {
  prepare: ({ id }, env) => ({ id: env.parseDid(id, ['job'], 'id').id }),
  payload: ({ id }) => id,
  row: 'cancelled',
  target: JOB_TARGET,
  policy: JOB_CANCELLATION,
  writes: cancelJobWrites,
};

function jobNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such job, or it is not visible to this account.`, {
    field,
    suggestedFix: t`Check the id; jobs lists those of your channels.`,
  });
}
