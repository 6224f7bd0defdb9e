import type { StatementCommand } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { grouped, t } from '../../../kernel/languages/message.ts';
import { fact, type Policy, permission, state } from '../../../kernel/policy.ts';
import { type ContentTarget, contentNotFound, OWN_LIST_TARGET, readContentId } from '../../catalog/index.ts';
import { MAX_WATCH_LATER } from './watch-later.sql.ts';
import { addToWatchLaterWrites, removeFromWatchLaterWrites, WATCH_LATER_TARGET } from './watch-later.store.ts';

interface WatchLaterFacts {
  /** Whether the viewer may see the content. */
  readonly visible: boolean;
  /** Whether the list has room for it, or has it. */
  readonly room: boolean;
}

/** Who may add a content to their list: everyone who sees it. */
const WATCH_LATER: Policy<WatchLaterFacts> = {
  missing: contentNotFound,
  requires: [permission(fact('visible'), contentNotFound), state(fact('room'), listFull)],
};

/** Every account may change its own list. */
const OWN_LIST: Policy = { missing: () => new AppError('UNAUTHORIZED'), requires: [] };

/** addToWatchLater: one round trip; idempotent. RESOURCE_NOT_FOUND, INVALID_INPUT for a full list. */
export const addToWatchLater: StatementCommand<{ readonly id: string }, ContentTarget> = {
  prepare: ({ id }, env) => readContentId(env, id, 'id'),
  payload: ({ id }) => id,
  target: WATCH_LATER_TARGET,
  policy: WATCH_LATER,
  writes: addToWatchLaterWrites,
};

/**
 * removeFromWatchLater: one round trip, and one for the content where it is selected; a content that is not on the list
 * or does not exist is not an error. INVALID_INPUT for other identifiers.
 */
export const removeFromWatchLater: StatementCommand<{ readonly id: string }, ContentTarget> = {
  prepare: ({ id }, env) => readContentId(env, id, 'id'),
  payload: (_input, _env, { content_id: content }) => ({ ok: true, content }),
  target: OWN_LIST_TARGET,
  policy: OWN_LIST,
  writes: removeFromWatchLaterWrites,
};

function listFull(field: string): AppError {
  return new AppError('INVALID_INPUT', t`Watch later holds at most ${grouped(MAX_WATCH_LATER)} videos.`, {
    field,
    suggestedFix: t`Remove videos from it first.`,
  });
}
