import { type ArgBuilder, type EntityRef, type FieldFactory, type Graph, newInputFields } from '../../gql/index.ts';
import { type BatchTypes, MAX_BATCH, resultsIn } from '../catalog/index.ts';
import { CHANNEL_CHANGE } from '../channels/index.ts';
import { addItems, changingPlaylist, moveItemsTo, removeItemsOf } from './change-items.ts';
import { createPlaylistWithItems } from './create-playlist-with-items.ts';
import { MAX_ITEMS, readContents, readItems, readTargetPosition } from './item-input.ts';
import { movePlaylistItem } from './move-playlist-item.ts';
import { ITEM_CHANGE, PLAYLIST_CHANGE } from './playlist.policy.ts';
import { PLAYLIST_FIELDS } from './playlist-fields.ts';
import type { PlaylistTypes } from './playlist-types.graphql.ts';
import { removeFromPlaylist, saveToPlaylist } from './save-to-playlist.ts';

interface Types extends PlaylistTypes {
  readonly batch: BatchTypes;
}

const HELP = {
  playlist: 'Id of the playlist.',
  contents: `Ids of contents that the caller may see, duplicates allowed; 1 to ${MAX_BATCH}.`,
  items: `Ids of items (PlaylistItem.id), each once; 1 to ${MAX_BATCH}.`,
  index: 'Number of the other items in front of the first one afterwards; beyond the end means at the end.',
  before: 'Id of the item to put them before.',
  after: 'Id of the item to put them after.',
} as const;

/** Declares the mutations on the items of playlists. */
export function declareItemMutations(graph: Graph, types: Types): void {
  declareAdding(graph, types);
  declareMoving(graph, types);
  declareRemoving(graph, types);
  declareSaving(graph, types);
}

function addedType(graph: Graph, { BatchError }: BatchTypes): EntityRef {
  return graph.object('AddedPlaylistItem', {
    description: 'The result of adding one content to a playlist.',
    fields: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the content, as sent.' }),
      ok: f.value({ type: 'Boolean', description: 'Whether it was added.' }),
      itemId: f.value({ type: 'DID', nullable: true, description: 'Id of the new item; null if it was not added.' }),
      error: f.value({ type: BatchError, nullable: true, description: 'The error; null if it was added.' }),
    }),
  });
}

function declareAdding(graph: Graph, { Playlist, batch }: Types): void {
  const AddedPlaylistItem = addedType(graph, batch);
  const AddPlaylistItemsInput = graph.builder.inputType('AddPlaylistItemsInput', {
    description: 'Contents for a playlist and their position: index, before or after; default: the end.',
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
    description:
      'Adds contents to a playlist of a channel of yours, in the given order. Each has its own ' +
      `result. A playlist has at most ${MAX_ITEMS.toLocaleString('en')} items.`,
    payload: (f) => ({
      playlist: f.read({ type: Playlist, description: 'The playlist.' }),
      results: f.value({
        type: [AddedPlaylistItem],
        description: 'One result for each content, in the order of the input.',
      }),
    }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: HELP.playlist }),
      input: t.field({ type: AddPlaylistItemsInput, required: true, description: 'The contents and their position.' }),
    }),
    command: (context, { id, input }) => {
      const playlistId = context.parseDid(id, ['playlist'], 'id').id;
      const contents = readContents(context, input.contentIds, 'input.contentIds');
      const place = readTargetPosition(context, input);
      return changingPlaylist(context, playlistId, 'id', async (tx, playlist) => ({
        playlist: playlistId,
        results: resultsIn(await addItems(context, tx, playlist, contents, place), context.language),
      }));
    },
  });
  const CreatePlaylistWithItemsResult = graph.object('CreatePlaylistWithItemsResult', {
    description: 'A new playlist, and how it was filled.',
    fields: (f) => ({
      playlist: f.read({ type: Playlist, description: 'The playlist.' }),
      itemCount: f.value({ type: 'Int', description: 'Number of its items.' }),
      results: f.value({
        type: [AddedPlaylistItem],
        description: 'One result for each content, in the order of the input.',
      }),
    }),
  });
  const CreatePlaylistWithItemsInput = graph.builder.inputType('CreatePlaylistWithItemsInput', {
    description: 'A new playlist and its contents.',
    fields: (t) => ({
      ...newInputFields(t, PLAYLIST_FIELDS),
      channel: t.field({
        type: 'DID',
        description: "Id of a channel of yours; default: the account's own channel.",
      }),
      contentIds: t.field({ type: ['DID'], description: `${HELP.contents} Without it the playlist is empty.` }),
    }),
  });
  graph.mutation('createPlaylistWithItems', {
    access: 'playlist:manage',
    policies: [CHANNEL_CHANGE],
    description:
      'Creates a playlist and adds contents to it, in one call. Contents that cannot be added have their own results.',
    type: CreatePlaylistWithItemsResult,
    args: (t: ArgBuilder) => ({
      input: t.field({
        type: CreatePlaylistWithItemsInput,
        required: true,
        description: 'The playlist and its contents.',
      }),
    }),
    command: async (context, { input }) => {
      const created = await createPlaylistWithItems(context, input);
      return { ...created, results: resultsIn(created.results, context.language) };
    },
  });
}

function declareMoving(graph: Graph, { Playlist, PlaylistItem, batch }: Types): void {
  const MovePlaylistItemInput = graph.builder.inputType('MovePlaylistItemInput', {
    description: 'New position of an item: index, before or after; default: the end.',
    fields: (t) => ({
      index: t.int({ description: HELP.index }),
      before: t.field({ type: 'DID', description: 'Id of the item to move it before.' }),
      after: t.field({ type: 'DID', description: 'Id of the item to move it after.' }),
    }),
  });
  graph.mutation('movePlaylistItem', {
    access: 'playlist:manage',
    policies: [ITEM_CHANGE],
    description: 'Moves an item to another position in its playlist. Idempotent.',
    payload: (f) => ({
      item: f.read({ type: PlaylistItem, description: 'The item.' }),
      playlist: f.read({ type: Playlist, description: 'Its playlist.' }),
    }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the item (PlaylistItem.id).' }),
      input: t.field({ type: MovePlaylistItemInput, required: true, description: 'The new position.' }),
    }),
    command: (context, { id, input }) => movePlaylistItem(context, id, input),
  });
  const MovePlaylistItemsInput = graph.builder.inputType('MovePlaylistItemsInput', {
    description: 'Items of a playlist and their new position: index, before or after; default: the end.',
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
    description:
      'Moves items of a playlist of a channel of yours next to ' +
      'one another, in the given order. Each has its own result.',
    payload: changedItems({ Playlist, batch }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: HELP.playlist }),
      input: t.field({
        type: MovePlaylistItemsInput,
        required: true,
        description: 'The items and their new position.',
      }),
    }),
    command: (context, { id, input }) => {
      const playlistId = context.parseDid(id, ['playlist'], 'id').id;
      const items = readItems(context, input.itemIds, 'input.itemIds');
      const place = readTargetPosition(context, input);
      return changingPlaylist(context, playlistId, 'id', async (tx, playlist) => ({
        playlist: playlistId,
        results: resultsIn(await moveItemsTo(context, tx, playlist, items, place), context.language),
      }));
    },
  });
}

function declareRemoving(graph: Graph, types: Types): void {
  const RemovePlaylistItemsInput = graph.builder.inputType('RemovePlaylistItemsInput', {
    description: 'Items of a playlist.',
    fields: (t) => ({ itemIds: t.field({ type: ['DID'], required: true, description: HELP.items }) }),
  });
  graph.mutation('removePlaylistItems', {
    access: 'playlist:manage',
    policies: [PLAYLIST_CHANGE],
    description: 'Removes items from a playlist of a channel of yours; the contents stay. Each has its own result.',
    payload: changedItems(types),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: HELP.playlist }),
      input: t.field({ type: RemovePlaylistItemsInput, required: true, description: 'The items.' }),
    }),
    command: (context, { id, input }) => {
      const playlistId = context.parseDid(id, ['playlist'], 'id').id;
      const items = readItems(context, input.itemIds, 'input.itemIds');
      return changingPlaylist(context, playlistId, 'id', async (tx, playlist) => ({
        playlist: playlistId,
        results: resultsIn(await removeItemsOf(context, tx, playlist, items), context.language),
      }));
    },
  });
}

function declareSaving(graph: Graph, { Playlist }: Types): void {
  const id = (t: ArgBuilder) => t.field({ type: 'DID', required: true, description: HELP.playlist });
  const inputOf = (name: string) =>
    graph.builder.inputType(name, {
      description: 'A content.',
      fields: (t) => ({ contentId: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) }),
    });
  const SaveToPlaylistInput = inputOf('SaveToPlaylistInput');
  const RemoveFromPlaylistInput = inputOf('RemoveFromPlaylistInput');
  graph.mutation('saveToPlaylist', {
    access: 'playlist:manage',
    policies: [PLAYLIST_CHANGE],
    description:
      'Adds a content to the end of a playlist of a channel of yours, unless the playlist contains it. Idempotent.',
    payload: (f) => ({ playlist: f.read({ type: Playlist, description: 'The playlist.' }) }),
    args: (t: ArgBuilder) => ({
      id: id(t),
      input: t.field({ type: SaveToPlaylistInput, required: true, description: 'The content.' }),
    }),
    command: saveToPlaylist,
  });
  graph.mutation('removeFromPlaylist', {
    access: 'playlist:manage',
    policies: [PLAYLIST_CHANGE],
    description: 'Removes a content from a playlist of a channel of yours, with all its items. Idempotent.',
    payload: (f) => ({ playlist: f.read({ type: Playlist, description: 'The playlist.' }) }),
    args: (t: ArgBuilder) => ({
      id: id(t),
      input: t.field({ type: RemoveFromPlaylistInput, required: true, description: 'The content.' }),
    }),
    command: removeFromPlaylist,
  });
}

/** The payload of mutations on several items of a playlist. */
function changedItems({ Playlist, batch }: Pick<Types, 'Playlist' | 'batch'>) {
  return (f: FieldFactory) => ({
    playlist: f.read({ type: Playlist, description: 'The playlist.' }),
    results: f.value({
      type: [batch.BatchResult],
      description: 'One result for each item, in the order of the input.',
    }),
  });
}
