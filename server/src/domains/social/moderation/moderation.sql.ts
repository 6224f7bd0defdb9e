import type { RowScope } from '../../../gql/index.ts';
import { mayInChannel } from '../../channels/index.ts';

/** SQL: the rules that hold comments in a channel, as JSON; null unless the viewer moderates it. */
export function moderationOf(channelId: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  return `case when ${mayInChannel(s, channelId, 'comment:moderate')} then coalesce(
    (select jsonb_build_object('blockedWords', m.blocked_words, 'holdLinks', m.hold_links,
      'revision', m.revision) from channel_moderation m
      where m.channel_id = ${channelId}),
    '{"blockedWords": [], "holdLinks": false, "revision": 0}') end`;
}
