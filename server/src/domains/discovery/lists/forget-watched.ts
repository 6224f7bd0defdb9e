import type { StatementCommand } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Policy } from '../../../kernel/policy.ts';
import { type ContentTarget, OWN_LIST_TARGET, readContentId } from '../../catalog/index.ts';
import { forgetAllWrites, forgetOneWrites, HISTORY_TARGET } from './watch-history.store.ts';

/** Every account may clear its own history. */
const OWN_HISTORY: Policy = { missing: () => new AppError('UNAUTHORIZED'), requires: [] };

/**
 * removeFromHistory: one round trip, and one for the content where it is selected; a content that is not in the history
 * or does not exist is not an error. INVALID_INPUT for other identifiers.
 */
export const removeFromHistory: StatementCommand<{ readonly id: string }, ContentTarget> = {
  prepare: ({ id }, env) => readContentId(env, id, 'id'),
  payload: (_input, _env, { content_id: content }) => ({ ok: true, content }),
  target: OWN_LIST_TARGET,
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
