import type { StatementCommand } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Policy } from '../../../kernel/policy.ts';
import { type ContentTarget, readContentId } from '../../catalog/index.ts';
import { forgetAllWrites, forgetOneWrites, HISTORY_TARGET } from './watch-history.store.ts';

/** Every account may clear its own history. */
const OWN_HISTORY: Policy = { missing: () => new AppError('UNAUTHORIZED'), requires: [] };

/**
 * removeFromHistory: one round trip; a content that is not in the history or does not exist is not an error.
 * INVALID_INPUT for other identifiers.
 */
export const removeFromHistory: StatementCommand<{ readonly id: string }, ContentTarget> = {
  prepare: ({ id }, env) => readContentId(env, id, 'id'),
  payload: () => ({ ok: true }),
  target: HISTORY_TARGET,
  policy: OWN_HISTORY,
  writes: forgetOneWrites,
};

/** clearHistory: one round trip; an empty history is not an error. */
export const clearHistory: StatementCommand<unknown, null> = {
  prepare: () => null,
  payload: () => ({ ok: true }),
  target: HISTORY_TARGET,
  policy: OWN_HISTORY,
  writes: forgetAllWrites,
};
