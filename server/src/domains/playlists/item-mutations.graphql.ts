import { type ArgBuilder, type EntityRef, type Graph, newInputFields } from '../../gql/index.ts';
import { type BatchTypes, MAX_BATCH } from '../catalog/index.ts';
import { CHANNEL_CHANGE } from '../channels/index.ts';
import { addItems, changingPlaylist, moveItemsTo, removeItemsOf } from './change-items.ts';
import { createPlaylistWithItems } from './create-playlist-with-items.ts';
import { MAX_ITEMS, readContents, readItems, readPlace } from './item-input.ts';
import { movePlaylistItem } from './move-playlist-item.ts';
import { PLAYLIST_CHANGE } from './playlist.policy.ts';
import { PLAYLIST_FIELDS } from './playlist-fields.ts';
import type { PlaylistTypes } from './playlist-types.graphql.ts';

interface Types extends PlaylistTypes {
  readonly batch: BatchTypes;
}

const HELP = {
  playlist: 'Identifier of the playlist.',
  contents: `Identifiers of contents that the caller can open, the same once or more; 1 to ${MAX_BATCH}.`,
  items: `Identifiers of items (PlaylistItem.id), each once; 1 to ${MAX_BATCH}.`,
  index: 'How many of the other items are in front of the first one afterwards; beyond the end means at the end.',
  before: 'Identifier of the item they go in front of.',
  after: 'Identifier of the item they go behind.',
} as const;

/** Declares the mutations on the items of playlists. */
export function declareItemMutations(graph: Graph, types: Types): void {
  declareAdding(graph, types);
  declareMoving(graph, types);
  declareRemoving(graph, types);
}

function addedType(graph: Graph, { BatchError }: BatchTypes): EntityRef {
  return graph.object('AddedPlaylistItem', {
    description: 'What became of a content that was to be added to a playlist.',
    fields: (f) => ({
      id: f.value({ type: 'DID', description: 'Identifier of the content, as it was sent.' }),
      ok: f.value({ type: 'Boolean', description: 'Whether it was added.' }),
      itemId: f.value({ type: 'DID', nullable: true, description: 'Identifier of the new item; null when it was not added.' }),
      error: f.value({ type: BatchError, nullable: true, description: 'Why not; null when it was added.' }),
    }),
  });
}

function declareAdding(graph: Graph, { Playlist, batch }: Types): void {
  const AddedPlaylistItem = addedType(graph, batch);
  const payload = graph.object('AddPlaylistItemsPayload', {
    description: 'A playlist that was filled.',
    fields: (f) => ({
      playlist: f.read({ type: Playlist, description: 'The playlist.' }),
      results: f.value({ type: [AddedPlaylistItem], description: 'What became of each content, in the order of the input.' }),
    }),
  });
  const AddPlaylistItemsInput = graph.builder.inputType('AddPlaylistItemsInput', {
    description: 'Contents for a playlist and their place: index, before or after; at the end when none of them is given.',
    fields: (t) => ({
      contentIds: t.field({ type: ['DID'], required: true, description: HELP.contents }),
      index: t.int({ description: HELP.index }),
      before: t.field({ type: 'DID', description: HELP.before }),
      after: t.field({ type: 'DID', description: HELP.after }),
    }),
  });
  graph.mutation('addPlaylistItems', {
    access: 'playlist:manage',
    policies: [PLAYLIST_CHANGE],
    description: `Adds contents to a playlist of a channel of your own, in the order given. Each is reported by itself. A playlist holds at most ${MAX_ITEMS.toLocaleString('en')} items.`,
    payload,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: HELP.playlist }),
      input: t.field({ type: AddPlaylistItemsInput, required: true, description: 'What to add, and where.' }),
    }),
    command: (context, { id, input }) => {
      const playlistId = context.parseDid(id, ['playlist'], 'id').id;
      const contents = readContents(context, input.contentIds, 'input.contentIds');
      const place = readPlace(context, input);
      return changingPlaylist(context, playlistId, 'id', async (tx, playlist) => ({
        playlist: playlistId,
        results: await addItems(context, tx, playlist, contents, place),
      }));
    },
  });
  const CreatePlaylistWithItemsInput = graph.builder.inputType('CreatePlaylistWithItemsInput', {
    description: 'A new playlist and what is in it.',
    fields: (t) => ({
      ...newInputFields(t, PLAYLIST_FIELDS),
      channel: t.field({
        type: 'DID',
        description: "Identifier of a channel of your own; the account's own channel unless it says otherwise.",
      }),
      contentIds: t.field({ type: ['DID'], required: true, description: HELP.contents }),
    }),
  });
  graph.mutation('createPlaylistWithItems', {
    access: 'playlist:manage',
    policies: [CHANNEL_CHANGE],
    description: 'Makes a playlist and adds contents to it, in one call. Contents that cannot be added are reported one by one.',
    payload,
    args: (t: ArgBuilder) => ({
      input: t.field({ type: CreatePlaylistWithItemsInput, required: true, description: 'The playlist and its contents.' }),
    }),
    command: (context, { input }) => createPlaylistWithItems(context, input),
  });
}

function declareMoving(graph: Graph, { Playlist, PlaylistItem, batch }: Types): void {
  const MovePlaylistItemInput = graph.builder.inputType('MovePlaylistItemInput', {
    description: 'Where an item goes: index, before or after; to the end when none of them is given.',
    fields: (t) => ({
      index: t.int({ description: HELP.index }),
      before: t.field({ type: 'DID', description: 'Identifier of the item it goes in front of.' }),
      after: t.field({ type: 'DID', description: 'Identifier of the item it goes behind.' }),
    }),
  });
  graph.mutation('movePlaylistItem', {
    access: 'playlist:manage',
    policies: [PLAYLIST_CHANGE],
    description: 'Moves an item to another place in its playlist. Repeating it changes nothing.',
    payload: PlaylistItem,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Identifier of the item (PlaylistItem.id).' }),
      input: t.field({ type: MovePlaylistItemInput, required: true, description: 'Where it goes.' }),
    }),
    command: (context, { id, input }) => movePlaylistItem(context, id, input),
  });
  const MovePlaylistItemsInput = graph.builder.inputType('MovePlaylistItemsInput', {
    description: 'Items of a playlist and where they go: index, before or after; to the end when none of them is given.',
    fields: (t) => ({
      itemIds: t.field({ type: ['DID'], required: true, description: HELP.items }),
      index: t.int({ description: HELP.index }),
      before: t.field({ type: 'DID', description: HELP.before }),
      after: t.field({ type: 'DID', description: HELP.after }),
    }),
  });
  graph.mutation('movePlaylistItems', {
    access: 'playlist:manage',
    policies: [PLAYLIST_CHANGE],
    description: 'Moves items of a playlist of a channel of your own next to one another, in the order given. Each is reported by itself.',
    payload: changedType(graph, 'MovePlaylistItemsPayload', 'A playlist whose items were moved.', { Playlist, batch }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: HELP.playlist }),
      input: t.field({ type: MovePlaylistItemsInput, required: true, description: 'What to move, and where to.' }),
    }),
    command: (context, { id, input }) => {
      const playlistId = context.parseDid(id, ['playlist'], 'id').id;
      const items = readItems(context, input.itemIds, 'input.itemIds');
      const place = readPlace(context, input);
      return changingPlaylist(context, playlistId, 'id', async (tx, playlist) => ({
        playlist: playlistId,
        results: await moveItemsTo(context, tx, playlist, items, place),
      }));
    },
  });
}

function declareRemoving(graph: Graph, types: Types): void {
  graph.mutation('removePlaylistItems', {
    access: 'playlist:manage',
    policies: [PLAYLIST_CHANGE],
    description: 'Removes items from a playlist of a channel of your own; the contents stay. Each is reported by itself.',
    payload: changedType(graph, 'RemovePlaylistItemsPayload', 'A playlist from which items were removed.', types),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: HELP.playlist }),
      itemIds: t.field({ type: ['DID'], required: true, description: HELP.items }),
    }),
    command: (context, { id, itemIds }) => {
      const playlistId = context.parseDid(id, ['playlist'], 'id').id;
      const items = readItems(context, itemIds, 'itemIds');
      return changingPlaylist(context, playlistId, 'id', async (tx, playlist) => ({
        playlist: playlistId,
        results: await removeItemsOf(context, tx, playlist, items),
      }));
    },
  });
}

function changedType(graph: Graph, name: string, description: string, { Playlist, batch }: Pick<Types, 'Playlist' | 'batch'>): EntityRef {
  return graph.object(name, {
    description,
    fields: (f) => ({
      playlist: f.read({ type: Playlist, description: 'The playlist.' }),
      results: f.value({ type: [batch.BatchResult], description: 'What became of each item, in the order of the input.' }),
    }),
  });
}
