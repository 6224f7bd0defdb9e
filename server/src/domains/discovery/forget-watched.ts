import type { StatementCommand } from '../../gql/index.ts';
import { type ContentTarget, readContentId } from '../catalog/index.ts';
import { forgetAllCtes, forgetOneCtes } from './watch-history.store.ts';

/** removeFromHistory: one round trip; a content that is not in the history, or nowhere, is no error. INVALID_INPUT for other identifiers. */
export const removeFromHistory: StatementCommand<{ readonly id: string }, ContentTarget> = {
  prepare: ({ id }, env) => readContentId(env, id, 'id'),
  payload: () => ({ ok: true }),
  ctes: forgetOneCtes,
  returns: () => ({}),
  check: () => {},
};

/** clearHistory: one round trip; an empty history is no error. */
export const clearHistory: StatementCommand<unknown, null> = {
  prepare: () => null,
  payload: () => ({ ok: true }),
  ctes: forgetAllCtes,
  returns: () => ({}),
  check: () => {},
};
