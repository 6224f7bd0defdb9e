import type { RowScope } from '../../gql/index.ts';
import { isMember } from '../channels/index.ts';

/** Playlists the viewer may see: those of their channels, and others unless they are private. */
export function isVisiblePlaylist(child: string, s: Pick<RowScope, 'viewer'>): string {
  return `(${child}.visibility <> 'PRIVATE' or ${isMember(s, `${child}.channel_id`)})`;
}

/** Items the viewer may see: all for members of the playlist's channel, otherwise those whose content is public. */
export function isVisibleItem(child: string, s: Pick<RowScope, 'viewer'>, channelId: string): string {
  return `(${child}.open or ${isMember(s, channelId)})`;
}
