import { type CommandContext, readNew } from '../../gql/index.ts';
import { newId } from '../../kernel/ids.ts';
import type { Maybe } from '../../kernel/maybe.ts';
import { appendEvent } from '../../platform/events/event-log.store.ts';
import { authorizeChannel, requireAccount } from '../channels/index.ts';
import { type AddedItem, addItems } from './change-items.ts';
import { readContents } from './item-input.ts';
import { PLAYLIST_FIELDS, type PlaylistInput } from './playlist-fields.ts';
import { insertPlaylist } from './playlist-items.store.ts';

const FIELD = 'input.contentIds';

export interface PlaylistWithItems extends PlaylistInput {
  readonly channel?: Maybe<string>;
  readonly contentIds?: Maybe<readonly string[]>;
}

/**
 * Creates a playlist with items in one transaction. Contents that cannot be added are reported separately; the others
 * are added.
 * @throws AppError for the texts, the list as a whole, and a channel that is not the account's (RESOURCE_NOT_FOUND,
 * UNAUTHORIZED).
 */
export function createPlaylistWithItems(
  context: CommandContext,
  input: PlaylistWithItems,
): Promise<{ playlist: string; itemCount: number; results: AddedItem[] }> {
  const viewer = requireAccount(context);
  const values = readNew(PLAYLIST_FIELDS, input);
  const { contentIds } = input;
  // A playlist may be empty, so no list and an empty one are the same.
  const contents = contentIds == null || contentIds.length === 0 ? [] : readContents(context, contentIds, FIELD);
  const channelId =
    input.channel == null ? viewer.channelId : context.parseDid(input.channel, ['channel'], 'input.channel').id;
  return context.services.playlists.db.transaction(async (tx) => {
    await authorizeChannel(tx, {
      channelId,
      viewer: viewer.scope,
      permission: 'playlist:manage',
      field: 'input.channel',
    });
    const id = newId<'playlist'>(context.nowMs);
    await insertPlaylist(tx, { id, channelId, values }, new Date(context.nowMs).toISOString());
    await appendEvent(tx, { type: 'playlist.created', channelId, subjectId: id });
    const results = await addItems(context, tx, { id, channelId }, contents, { index: null });
    return { playlist: id, itemCount: results.filter(({ ok }) => ok).length, results };
  });
}
