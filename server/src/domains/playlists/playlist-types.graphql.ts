import {
  countRows,
  type EntityRef,
  type Graph,
  outputField,
  outputFields,
  type RowScope,
  revisionField,
} from '../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../kernel/content-kinds.ts';
import { isVisibleContent } from '../catalog/index.ts';
import { type ChannelTypes, METADATA_FIELDS } from '../channels/index.ts';
import type { MediaTypes } from '../ingest/index.ts';
import { PLAYLIST_FIELDS } from './playlist-fields.ts';
import {
  containsContent,
  indexOfItem,
  isReachableItem,
  isVisibleItem,
  isVisiblePlaylist,
  itemCount,
} from './playlist-visibility.sql.ts';

/** Dependencies of the playlist type declarations. */
export interface PlaylistParts {
  readonly channels: ChannelTypes;
  readonly assets: MediaTypes;
  readonly Content: EntityRef;
}

export interface PlaylistTypes {
  readonly Playlist: EntityRef;
  readonly PlaylistItem: EntityRef;
}

/** Declares Playlist and PlaylistItem. */
export function declarePlaylistTypes(graph: Graph, parts: PlaylistParts): PlaylistTypes {
  const PlaylistItem = declareItem(graph, parts);
  const Playlist = declarePlaylist(graph, parts, PlaylistItem);
  return { Playlist, PlaylistItem };
}

function declareItem(graph: Graph, { channels, Content }: PlaylistParts): EntityRef {
  return graph.entity('PlaylistItem', {
    description: 'An item of a playlist.',
    table: 'playlist_items',
    interfaces: [channels.Node],
    node: {
      kinds: ['playlistItem'],
      where: isReachableItem,
    },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the item; a content that is added twice has two items.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('playlistItem', id),
      }),
      index: f.column({
        type: 'Int',
        description: 'Its index among the items that the caller sees, from 0.',
        sql: (s) => s.place ?? indexOfItem(s.t, s),
      }),
      content: f.one({
        type: Content,
        nullable: true,
        description: 'The content; null if the caller may not see it, or no longer.',
        on: (child, s) => `${child}.id = ${s.t}.content_id and ${isVisibleContent(child, s)}`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was added.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
}

function declarePlaylist(graph: Graph, { channels, assets }: PlaylistParts, PlaylistItem: EntityRef): EntityRef {
  const PlaylistMetadata = declareMetadata(graph, channels);
  const PlaylistAssets = declareAssets(graph, assets);
  return graph.entity('Playlist', {
    description: 'An ordered list of contents.',
    table: 'playlists',
    interfaces: [channels.Node],
    node: { kinds: ['playlist'], where: isVisiblePlaylist },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the playlist.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('playlist', id),
      }),
      channel: f.one({
        type: channels.Channel,
        description: 'The channel it belongs to.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      metadata: f.embed({ type: PlaylistMetadata, description: 'Its title and descriptive texts.' }),
      assets: f.embed({ type: PlaylistAssets, description: 'Its cover images.' }),
      items: f.connection({
        type: PlaylistItem,
        description:
          "Its items, in order. Only members of the playlist's " +
          'channel see and count items whose content is not public.',
        where: (child, s) => `${child}.playlist_id = ${s.t}.id and ${isVisibleItem(child, s, `${s.t}.channel_id`)}`,
        order: { by: (child) => [`${child}.position`], direction: 'asc' },
        total: (s) => itemCount(s.t, s),
        numbered: true,
      }),
      itemsCount: f.column({
        type: 'Int',
        description: 'Number of items that the caller sees.',
        sql: (s) => itemCount(s.t, s),
      }),
      containsContent: f.column({
        type: 'Boolean',
        description: 'Whether one of its items that the caller sees is this content.',
        args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) }),
        sql: (s, args) => containsContent(s.t, args.id('id', CONTENT_DID_KINDS), s),
      }),
      visibility: outputField(f, PLAYLIST_FIELDS.visibility),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      updatedAt: f.column({
        type: 'DateTime',
        description: 'When it or its items last changed.',
        sql: (s) => `${s.t}.updated_at`,
      }),
      revision: revisionField(f),
    }),
  });
}

function declareMetadata(graph: Graph, { EntityMetadata }: ChannelTypes): EntityRef {
  return graph.part('PlaylistMetadata', {
    description: 'Title and descriptive texts of a playlist.',
    interfaces: [EntityMetadata],
    fields: (f) => ({
      name: f.column({ type: 'String', description: 'The same as title.', sql: (s) => `${s.t}.title` }),
      ...outputFields(f, METADATA_FIELDS),
    }),
  });
}

function declareAssets(graph: Graph, { EntityMediaAssets, ImageAsset, VideoAsset }: MediaTypes): EntityRef {
  const imagesOf = (child: string, s: RowScope) => `${child}.playlist_id = ${s.t}.id`;
  return graph.part('PlaylistAssets', {
    description: "A playlist's own files.",
    interfaces: [EntityMediaAssets],
    fields: (f) => ({
      videos: f.connection({
        type: VideoAsset,
        description: 'Always empty: a playlist has no videos of its own. Use the contents of its items.',
        where: () => 'false',
        order: (child) => [`${child}.created_at`, `${child}.id`],
        total: () => '0',
      }),
      images: f.connection({
        type: ImageAsset,
        description: 'Covers of the playlist, newest first; one for each purpose.',
        where: imagesOf,
        order: (child) => [`${child}.created_at`, `${child}.id`],
        total: (s) => countRows('image_assets', (row) => imagesOf(row, s)),
        owner: 'playlist',
      }),
    }),
  });
}
