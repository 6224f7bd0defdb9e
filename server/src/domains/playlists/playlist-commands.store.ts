import type { CommandScope, CommandTarget } from '../../gql/index.ts';
import { channelFacts } from '../channels/index.ts';
import type { PlaylistChanges, PlaylistFacts } from './playlist-input.ts';

type Writes = Readonly<Record<string, string>>;

export interface NewPlaylist extends PlaylistFacts {
  readonly id: string;
  /** Null: the viewer's own channel. */
  readonly channel: string | null;
}

/** Inserts an empty playlist into the permitted channel. */
export function createPlaylistWrites(s: CommandScope<NewPlaylist>): Writes {
  return {
    changed: `
    insert into playlists (id, channel_id, title, summary, short_summary, keywords, visibility, created_at, updated_at)
    select ${s.value(({ id }) => id, 'uuid')}, t.id, ${s.value(({ title }) => title, 'text')}, ${s.value(({ summary }) => summary, 'text')},
           ${s.value(({ shortSummary }) => shortSummary, 'text')}, ${s.value(({ keywords }) => keywords, 'text[]')},
           ${s.value(({ visibility }) => visibility, 'text')}, ${s.now}, ${s.now}
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
    open: `p.visibility <> 'PRIVATE'`,
  }),
};

/** Updates the given columns of a playlist; null keeps a column. */
export function updatePlaylistWrites(s: CommandScope<PlaylistTarget & PlaylistChanges>): Writes {
  return {
    changed: `
    update playlists p set
      title = coalesce(${s.value(({ title }) => title, 'text')}, p.title),
      summary = coalesce(${s.value(({ summary }) => summary, 'text')}, p.summary),
      short_summary = coalesce(${s.value(({ shortSummary }) => shortSummary, 'text')}, p.short_summary),
      keywords = coalesce(${s.value(({ keywords }) => keywords, 'text[]')}, p.keywords),
      visibility = coalesce(${s.value(({ visibility }) => visibility, 'text')}, p.visibility),
      updated_at = ${s.now}
    from permitted t where p.id = t.id
    returning p.*`,
    event: `insert into events (type, channel_id, subject_id) select 'playlist.updated', channel_id, id from changed`,
  };
}

/** Deletes a playlist with its items, covers and open uploads; the triggers of those tables have their objects purged. */
export function deletePlaylistWrites(): Writes {
  return {
    changed: `delete from playlists p using permitted t where p.id = t.id returning p.id, p.channel_id`,
    event: `insert into events (type, channel_id, subject_id) select 'playlist.deleted', channel_id, id from changed`,
  };
}
