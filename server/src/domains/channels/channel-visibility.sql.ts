import { type Caller, isMember } from './members/membership.sql.ts';

/** SQL: channels the viewer may see: all but those of other accounts that are for tests or of a closed account. */
export function isVisibleChannel(channel: string, s: Caller): string {
  return `(not (${channel}.is_test or ${channel}.is_hidden) or ${isMember(s, `${channel}.id`, null)})`;
}

/** SQL: whether the channel with this id is the test channel of an account. */
export function isTestChannel(channelId: string): string {
  return `exists (select 1 from channels h where h.id = ${channelId} and h.is_test)`;
}
