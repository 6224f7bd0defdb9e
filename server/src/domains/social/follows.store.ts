import type { CommandScope, CommandTarget } from '../../gql/index.ts';
import { isVisibleChannel } from '../channels/index.ts';

/** A channel to follow or unfollow. */
export interface FollowTarget {
  readonly channel: string;
}

/** The facts about a channel for the policy. */
export interface FollowFacts {
  /** Whether the viewer owns it, whatever its token is limited to. */
  readonly owned: boolean;
}

type Writes = Readonly<Record<'changed' | 'history' | 'event', string>>;

/** The channel and the viewer's relation to it. */
export function followTarget(field: string): CommandTarget<FollowTarget> {
  return {
    field,
    from: (s) =>
      `join channels ch on ch.id = ${s.value(({ channel }) => channel, 'uuid')} and ${isVisibleChannel('ch', s)}`,
    columns: (s) => ({
      id: 'ch.id',
      account_id: `${s.viewer}.account_id`,
      owned:
        'exists (select 1 from channel_members m where m.channel_id = ch.id and m.account_id = ' +
        `${s.viewer}.account_id and m.role = 'OWNER')`,
    }),
  };
}

/** The history row and the event of a change. */
function followEvent(s: CommandScope<FollowTarget>, delta: 1 | -1): Pick<Writes, 'history' | 'event'> {
  const type = delta === 1 ? 'channel.followed' : 'channel.unfollowed';
  return {
    history:
      'insert into follow_changes (channel_id, account_id, delta, created_at) select channel_id, account_id, ' +
      `${delta}, ${s.now} from changed`,
    event: `insert into events (type, channel_id, subject_id) select '${type}', channel_id, channel_id from changed`,
  };
}

/** Follows a channel; one that is already followed is left unchanged, without an event. */
export function followChannelWrites(s: CommandScope<FollowTarget>): Writes {
  return {
    changed: `
    insert into follows (channel_id, account_id, created_at) select t.id, t.account_id, ${s.now} from permitted t
    on conflict do nothing returning channel_id, account_id`,
    ...followEvent(s, 1),
  };
}

/** Unfollows a channel. */
export function unfollowChannelWrites(s: CommandScope<FollowTarget>): Writes {
  return {
    changed: `
    delete from follows f using permitted t where f.channel_id = t.id and f.account_id = t.account_id
      returning f.channel_id, f.account_id`,
    ...followEvent(s, -1),
  };
}
