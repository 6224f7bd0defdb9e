import { type Handler, query, VIEWER } from './database.ts';
import { CARD, type CardRow, card, cursor, did, uuidOf } from './values.ts';

const ITEMS = `${VIEWER}, p as materialized (select p.id, p.title, m.role is not null as own,
      counter_value(case when m.role is not null then 'playlist:items' else 'playlist:open' end, p.id) as total from u
        join playlists p on p.id = $2
    left join channel_members m on m.channel_id = p.channel_id and m.account_id = u.account_id
      where p.visibility <> 'PRIVATE' or m.role is not null)
  select u.access_until, p.id, p.title, p.total, i.id as item, i.position, ${CARD}
  from u left join p on true
  left join lateral (select i.id, i.content_id, i.position from playlist_items i where i.playlist_id = p.id and (i.open
    or p.own) order by i.position limit 21) i on true
  left join contents c on c.id = i.content_id and c.deleted_at is null
    and (c.effective_visibility <> 'PRIVATE' or exists (select 1 from channel_members m
      where m.channel_id = c.channel_id and m.account_id = u.account_id))
  left join channels h on h.id = c.channel_id
  order by i.position`;

interface ItemRow extends Omit<CardRow, 'c_id'> {
  /** Null where there is no such playlist, or it is not visible. */
  readonly id: string | null;
  readonly title: string;
  readonly total: number;
  /** Null in an empty playlist. */
  readonly item: string | null;
  readonly position: string;
  /** Null where the content is not visible. */
  readonly c_id: string | null;
}

/** A playlist with its first 20 items. */
export const items: Handler = async (key, { id }) => {
  const rows = await query<ItemRow>('items', ITEMS, [key, uuidOf(id)]);
  const playlist = rows?.[0];
  if (!rows || !playlist || playlist.id === null) return null;
  const edges = rows.slice(0, 20).flatMap(({ item, position, c_id, ...row }, index) => {
    if (item === null) return [];
    const content = c_id === null ? null : card({ ...row, c_id });
    return [{ cursor: cursor(position), node: { id: did('playlist-item', item), index, content } }];
  });
  return {
    playlist: {
      id: did('content/playlist', playlist.id),
      itemsCount: playlist.total,
      metadata: { title: playlist.title },
      items: {
        edges,
        pageInfo: { hasNextPage: rows.length > 20, endCursor: edges.at(-1)?.cursor ?? null },
        totalCount: playlist.total,
      },
    },
  };
};
