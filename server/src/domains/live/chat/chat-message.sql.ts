import type { RowScope } from '../../../gql/index.ts';
import { playableVideo } from '../../assets/index.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { mayInChannel, tokenAllowsOwn } from '../../channels/index.ts';

type Viewer = Pick<RowScope, 'viewer' | 'credential'>;

/** SQL: whether readers of its chat see a message: it is published, and its author has not closed the account. */
export function isListed(message: string): string {
  return (
    `(${message}.status = 'PUBLISHED' and exists (select 1 from accounts a ` +
    `where a.id = ${message}.account_id and a.closed_at is null))`
  );
}

/** SQL: messages that the viewer may see: listed ones, and held ones that are their own or that they moderate. */
export function isVisibleMessage(message: string, s: Viewer): string {
  return (
    `((${isListed(message)} or ${message}.status = 'HELD' and (${message}.account_id = ${s.viewer}.account_id` +
    `${tokenAllowsOwn(s, `${message}.channel_id`)} or ` +
    `${mayInChannel(s, `${message}.channel_id`, 'comment:moderate')})) and ` +
    `exists (select 1 from contents k where k.id = ${message}.content_id and ${isVisibleContent('k', s)}))`
  );
}

/** SQL: whether the author of a message is a member of the channel. */
export function isByMember(message: string): string {
  return (
    `exists (select 1 from channel_members own where own.channel_id = ${message}.channel_id ` +
    `and own.account_id = ${message}.account_id)`
  );
}

/** SQL: why a message is held, for those who moderate its channel. */
export function heldForOf(message: string, s: Viewer): string {
  return `case when ${mayInChannel(s, `${message}.channel_id`, 'comment:moderate')} then ${message}.held_for end`;
}

/** SQL: what is kept of the recording that a stream plays; null for all of it. */
export function keptRangesOfStream(contentId: string): string {
  return `(select v.kept_ranges from video_assets v where v.id = ${playableVideo(contentId)})`;
}

/** SQL: how many messages of a chat satisfy a condition. */
export function countMessages(chatId: string, where: (message: string) => string): string {
  return `(select count(*) from chat_messages m where m.content_id = ${chatId} and ${where('m')})`;
}

/** SQL: whether the viewer moderates the chat with this id. */
export function moderatesChat(chatId: string, s: Viewer): string {
  return mayInChannel(s, `(select k.channel_id from contents k where k.id = ${chatId})`, 'comment:moderate');
}
