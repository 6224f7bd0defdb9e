import type { StatementCommand } from '../../gql/index.ts';
import type { Policy } from '../../kernel/policy.ts';
import { channelNotFound } from '../channels/index.ts';
import { type FollowTarget, followChannelWrites, followTarget, unfollowChannelWrites } from './follows.store.ts';

type Action = 'follow' | 'unfollow';

/** Who may follow a channel: everyone, any channel. */
const FOLLOW: Policy = { missing: channelNotFound, requires: [] };

function onFollow(
  action: Action,
  field: string,
): Pick<StatementCommand<never, FollowTarget>, 'target' | 'policy' | 'writes'> {
  return {
    target: followTarget(field),
    policy: FOLLOW,
    writes: action === 'follow' ? followChannelWrites : unfollowChannelWrites,
  };
}

/** followChannel and unfollowChannel: one round trip; idempotent. RESOURCE_NOT_FOUND. */
export function followCommand(action: Action): StatementCommand<{ readonly channel: string }, FollowTarget> {
  return {
    ...onFollow(action, 'channel'),
    prepare: ({ channel }, env) => ({ channel: env.parseDid(channel, ['channel'], 'channel').id }),
    payload: ({ channel }) => ({ ok: true, channel }),
  };
}

/** The deprecated mutations: the same with `targetLrn`. */
export function olderFollowCommand(action: Action): StatementCommand<{ readonly targetLrn: string }, FollowTarget> {
  return {
    ...onFollow(action, 'targetLrn'),
    prepare: ({ targetLrn }, env) => ({ channel: env.parseDid(targetLrn, ['channel'], 'targetLrn').id }),
    payload: ({ channel }, env) => ({ ok: true, targetLrn: env.did('channel', channel) }),
  };
}
