import { excerpt, highlight } from '../../../server/src/domains/discovery/search/highlight.ts';
import { type Handler, query, VIEWER } from './database.ts';
import { CARD, type CardRow, card, cursor, did, VIEWS } from './values.ts';

const SEARCH = `${VIEWER}, hits as materialized (select * from search_find($2, null, null, null, null, null))
  select u.access_until, n.total, d.*, ${CARD.replace(VIEWS, `case when c.id is not null then ${VIEWS} ` + 'end')},
    p.id as p_id, p.title as p_title, g.id as g_id, g.title as g_title,
    case when p.id is not null then counter_value(case when exists (select 1 from channel_members m
      where m.channel_id = p.channel_id and m.account_id = u.account_id)
      then 'playlist:items' else 'playlist:open' end, p.id) end as items,
    f.id as f_id, f.handle, case when f.id is not null then counter_value('channel:followers', f.id) end as followers
  from u left join lateral (select least(count(*), 1000)::int as total from hits) n on true
  left join lateral (select d.id, d.kind as d_kind, d.title, d.summary, h.score, h.terms
    from (select * from hits order by score desc, id desc limit 21) h join search_documents d on d.id = h.id) d on true
  left join contents c on c.id = d.id and c.listed left join channels h on h.id = c.channel_id
  left join playlists p on p.id = d.id and p.listed left join channels g on g.id = p.channel_id
  left join channels f on f.id = d.id
  order by d.score desc, d.id desc`;

interface HitRow extends Omit<CardRow, 'c_id'> {
  readonly total: number;
  /** Null without results. */
  readonly id: string | null;
  readonly d_kind: string;
  readonly title: string;
  readonly summary: string;
  readonly score: number;
  readonly terms: string[];
  readonly c_id: string | null;
  readonly p_id: string | null;
  readonly p_title: string;
  readonly g_id: string;
  readonly g_title: string;
  readonly items: number;
  readonly f_id: string | null;
  readonly handle: string;
  readonly followers: number;
}

/** The first 20 results. */
export const search: Handler = async (key, { query: text }) => {
  const rows = await query<HitRow>('search', SEARCH, [key, text]);
  if (!rows) return null;
  const page = rows.filter(({ id }) => id !== null).slice(0, 20);
  const last = page.at(-1);
  return {
    search: {
      edges: page.map((row) => ({ node: hitOf(row) })),
      pageInfo: { hasNextPage: rows.length > 20, endCursor: last ? cursor(String(last.score), last.id ?? '') : null },
      totalCount: rows[0]?.total,
    },
  };
};

function hitOf({ c_id, ...row }: HitRow): object {
  const playlist = row.p_id !== null && {
    id: did('content/playlist', row.p_id),
    itemsCount: row.items,
    metadata: { title: row.p_title },
    channel: { id: did('channel', row.g_id), metadata: { title: row.g_title } },
  };
  return {
    id: did('search-hit', row.id ?? ''),
    type: row.d_kind === 'CHANNEL' || row.d_kind === 'PLAYLIST' ? row.d_kind : 'CONTENT',
    highlights: { title: highlight(row.title, row.terms), summary: excerpt(row.summary, row.terms) },
    content: c_id === null ? null : card({ ...row, c_id }),
    playlist: playlist || null,
    channel:
      row.f_id === null ? null : { id: did('channel', row.f_id), handle: row.handle, followersCount: row.followers },
  };
}
