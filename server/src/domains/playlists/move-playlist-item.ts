import type { CommandContext } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { changingPlaylist, moveItemsTo } from './change-items.ts';
import { type PositionInput, readTargetPosition } from './item-input.ts';
import { ITEM_CHANGE, itemNotFound } from './playlist.policy.ts';
import { type LockedPlaylist, playlistOfItem } from './playlist-items.store.ts';

/** The ids of an item and of its playlist. */
type Moved = { readonly item: string; readonly playlist: string };

/**
 * Moves one item within its playlist. Throws RESOURCE_NOT_FOUND or UNAUTHORIZED for the item, and
 * INVALID_INPUT or RESOURCE_NOT_FOUND for the target position.
 */
export async function movePlaylistItem(context: CommandContext, id: string, input: PositionInput): Promise<Moved> {
  const itemId = context.parseDid(id, ['playlistItem'], 'id').id;
  const place = readTargetPosition(context, input);
  const playlistId = await playlistOfItem(context.services.playlists.db, itemId);
  if (playlistId === null) throw itemNotFound('id');
  const move = async (tx: Transaction, playlist: LockedPlaylist): Promise<Moved> => {
    const [moved] = await moveItemsTo(context, tx, playlist, [{ sent: id, field: 'id', named: itemId }], place);
    if (moved?.error) {
      const { code, message, suggestedFix } = moved.error;
      throw new AppError(code, message, { field: 'id', suggestedFix });
    }
    return { item: itemId, playlist: playlistId };
  };
  return changingPlaylist(context, playlistId, 'id', move, ITEM_CHANGE);
}
