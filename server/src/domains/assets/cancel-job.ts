import type { StatementCommand } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { roleTooLow } from '../channels/index.ts';
import { cancelJobCtes, JOB_FACTS, type JobTarget } from './cancel-job.store.ts';

const ENDED = ['COMPLETE', 'ERROR'];

/** Cancels a job of an own channel. One round trip; repeating it changes nothing. */
export const cancelJob: StatementCommand<{ readonly id: string }, JobTarget> = {
  prepare: ({ id }, env) => ({ id: env.parseDid(id, ['job'], 'id').id }),
  payload: ({ id }) => id,
  row: 'cancelled',
  ctes: cancelJobCtes,
  returns: () => JOB_FACTS,
  check({ member, may, status }) {
    if (member !== true) {
      throw new AppError('RESOURCE_NOT_FOUND', 'There is no such job, or it is not visible to this account.', {
        field: 'id',
        suggestedFix: 'Check the id; jobs lists those of your channels.',
      });
    }
    if (may !== true) throw roleTooLow('id');
    if (typeof status === 'string' && ENDED.includes(status)) {
      throw new AppError('INVALID_INPUT', 'This job has ended already.', {
        field: 'id',
        suggestedFix: 'Nothing is left to cancel. To take its video back from the public, call unpublishContent or deleteContent.',
      });
    }
  },
};
