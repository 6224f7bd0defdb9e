import { AppError } from '../../kernel/errors.ts';
import { roleTooLow } from '../channels/index.ts';

/** What the policy needs to know of a playlist, from the viewer's side. */
export interface PlaylistAuthority {
  /** Whether the viewer works on the playlist's channel, in any role. */
  readonly member: boolean;
  /** Whether that role allows what is asked for. */
  readonly may: boolean;
  /** Whether anyone with the link may see it. */
  readonly open: boolean;
}

/** The authority as a command's statement tells it; null when there was no such playlist. */
export function readPlaylistAuthority({ member, may, open }: Readonly<Record<string, unknown>>): PlaylistAuthority | null {
  return typeof open === 'boolean' ? { member: member === true, may: may === true, open } : null;
}

/**
 * Who may change a playlist: members of its channel whose role allows it. A private one is to others as if it did not exist
 * (RESOURCE_NOT_FOUND); one they may see is UNAUTHORIZED. Null when the change is allowed.
 */
export function judgePlaylistChange(authority: PlaylistAuthority | null, field: string): AppError | null {
  if (authority === null || !(authority.open || authority.member)) return playlistNotFound(field);
  if (authority.may) return null;
  if (authority.member) return roleTooLow(field);
  return new AppError('UNAUTHORIZED', 'This playlist belongs to another channel.', {
    field,
    suggestedFix: 'Use the id of a playlist in a channel of your own; me.channel.playlists lists them.',
  });
}

/** RESOURCE_NOT_FOUND for a playlist's id given in `field`. */
export function playlistNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', 'There is no such playlist, or it is not visible to this account.', {
    field,
    suggestedFix: 'Check the id; me.channel.playlists lists your playlists and playlists the public ones.',
  });
}

/** RESOURCE_NOT_FOUND for an item's id given in `field`. */
export function itemNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', 'There is no such item in this playlist.', {
    field,
    suggestedFix: 'Read playlist.items again: the item may have been removed, or belong to another playlist.',
  });
}
