import type { RowScope } from '../../gql/index.ts';

/** SQL: whether the viewer follows the channel with this id. */
export function isFollowed(channelId: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  return `exists (select 1 from follows w where w.channel_id = ${channelId} and w.account_id = ${s.viewer}.account_id)`;
}

/** SQL: the own channels of accounts with each channel that they follow, as `follows_id` and `followed_at`. */
export const FOLLOWERS = `(select ch.*, w.channel_id as follows_id, w.created_at as followed_at
  from follows w join accounts a on a.id = w.account_id join channels ch on ch.id = a.primary_channel_id)`;

/** SQL: channels with each account that follows them, as `follower_id` and `followed_at`. */
export const FOLLOWED_CHANNELS = `(select ch.*, w.account_id as follower_id, w.created_at as followed_at
  from follows w join channels ch on ch.id = w.channel_id)`;
