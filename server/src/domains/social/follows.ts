import type { StatementCommand } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import { fact, not, type Policy, state } from '../../kernel/policy.ts';
import { channelNotFound } from '../channels/index.ts';
import {
  type FollowFacts,
  type FollowTarget,
  followChannelWrites,
  followTarget,
  unfollowChannelWrites,
} from './follows.store.ts';

type Action = 'follow' | 'unfollow';

/** Who may follow a channel: everyone but its owner, who would count as a follower of what is their own. */
const FOLLOW: Policy<FollowFacts> = {
  missing: channelNotFound,
  requires: [state(not(fact('owned')), ownChannel)],
};
/** An owner may have followed the channel before it was theirs. */
const UNFOLLOW: Policy<FollowFacts> = { missing: channelNotFound, requires: [] };

function ownChannel(field: string): AppError {
  return new AppError('INVALID_INPUT', t`This channel is your own.`, {
    field,
    suggestedFix: t`Follow channels of other accounts.`,
  });
}

function onFollow(
  action: Action,
  field: string,
): Pick<StatementCommand<never, FollowTarget>, 'target' | 'policy' | 'writes'> {
  return {
    target: followTarget(field),
    policy: action === 'follow' ? FOLLOW : UNFOLLOW,
    writes: action === 'follow' ? followChannelWrites : unfollowChannelWrites,
  };
}

/** followChannel and unfollowChannel: one round trip; idempotent. RESOURCE_NOT_FOUND, INVALID_INPUT for one's own. */
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
    payload: ({ channel }, env) => ({ ok: true, channel, targetLrn: env.did('channel', channel) }),
  };
}
