import type { PayloadValue, RunEnv, StatementCommand } from '../../gql/index.ts';
import { CONTENT_KINDS } from '../../kernel/content-kinds.ts';
import { type ContentTarget, contentNotFound, readContentId } from '../catalog/index.ts';
import { LIKE_FACTS, likeContentCtes, unlikeContentCtes } from './likes.store.ts';
import { blockedHere } from './social.policy.ts';

type Action = 'like' | 'unlike';

/** The parts of the commands that are the same whatever the argument and the payload are called. */
function onLike(action: Action, field: string): Pick<StatementCommand<never, ContentTarget>, 'ctes' | 'returns' | 'check'> {
  return {
    ctes: action === 'like' ? likeContentCtes : unlikeContentCtes,
    returns: () => LIKE_FACTS,
    check({ blocked }) {
      if (typeof blocked !== 'boolean') throw contentNotFound(field);
      if (blocked && action === 'like') throw blockedHere(field);
    },
  };
}

/** likeContent and unlikeContent: one round trip; repeating them changes nothing. RESOURCE_NOT_FOUND, UNAUTHORIZED where the account is blocked. */
export function likeCommand(action: Action): StatementCommand<{ readonly id: string }, ContentTarget> {
  return {
    ...onLike(action, 'id'),
    prepare: ({ id }, env) => readContentId(env, id, 'id'),
    payload: ({ id }) => id,
  };
}

/** The older spellings: the same with `targetLrn`. */
export function olderLikeCommand(action: Action): StatementCommand<{ readonly targetLrn: string }, ContentTarget> {
  return {
    ...onLike(action, 'targetLrn'),
    prepare: ({ targetLrn }, env) => readContentId(env, targetLrn, 'targetLrn'),
    payload: ({ id, kind }, env: RunEnv): PayloadValue => ({ ok: true, targetLrn: env.did(CONTENT_KINDS[kind].did, id) }),
  };
}
