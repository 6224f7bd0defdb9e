import type { CommandScope } from '../../gql/index.ts';

/** A channel to follow or to follow no more. */
export interface FollowTarget {
  readonly channel: string;
}

type Ctes = Readonly<Record<'target' | 'changed' | 'history' | 'event', string>>;

/** `returns` of the commands on follows: whether the channel is there. */
export const FOLLOW_FACTS = { found: 'exists (select 1 from target)' } as const;

function target(s: CommandScope<FollowTarget>): string {
  return `select ch.id, v.account_id from ${s.allowed} v join channels ch on ch.id = ${s.value(({ channel }) => channel, 'uuid')}`;
}

/** The line of the history and the event of a change. */
function told(s: CommandScope<FollowTarget>, delta: 1 | -1): Pick<Ctes, 'history' | 'event'> {
  const type = delta === 1 ? 'channel.followed' : 'channel.unfollowed';
  return {
    history: `insert into follow_changes (channel_id, account_id, delta, created_at) select channel_id, account_id, ${delta}, ${s.now} from changed`,
    event: `insert into events (type, channel_id, subject_id) select '${type}', channel_id, channel_id from changed`,
  };
}

/** Follows a channel; one that is followed already stays as it is, and nothing is told. */
export function followChannelCtes(s: CommandScope<FollowTarget>): Ctes {
  return {
    target: target(s),
    changed: `
    insert into follows (channel_id, account_id, created_at) select t.id, t.account_id, ${s.now} from target t
    on conflict do nothing returning channel_id, account_id`,
    ...told(s, 1),
  };
}

/** Follows a channel no more. */
export function unfollowChannelCtes(s: CommandScope<FollowTarget>): Ctes {
  return {
    target: target(s),
    changed: `
    delete from follows f using target t where f.channel_id = t.id and f.account_id = t.account_id returning f.channel_id, f.account_id`,
    ...told(s, -1),
  };
}
