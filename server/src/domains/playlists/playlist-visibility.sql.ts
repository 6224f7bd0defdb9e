import type { RowScope } from '../../gql/index.ts';
import { isMember } from '../channels/index.ts';

/** Playlists the viewer may see: those of their channels, and others unless they are private. */
export function isVisiblePlaylist(child: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  return `(${child}.open or ${isMember(s, `${child}.channel_id`, 'playlist:read')})`;
}

/** Items the viewer may see: all for members of the playlist's channel, otherwise those whose content is public. */
export function isVisibleItem(child: string, s: Pick<RowScope, 'viewer' | 'credential'>, channelId: string): string {
  return `(${child}.open or ${isMember(s, channelId, 'playlist:read')})`;
}

/** SQL: items the viewer may see, of playlists the viewer may see. */
export function isReachableItem(item: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  return (
    `exists (select 1 from playlists l where l.id = ${item}.playlist_id and ` +
    `${isVisiblePlaylist('l', s)} and ${isVisibleItem(item, s, 'l.channel_id')})`
  );
}

/** SQL: whether a playlist has an item with this content that the viewer sees. */
export function containsContent(
  playlist: string,
  contentId: string,
  s: Pick<RowScope, 'viewer' | 'credential'>,
): string {
  return (
    `exists (select 1 from playlist_items i where i.content_id = ${contentId} ` +
    `and i.playlist_id = ${playlist}.id and ${isVisibleItem('i', s, `${playlist}.channel_id`)})`
  );
}

/** SQL: the index of an item among the items of its playlist that the viewer sees. */
export function indexOfItem(item: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  const channel = `(select l.channel_id from playlists l where l.id = ${item}.playlist_id)`;
  return (
    `(select count(*) from playlist_items n where n.playlist_id = ${item}.playlist_id and n.position ` +
    `< ${item}.position and ${isVisibleItem('n', s, channel)})`
  );
}

/** SQL: the number of items of a playlist that the viewer sees. */
export function itemCount(playlist: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  return (
    `counter_value(case when ${isMember(s, `${playlist}.channel_id`, 'playlist:read')} ` +
    `then 'playlist:items' else 'playlist:open' end, ${playlist}.id)`
  );
}

/** SQL: the number of playlists of the channel with this id that the viewer sees. */
export function playlistCount(channelId: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  return (
    `counter_value(case when ${isMember(s, channelId, 'playlist:read')} then ` +
    `'channel:playlists' else 'channel:listed:PLAYLIST' end, ${channelId})`
  );
}
