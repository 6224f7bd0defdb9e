import type { CommandContext } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { readContentId } from '../catalog/index.ts';
import { addItems, changingPlaylist, removeItemsOf } from './change-items.ts';
import { itemsWith } from './playlist-items.store.ts';

/** The argument that names the content, for errors. */
const CONTENT = 'input.contentId';

export interface SavedContent {
  /** Id of the playlist. */
  readonly id: string;
  readonly input: { readonly contentId: string };
}

/**
 * Has a playlist contain a content, at its end unless it is there; returns the id of the playlist. RESOURCE_NOT_FOUND
 * or UNAUTHORIZED for the playlist, RESOURCE_NOT_FOUND for the content, INVALID_INPUT for a full playlist.
 */
export function saveToPlaylist(context: CommandContext, { id, input: { contentId } }: SavedContent): Promise<string> {
  const playlistId = context.parseDid(id, ['playlist'], 'id').id;
  const named = readContentId(context, contentId, CONTENT);
  return changingPlaylist(context, playlistId, 'id', async (tx, playlist) => {
    if ((await itemsWith(tx, playlistId, named.id)).length > 0) return playlistId;
    const entry = { sent: contentId, field: CONTENT, named };
    const [added] = await addItems(context, tx, playlist, [entry], { index: null });
    if (added?.error) {
      const { code, message, suggestedFix } = added.error;
      throw new AppError(code, message, { field: CONTENT, suggestedFix });
    }
    return playlistId;
  });
}

/** Has a playlist not contain a content: removes all items with it, also one that is hidden or does not exist. */
export function removeFromPlaylist(
  context: CommandContext,
  { id, input: { contentId } }: SavedContent,
): Promise<string> {
  const playlistId = context.parseDid(id, ['playlist'], 'id').id;
  const named = readContentId(context, contentId, CONTENT);
  return changingPlaylist(context, playlistId, 'id', async (tx, playlist) => {
    const items = await itemsWith(tx, playlistId, named.id);
    const entries = items.map((item) => ({ sent: contentId, field: CONTENT, named: item }));
    await removeItemsOf(context, tx, playlist, entries);
    return playlistId;
  });
}
