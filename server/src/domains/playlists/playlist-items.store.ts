import { insertion, NumberedPlaceholders, type ViewerScope, viewerRow } from '../../gql/index.ts';
import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';
import { isMember, roleMay, SCOPED } from '../channels/index.ts';
import type { PlaylistAuthority } from './playlist.policy.ts';
import { PLAYLIST_FIELDS, type PlaylistValues } from './playlist-fields.ts';
import type { Gap } from './positions.ts';

/** A playlist that a viewer is changing. */
export interface LockedPlaylist extends PlaylistAuthority {
  readonly id: string;
  readonly channelId: string;
}

const LOCK = sql(
  'lock_playlist',
  `select p.id, p.channel_id as "channelId", ${isMember(SCOPED, 'p.channel_id', null)} as member,
          ${roleMay(SCOPED, 'p.channel_id', 'playlist:manage')} as may, p.open
   from playlists p, ${viewerRow('$2')} where p.id = $1 for no key update of p`,
);

/**
 * The playlist as the viewer sees it, locked until the transaction ends: changes of its items run one after another.
 */
export function lockPlaylist(tx: Executor, id: string, viewer: ViewerScope): Promise<LockedPlaylist | null> {
  return tx.first<LockedPlaylist>(LOCK, [id, viewer]);
}

const PLAYLIST_OF = sql('playlist_of_item', 'select playlist_id as "playlistId" from playlist_items where id = $1');

/** The playlist an item is in; null when there is no such item. */
export async function playlistOfItem(tx: Executor, itemId: string): Promise<string | null> {
  return (await tx.first<{ playlistId: string }>(PLAYLIST_OF, [itemId]))?.playlistId ?? null;
}

const placeholders = new NumberedPlaceholders<PlaylistValues>(4);
const inserted = insertion(placeholders, PLAYLIST_FIELDS, (values) => values);
const INSERT_PLAYLIST = sql(
  'insert_playlist',
  `insert into playlists (id, channel_id, created_at, updated_at, ${inserted.columns}) values ($1, $2, $3, $3, ` +
    `${inserted.values})`,
);

/** Creates an empty playlist. The caller has checked the channel. */
export async function insertPlaylist(
  tx: Executor,
  { id, channelId, values }: { readonly id: string; readonly channelId: string; readonly values: PlaylistValues },
  now: string,
): Promise<void> {
  await tx.run(INSERT_PLAYLIST, [id, channelId, now, ...placeholders.values(values)]);
}

const TOUCH = sql('touch_playlist', 'update playlists set updated_at = $2, items_changed_at = $2 where id = $1');

/** Records that the items of a playlist changed. */
export async function touchPlaylist(tx: Executor, id: string, now: string): Promise<void> {
  await tx.run(TOUCH, [id, now]);
}

const COUNT = sql('count_playlist_items', `select counter_value('playlist:items', $1) as count`);

/** The number of items in a playlist. */
export async function countItems(tx: Executor, playlistId: string): Promise<number> {
  return Number((await tx.first<{ count: number }>(COUNT, [playlistId]))?.count ?? 0);
}

const CONTENTS = sql(
  'contents_for_playlist',
  `select c.id, c.kind from contents c, ${viewerRow('$2')}
   where c.id = any($1::uuid[]) and c.deleted_at is null and (c.effective_visibility <> 'PRIVATE'
     or ${isMember(SCOPED, 'c.channel_id', null)})
   order by c.id for share of c`,
);

/** The contents that the viewer may see, by id with their kind; locked in the order of their ids. */
export async function visibleContents(
  tx: Executor,
  ids: readonly string[],
  viewer: ViewerScope,
): Promise<Map<string, string>> {
  const rows = await tx.run<{ id: string; kind: string }>(CONTENTS, [ids, viewer]);
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}

const PRESENT = sql(
  'present_playlist_items',
  'select id from playlist_items where playlist_id = $1 and id = any($2::uuid[])',
);

/** Which of the items are in the playlist. */
export async function presentItems(tx: Executor, playlistId: string, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await tx.run<{ id: string }>(PRESENT, [playlistId, ids])).map(({ id }) => id));
}

const WITH_CONTENT = sql(
  'playlist_items_with_content',
  'select id from playlist_items where playlist_id = $1 and content_id = $2',
);

/** The items of a playlist with this content. */
export async function itemsWith(tx: Executor, playlistId: string, contentId: string): Promise<string[]> {
  return (await tx.run<{ id: string }>(WITH_CONTENT, [playlistId, contentId])).map(({ id }) => id);
}

const OTHERS = `playlist_id = $1 and id <> all($2::uuid[])`;
const END = sql('playlist_end', `select max(position) as below, null as above from playlist_items where ${OTHERS}`);
const BEFORE = sql(
  'playlist_gap_before',
  `select (select max(position) from playlist_items where ${OTHERS} and position < a.position) as below,
    a.position as above
   from playlist_items a where a.playlist_id = $1 and a.id = $3`,
);
const AFTER = sql(
  'playlist_gap_after',
  `select a.position as below, (select min(position) from playlist_items where ${OTHERS}
    and position > a.position) as above
   from playlist_items a where a.playlist_id = $1 and a.id = $3`,
);
// A playlist is short enough to count to a position: at most 10,000 index entries.
const AT = sql(
  'playlist_gap_at',
  `select max(position) filter (where place <= $3) as below, min(position) filter (where place > $3) as above
   from (select position, row_number() over (order by position) as place from playlist_items where ${OTHERS}
     order by position limit $3::int + 1) o`,
);

/** The gap before or after an item, not counting the items `moving`; null when it is not in the playlist. */
export function gapBeside(
  tx: Executor,
  playlistId: string,
  moving: readonly string[],
  side: 'before' | 'after',
  itemId: string,
): Promise<Gap | null> {
  return tx.first<Gap>(side === 'before' ? BEFORE : AFTER, [playlistId, moving, itemId]);
}

/** The gap after the first `index` items, not counting the items `moving`; null for the end. */
export async function gapAt(
  tx: Executor,
  playlistId: string,
  moving: readonly string[],
  index: number | null,
): Promise<Gap> {
  const gap =
    index === null
      ? await tx.first<Gap>(END, [playlistId, moving])
      : await tx.first<Gap>(AT, [playlistId, moving, index]);
  return gap ?? { below: null, above: null };
}

const INSERT = sql(
  'insert_playlist_items',
  `insert into playlist_items (id, playlist_id, content_id, position, open, created_at)
   select n.id, $1, n.content_id, n.position, false, $5 from unnest($2::uuid[], $3::uuid[], $4::text[]) n(id,
     content_id, position)`,
);

export interface NewItem {
  readonly id: string;
  readonly contentId: string;
}

/** Adds items at the positions; the table's trigger determines whether they are public. */
export async function insertItems(
  tx: Executor,
  playlistId: string,
  items: readonly NewItem[],
  positions: readonly string[],
  now: string,
): Promise<void> {
  await tx.run(INSERT, [
    playlistId,
    items.map(({ id }) => id),
    items.map(({ contentId }) => contentId),
    positions,
    now,
  ]);
}

const MOVE = sql(
  'move_playlist_items',
  `update playlist_items i set position = n.position
   from unnest($2::uuid[], $3::text[]) n(id, position) where i.playlist_id = $1 and i.id = n.id`,
);

/** Gives items of a playlist new positions. */
export async function moveItems(
  tx: Executor,
  playlistId: string,
  ids: readonly string[],
  positions: readonly string[],
): Promise<void> {
  await tx.run(MOVE, [playlistId, ids, positions]);
}

const POSITIONS = sql(
  'playlist_item_positions',
  `select i.position from unnest($2::uuid[]) with ordinality n (id, place) join playlist_items i on i.id = n.id
   where i.playlist_id = $1 order by n.place`,
);

/** The positions of items of a playlist, in the order of their ids. */
export async function positionsOf(tx: Executor, playlistId: string, ids: readonly string[]): Promise<string[]> {
  return (await tx.run<{ position: string }>(POSITIONS, [playlistId, ids])).map(({ position }) => position);
}

const IN_ORDER = sql(
  'playlist_items_in_order',
  'select id from playlist_items where playlist_id = $1 order by position',
);

/** All items of a playlist in their order. */
export async function itemsInOrder(tx: Executor, playlistId: string): Promise<string[]> {
  return (await tx.run<{ id: string }>(IN_ORDER, [playlistId])).map(({ id }) => id);
}

const REMOVE = sql(
  'remove_playlist_items',
  `delete from playlist_items where playlist_id = $1 and id = any($2::uuid[]) returning id`,
);

/** Removes items from a playlist; returns those that existed. */
export async function removeItems(tx: Executor, playlistId: string, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await tx.run<{ id: string }>(REMOVE, [playlistId, ids])).map(({ id }) => id));
}
