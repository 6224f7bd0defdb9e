import { assignments, type CommandScope, type CommandTarget, insertion } from '../../gql/index.ts';
import { channelFacts } from '../channels/index.ts';
import { PLAYLIST_FIELDS, type PlaylistChanges, type PlaylistValues } from './playlist-fields.ts';

type Writes = Readonly<Record<string, string>>;

export interface NewPlaylist {
  readonly id: string;
  /** Null: the viewer's own channel. */
  readonly channel: string | null;
  readonly values: PlaylistValues;
}

/** Inserts an empty playlist into the permitted channel. */
export function createPlaylistWrites(s: CommandScope<NewPlaylist>): Writes {
  const { columns, values } = insertion(s, PLAYLIST_FIELDS, (input) => input.values);
  return {
    changed: `
    insert into playlists (id, channel_id, ${columns}, created_at, updated_at)
    select ${s.value(({ id }) => id, 'uuid')}, t.id, ${values}, ${s.now}, ${s.now}
    from permitted t
    returning *`,
    event: `insert into events (type, channel_id, subject_id) select 'playlist.created', channel_id, id from changed`,
  };
}

interface PlaylistTarget {
  readonly id: string;
}

/** The playlist of a command, locked, as the viewer sees it. */
export const PLAYLIST_TARGET: CommandTarget<PlaylistTarget> = {
  field: 'id',
  from: (s) => `join playlists p on p.id = ${s.value(({ id }) => id, 'uuid')} for update of p`,
  columns: (s) => ({
    id: 'p.id',
    channel_id: 'p.channel_id',
    ...channelFacts(s, 'p.channel_id', 'playlist:manage'),
    open: 'p.open',
  }),
};

/** Updates the given fields of a playlist. */
export function updatePlaylistWrites(s: CommandScope<PlaylistTarget & { readonly changes: PlaylistChanges }>): Writes {
  return {
    changed: `
    update playlists p set ${assignments(s, PLAYLIST_FIELDS, 'p', ({ changes }) => changes)}, updated_at = ${s.now}
    from permitted t where p.id = t.id
    returning p.*`,
    event: `insert into events (type, channel_id, subject_id) select 'playlist.updated', channel_id, id from changed`,
  };
}

/**
 * Deletes a playlist with its items, covers and open uploads; the triggers of those tables have their objects purged.
 */
export function deletePlaylistWrites(): Writes {
  return {
    changed: `delete from playlists p using permitted t where p.id = t.id returning p.id, p.channel_id`,
    event: `insert into events (type, channel_id, subject_id) select 'playlist.deleted', channel_id, id from changed`,
  };
}
