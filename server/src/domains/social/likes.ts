import type { PayloadValue, RequestEnv, StatementCommand } from '../../gql/index.ts';
import { CONTENT_KINDS } from '../../kernel/content-kinds.ts';
import { fact, not, type Policy, permission } from '../../kernel/policy.ts';
import { type ContentTarget, contentNotFound, readContentId } from '../catalog/index.ts';
import { likeContentWrites, likeTarget, unlikeContentWrites } from './likes.store.ts';
import { blockedHere } from './social.policy.ts';

type Action = 'like' | 'unlike';

interface LikeFacts {
  /** Whether the viewer may see the content. */
  readonly visible: boolean;
  /** Whether the moderators of its channel blocked the viewer. */
  readonly blocked: boolean;
}

/** Who may remove a like: everyone who sees the content. */
export const UNLIKE: Policy<LikeFacts> = {
  missing: contentNotFound,
  requires: [permission(fact('visible'), contentNotFound)],
};

/** Who may like a content: everyone who sees it and is not blocked there. */
export const LIKE: Policy<LikeFacts> = {
  ...UNLIKE,
  requires: [...UNLIKE.requires, permission(not(fact('blocked')), blockedHere)],
};

/** The shared part of the commands, whose arguments and payloads have different names. */
function onLike(
  action: Action,
  field: string,
): Pick<StatementCommand<never, ContentTarget>, 'target' | 'policy' | 'writes'> {
  const target = likeTarget(field);
  return action === 'like'
    ? { target, policy: LIKE, writes: likeContentWrites }
    : { target, policy: UNLIKE, writes: unlikeContentWrites };
}

/**
 * likeContent and unlikeContent: one round trip; idempotent. RESOURCE_NOT_FOUND, UNAUTHORIZED where the account is
 * blocked.
 */
export function likeCommand(action: Action): StatementCommand<{ readonly id: string }, ContentTarget> {
  return {
    ...onLike(action, 'id'),
    prepare: ({ id }, env) => readContentId(env, id, 'id'),
    payload: ({ id }) => id,
  };
}

/** The deprecated mutations: the same with `targetLrn`. */
export function olderLikeCommand(action: Action): StatementCommand<{ readonly targetLrn: string }, ContentTarget> {
  return {
    ...onLike(action, 'targetLrn'),
    prepare: ({ targetLrn }, env) => readContentId(env, targetLrn, 'targetLrn'),
    payload: ({ id, kind }, env: RequestEnv): PayloadValue => ({
      ok: true,
      content: id,
      targetLrn: env.did(CONTENT_KINDS[kind].did, id),
    }),
  };
}
