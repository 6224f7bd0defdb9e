import type { CommandContext } from '../../gql/index.ts';
import { newId } from '../../kernel/ids.ts';
import { appendEvent } from '../../platform/events/event-log.store.ts';
import { authorizeChannel, requireAccount } from '../channels/index.ts';
import { type AddedItem, addItems } from './change-items.ts';
import { readContents } from './item-input.ts';
import { type PlaylistTexts, readNewPlaylist } from './playlist-input.ts';
import { insertPlaylist } from './playlist-items.store.ts';

export interface PlaylistWithItems extends PlaylistTexts {
  readonly channel?: string | null | undefined;
  readonly contentIds: readonly string[];
}

/**
 * Creates a playlist with items in one transaction. Contents that cannot be added are reported separately; the others are added.
 * @throws AppError for the texts, the list as a whole, and a channel that is not the account's (RESOURCE_NOT_FOUND, UNAUTHORIZED).
 */
export function createPlaylistWithItems(
  context: CommandContext,
  input: PlaylistWithItems,
): Promise<{ playlist: string; results: AddedItem[] }> {
  const viewer = requireAccount(context);
  const facts = readNewPlaylist(input);
  const contents = readContents(context, input.contentIds, 'input.contentIds');
  const channelId = input.channel == null ? viewer.channelId : context.parseDid(input.channel, ['channel'], 'input.channel').id;
  return context.services.playlists.db.transaction(async (tx) => {
    await authorizeChannel(tx, { channelId, accountId: viewer.accountId, permission: 'playlist:manage', field: 'input.channel' });
    const id = newId<'playlist'>(context.nowMs);
    await insertPlaylist(tx, { id, channelId, ...facts }, new Date(context.nowMs).toISOString());
    await appendEvent(tx, { type: 'playlist.created', channelId, subjectId: id });
    return { playlist: id, results: await addItems(context, tx, { id, channelId }, contents, { index: null }) };
  });
}
