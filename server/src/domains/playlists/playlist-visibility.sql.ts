import type { RowScope } from '../../gql/index.ts';
import { isMember } from '../channels/index.ts';

/** Playlists the viewer may see: those of own channels, and others unless they are private. */
export function isVisiblePlaylist(child: string, s: Pick<RowScope, 'viewer'>): string {
  return `(${child}.visibility <> 'PRIVATE' or ${isMember(s, `${child}.channel_id`)})`;
}

/** Items the viewer may see: members of the playlist's channel all of them, others those whose content is open to all. */
export function isVisibleItem(child: string, s: Pick<RowScope, 'viewer'>, channelId: string): string {
  return `(${child}.open or ${isMember(s, channelId)})`;
}
