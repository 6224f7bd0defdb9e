/** What higher domains and the composition root may import from playlists. */
export type { PlaylistTypes } from './playlist-types.graphql.ts';
export { isVisiblePlaylist } from './playlist-visibility.sql.ts';
export { declarePlaylists } from './playlists.graphql.ts';
export { type PlaylistsServices, playlistsServices } from './services.ts';
