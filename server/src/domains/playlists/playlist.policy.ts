import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import { fact, or, type Policy, permission } from '../../kernel/policy.ts';
import { roleTooLow } from '../channels/index.ts';

/** The facts about a playlist for the policy, as the viewer sees it. */
export interface PlaylistAuthority {
  /** Whether the viewer is a member of the playlist's channel, in any role. */
  readonly member: boolean;
  /** Whether that role has the required permission. */
  readonly may: boolean;
  /** Whether anyone with the link may see it. */
  readonly open: boolean;
}

const isMember = fact<keyof PlaylistAuthority>('member');
const hasTheRole = fact<keyof PlaylistAuthority>('may');
const isOpenToAll = fact<keyof PlaylistAuthority>('open');

/**
 * Who may change a playlist: members of its channel whose role allows it. For others a private one does not exist
 * (RESOURCE_NOT_FOUND); one they may see is UNAUTHORIZED. `missing` is the error for those they may not see.
 */
function playlistChange(missing: (field: string) => AppError): Policy<PlaylistAuthority> {
  return {
    missing,
    requires: [
      permission(or(isMember, isOpenToAll), missing),
      permission(hasTheRole, (field, { member }) => (member ? roleTooLow(field) : otherChannelsPlaylist(field))),
    ],
  };
}

export const PLAYLIST_CHANGE = playlistChange(playlistNotFound);
/** The same for who names an item of the playlist. */
export const ITEM_CHANGE = playlistChange(itemNotFound);

function otherChannelsPlaylist(field: string): AppError {
  return new AppError('UNAUTHORIZED', t`This playlist belongs to another channel.`, {
    field,
    suggestedFix: t`Use the id of a playlist in one of your channels; me.channel.playlists lists them.`,
  });
}

/** RESOURCE_NOT_FOUND for a playlist's id given in `field`. */
export function playlistNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such playlist, or it is not visible to this account.`, {
    field,
    suggestedFix: t`Check the id; me.channel.playlists lists your playlists and playlists the public ones.`,
  });
}

/** RESOURCE_NOT_FOUND for an item's id given in `field`. */
export function itemNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such item in this playlist.`, {
    field,
    suggestedFix: t`Read playlist.items again: the item may have been removed, or belong to another playlist.`,
  });
}
