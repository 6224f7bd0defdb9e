import {
  type ArgBuilder,
  CHANGES_HELP,
  changeInputFields,
  type EntityRef,
  type Graph,
  ifRevisionField,
} from '../../gql/index.ts';
import { deletions } from '../../kernel/key-budgets.ts';
import type { MediaTypes } from '../ingest/index.ts';
import { createPlaylistAsset } from './create-playlist-asset.ts';
import { PLAYLIST_CHANGE } from './playlist.policy.ts';
import { createPlaylist, deletePlaylist, updatePlaylist } from './playlist-commands.ts';
import { PLAYLIST_FIELDS } from './playlist-fields.ts';
import type { PlaylistTypes } from './playlist-types.graphql.ts';

interface Types extends PlaylistTypes {
  readonly Channel: EntityRef;
  readonly assets: MediaTypes;
}

/** Declares the mutations on playlists; those on items are in item-mutations. */
export function declarePlaylistMutations(graph: Graph, types: Types): void {
  declareEditing(graph, types);
  declareDeletion(graph, types);
  declareCovers(graph, types);
}

function declareEditing(graph: Graph, { Playlist }: Types): void {
  const { title, summary } = PLAYLIST_FIELDS;
  const PlaylistMetadataInput = graph.builder.inputType('PlaylistMetadataInput', {
    description: 'The texts of a playlist. The same fields of PlaylistInput.',
    fields: (t) => changeInputFields(t, { title, summary }),
  });
  const PlaylistInput = graph.builder.inputType('PlaylistInput', {
    description:
      `A new playlist, or changes to one. ${CHANGES_HELP} Title and summary are ` +
      'fields, or those of metadata; a field that is given twice is refused.',
    fields: (t) => ({
      ...changeInputFields(t, PLAYLIST_FIELDS),
      metadata: t.field({ type: PlaylistMetadataInput, description: 'Title and summary.' }),
      ifRevision: ifRevisionField(t, 'an existing playlist'),
    }),
  });
  graph.mutation('createPlaylist', {
    access: 'playlist:manage',
    description: 'Creates an empty playlist; createPlaylistWithItems creates and fills one in one call.',
    type: Playlist,
    args: (t: ArgBuilder) => ({
      channel: t.field({
        type: 'DID',
        description: "Id of a channel of yours; default: the account's own channel.",
      }),
      input: t.field({ type: PlaylistInput, required: true, description: 'The playlist; it needs a title.' }),
    }),
    statement: createPlaylist,
  });
  graph.mutation('updatePlaylist', {
    access: 'playlist:manage',
    description: 'Updates a playlist of a channel of yours.',
    type: Playlist,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the playlist.' }),
      input: t.field({ type: PlaylistInput, required: true, description: 'The changes.' }),
    }),
    statement: updatePlaylist,
  });
}

function declareDeletion(graph: Graph, { Channel }: Types): void {
  graph.mutation('deletePlaylist', {
    access: 'playlist:manage',
    charges: () => deletions(1),
    description: 'Permanently deletes a playlist of a channel of yours, with its covers; its contents stay.',
    payload: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the playlist.' }),
      channel: f.read({ type: Channel, description: 'The channel.' }),
    }),
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the playlist.' }) }),
    statement: deletePlaylist,
  });
}

function declareCovers(graph: Graph, { assets }: Types): void {
  const PlaylistAssetInput = graph.builder.inputType('PlaylistAssetInput', {
    description: 'An image to upload for a playlist.',
    fields: (t) => ({
      filename: t.string({ required: true, description: 'Name of the file, without folders.' }),
      size: t.field({ type: 'BigInt', description: 'Exact size in bytes, required; at most 25 MiB.' }),
      image: t.field({
        type: assets.ImageInput,
        description: 'What the image is for; default THUMBNAIL, the cover.',
      }),
    }),
  });
  graph.mutation('createPlaylistAsset', {
    access: 'asset:upload',
    policies: [PLAYLIST_CHANGE],
    description:
      'Creates the upload of a cover for a playlist of a channel of yours; upload the ' +
      'file to its endpoint. It replaces the image with the same purpose.',
    type: assets.IngestionSession,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the playlist.' }),
      input: t.field({ type: PlaylistAssetInput, required: true, description: 'The image.' }),
    }),
    command: (context, { id, input }) =>
      createPlaylistAsset(context, context.parseDid(id, ['playlist'], 'id').id, input),
  });
}
