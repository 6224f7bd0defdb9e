import type { CommandScope } from '../../gql/index.ts';
import { isMember, mayInChannel } from '../channels/index.ts';
import type { PlaylistChanges, PlaylistFacts } from './playlist-input.ts';

/** The alias of the viewer's row in the statements below. */
const V = { viewer: 'v' } as const;

type Ctes = Readonly<Record<string, string>>;

/** `returns` of createPlaylist: whether the channel is there, and what the viewer is in it. */
export const CHANNEL_FACTS = { member: 'select member from target', may: 'select may from target' } as const;
/** `returns` of the commands on a playlist: all null when there is none. */
export const PLAYLIST_FACTS = { ...CHANNEL_FACTS, open: 'select open from target' } as const;

export interface NewPlaylist extends PlaylistFacts {
  readonly id: string;
  /** Null: the viewer's own channel. */
  readonly channel: string | null;
}

/** Makes an empty playlist. */
export function createPlaylistCtes(s: CommandScope<NewPlaylist>): Ctes {
  return {
    target: `
    select ch.id, ${isMember(V, 'ch.id')} as member, ${mayInChannel(V, 'ch.id', 'playlist:manage')} as may
    from ${s.allowed} v join channels ch on ch.id = coalesce(${s.value(({ channel }) => channel, 'uuid')}, v.channel_id)`,
    changed: `
    insert into playlists (id, channel_id, title, summary, short_summary, keywords, visibility, created_at, updated_at)
    select ${s.value(({ id }) => id, 'uuid')}, t.id, ${s.value(({ title }) => title, 'text')}, ${s.value(({ summary }) => summary, 'text')},
           ${s.value(({ shortSummary }) => shortSummary, 'text')}, ${s.value(({ keywords }) => keywords, 'text[]')},
           ${s.value(({ visibility }) => visibility, 'text')}, ${s.now}, ${s.now}
    from target t where t.may
    returning *`,
    event: `insert into events (type, channel_id, subject_id) select 'playlist.created', channel_id, id from changed`,
  };
}

interface PlaylistTarget {
  readonly id: string;
}

function target(s: CommandScope<PlaylistTarget>): string {
  return `
    select p.id, p.channel_id, ${isMember(V, 'p.channel_id')} as member, ${mayInChannel(V, 'p.channel_id', 'playlist:manage')} as may,
           p.visibility <> 'PRIVATE' as open
    from ${s.allowed} v join playlists p on p.id = ${s.value(({ id }) => id, 'uuid')}
    for update of p`;
}

/** Changes what is given of a playlist; a null leaves the column as it is. */
export function updatePlaylistCtes(s: CommandScope<PlaylistTarget & PlaylistChanges>): Ctes {
  return {
    target: target(s),
    changed: `
    update playlists p set
      title = coalesce(${s.value(({ title }) => title, 'text')}, p.title),
      summary = coalesce(${s.value(({ summary }) => summary, 'text')}, p.summary),
      short_summary = coalesce(${s.value(({ shortSummary }) => shortSummary, 'text')}, p.short_summary),
      keywords = coalesce(${s.value(({ keywords }) => keywords, 'text[]')}, p.keywords),
      visibility = coalesce(${s.value(({ visibility }) => visibility, 'text')}, p.visibility),
      updated_at = ${s.now}
    from target t where p.id = t.id and t.may
    returning p.*`,
    event: `insert into events (type, channel_id, subject_id) select 'playlist.updated', channel_id, id from changed`,
  };
}

/** Deletes a playlist with its items, covers and open uploads; the triggers of those tables have their objects purged. */
export function deletePlaylistCtes(s: CommandScope<PlaylistTarget>): Ctes {
  return {
    target: target(s),
    changed: `delete from playlists p using target t where p.id = t.id and t.may returning p.id, p.channel_id`,
    event: `insert into events (type, channel_id, subject_id) select 'playlist.deleted', channel_id, id from changed`,
  };
}
