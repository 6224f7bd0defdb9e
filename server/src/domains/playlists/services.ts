import type { Database } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';

/** What the commands with transactions of this domain use; `services.playlists` of the engine. */
export interface PlaylistsServices {
  readonly db: Database;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly playlists: PlaylistsServices;
  }
}

/** The services of this domain on a platform. */
export function playlistsServices({ db }: Pick<Platform, 'db'>): PlaylistsServices {
  return { db };
}
