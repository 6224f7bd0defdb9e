import type { StatementCommand } from '../../gql/index.ts';
import { judgeChannelChange } from '../channels/index.ts';
import { FOLLOW_FACTS, type FollowTarget, followChannelCtes, unfollowChannelCtes } from './follows.store.ts';

type Action = 'follow' | 'unfollow';

function onFollow(action: Action, field: string): Pick<StatementCommand<never, FollowTarget>, 'ctes' | 'returns' | 'check'> {
  return {
    ctes: action === 'follow' ? followChannelCtes : unfollowChannelCtes,
    returns: () => FOLLOW_FACTS,
    check({ found }) {
      // Any channel may be followed: the only thing that can be wrong is that there is none.
      const refused = found === true ? null : judgeChannelChange(null, field);
      if (refused) throw refused;
    },
  };
}

/** followChannel and unfollowChannel: one round trip; repeating them changes nothing. RESOURCE_NOT_FOUND. */
export function followCommand(action: Action): StatementCommand<{ readonly channel: string }, FollowTarget> {
  return {
    ...onFollow(action, 'channel'),
    prepare: ({ channel }, env) => ({ channel: env.parseDid(channel, ['channel'], 'channel').id }),
    payload: ({ channel }) => ({ ok: true, channel }),
  };
}

/** The older spellings: the same with `targetLrn`. */
export function olderFollowCommand(action: Action): StatementCommand<{ readonly targetLrn: string }, FollowTarget> {
  return {
    ...onFollow(action, 'targetLrn'),
    prepare: ({ targetLrn }, env) => ({ channel: env.parseDid(targetLrn, ['channel'], 'targetLrn').id }),
    payload: ({ channel }, env) => ({ ok: true, targetLrn: env.did('channel', channel) }),
  };
}
