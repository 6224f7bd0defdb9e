/** What higher domains and the composition root may import from playlists. */
export { isVisiblePlaylist, type PlaylistTypes } from './playlist-types.graphql.ts';
export { declarePlaylists } from './playlists.graphql.ts';
export { type PlaylistsServices, playlistsServices } from './services.ts';
