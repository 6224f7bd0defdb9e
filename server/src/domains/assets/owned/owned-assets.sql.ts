import { countRows, type RowScope } from '../../../gql/index.ts';
import { isMember, tokenAllows } from '../../channels/index.ts';

type Viewer = Pick<RowScope, 'viewer' | 'credential'>;

/** SQL: playable videos of the channel's published, public contents. */
function isListedVideo(video: string, channelId: string): string {
  return (
    `${video}.channel_id = ${channelId} and ${video}.ready_at is not null and exists ` +
    `(select 1 from contents k where k.id = ${video}.content_id and k.listed)`
  );
}

/** SQL: videos of the channel's contents that the viewer may see: all for members, otherwise listed ones. */
export function isVideoOfChannel(video: string, channelId: string, s: Viewer): string {
  return `${video}.channel_id = ${channelId} and (${isMember(s, channelId)} or (${isListedVideo(video, channelId)}))`;
}

/** SQL: the number of such videos; for others than members at most `most`. */
export function videosOfChannel(channelId: string, s: Viewer, most: number): string {
  const listed = countRows('video_assets', (row) => isListedVideo(row, channelId), most);
  return `case when ${isMember(s, channelId)} then counter_value('channel:videos', ${channelId}) else ${listed} end`;
}

/** SQL: rows of the channels that the account owns, as far as the viewer's credential sees them. */
export function isOfOwnedChannel(row: string, accountId: string, s: Viewer): string {
  const owned = `${row}.channel_id in (select o.id from channels o where o.account_id = ${accountId})`;
  return `${owned}${tokenAllows(s, 'content:read', row)}`;
}

/** SQL: the number of such rows of `table`, of which the counter `scope` has those of each channel. */
export function countOfOwnedChannels(table: string, scope: string, accountId: string, s: Viewer): string {
  if (s.credential === 'token') return countRows(table, (row) => isOfOwnedChannel(row, accountId, s));
  return (
    `(select coalesce(sum(counter_value('${scope}', o.id)), 0)::bigint ` +
    `from channels o where o.account_id = ${accountId})`
  );
}

/** SQL: the key of the largest variant of a channel's avatar; null if it has none. */
export function avatarKeyOf(channelId: string): string {
  return `(select avatar.object_prefix || (avatar.variants -> 0 ->> 'file') from image_assets avatar
    where avatar.channel_id = ${channelId} and avatar.content_id is null
      and avatar.playlist_id is null and avatar.purpose = 'AVATAR'
    order by avatar.created_at desc, avatar.id desc limit 1)`;
}
