import { type ArgScope, countRows, type Graph, type RowScope } from '../../gql/index.ts';
import { type ChannelTypes, isMember } from '../channels/index.ts';
import type { PlaylistTypes } from './playlist-types.graphql.ts';
import { isVisiblePlaylist, playlistCount } from './playlist-visibility.sql.ts';

const EVERY_CHANNEL = '00000000-0000-0000-0000-000000000000';
const newest = (child: string) => [`${child}.created_at`, `${child}.id`];

const inChannel = (child: string, s: RowScope) =>
  `${child}.channel_id = ${s.t}.id and (${child}.listed or ${isMember(s, `${s.t}.id`, 'playlist:read')})`;

/** SQL: the condition that the argument `title` sets, if it is given. */
function titleContains(child: string, args: ArgScope): string {
  if (!args.given('title')) return '';
  const text = args.read('title', (value) => String(value).trim().toLowerCase(), 'text');
  return ` and strpos(lower(${child}.title), ${text}) > 0`;
}

/** Declares the root queries of playlists, and those of a channel. */
export function declarePlaylistQueries(graph: Graph, { Channel }: ChannelTypes, { Playlist }: PlaylistTypes): void {
  graph.queryOne('playlist', {
    access: 'public',
    type: Playlist,
    description: 'A playlist by its id. Private playlists exist for members of their channel only.',
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the playlist.' }) }),
    on: (child, s, args) => `${child}.id = ${args.id('id', ['playlist'])} and ${isVisiblePlaylist(child, s)}`,
    missing: { field: 'id' },
  });
  graph.queryConnection('playlists', {
    access: 'public',
    type: Playlist,
    description: 'The public playlists of all channels, newest first.',
    where: (child) => `${child}.listed`,
    order: newest,
    total: () => `counter_value('listed:PLAYLIST', '${EVERY_CHANNEL}')`,
  });
  graph.extend(Channel, (f) => ({
    playlists: f.connection({
      type: Playlist,
      description: 'Playlists of the channel, newest first: all of them for its members, the public ones for others.',
      args: (t) => ({
        title: t.string({ description: 'Only those with this text in their title, in upper or lower case.' }),
      }),
      where: (child, s, args) => `${inChannel(child, s)}${titleContains(child, args)}`,
      order: newest,
      total: (s, args) =>
        args.given('title')
          ? countRows('playlists', (row) => `${inChannel(row, s)}${titleContains(row, args)}`)
          : playlistCount(`${s.t}.id`, s),
    }),
  }));
}
