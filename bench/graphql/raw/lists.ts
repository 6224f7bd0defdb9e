import { type Handler, query, VIEWER } from './database.ts';
import { cursor, did, seconds } from './values.ts';

const ANONYMOUS = '00000000-0000-0000-0000-000000000000';

const LIST = `${VIEWER} select u.account_id, u.access_until, f.*, n.total
  from u left join lateral (select counter_value('listed:FEATURE', '${ANONYMOUS}') as total) n on true
  left join lateral (select c.id, c.published_at, c.title, c.summary, c.duration_ms, c.channel_id, h.name
    from (select * from contents c where c.listed and c.kind = 'FEATURE' order by c.published_at desc, c.id desc
      limit 21) c
    join channels h on h.id = c.channel_id) f on true
  order by f.published_at desc, f.id desc`;
const NESTED = `${VIEWER} select u.account_id, u.access_until, h.id as h_id, h.name, h.created_at, h.total, f.id,
  f.published_at, f.title, f.duration_ms
  from u left join lateral (select h.id, h.name, h.created_at, counter_value('channel:listed:FEATURE', h.id) as total
    from channels h order by h.created_at desc, h.id desc limit 11) h on true
  left join lateral (select c.id, c.published_at, c.title, c.duration_ms from contents c
    where c.channel_id = h.id and c.listed and c.kind = 'FEATURE' order by c.published_at desc, c.id desc limit 6) f
      on true
  order by h.created_at desc, h.id desc, f.published_at desc, f.id desc`;
interface FeatureRow {
  readonly id: string;
  readonly published_at: string;
  readonly title: string;
  readonly duration_ms: number | null;
}

type Missing<Row> = Row | { readonly id: null };

const isThere = <Row extends { readonly id: string | null }>(row: Row): row is Exclude<Row, { readonly id: null }> =>
  row.id !== null;

/** 20 features with their channels. */
export const list: Handler = async (key) => {
  interface ListRow extends FeatureRow {
    readonly summary: string;
    readonly channel_id: string;
    readonly name: string;
  }
  const rows = await query<Missing<ListRow> & { readonly total: number }>('list', LIST, [key]);
  if (!rows) return null;
  const page = rows.filter(isThere).slice(0, 20);
  const edges = page.map((row) => ({
    cursor: cursor(row.published_at, row.id),
    node: {
      id: did('content/feature', row.id),
      publishedAt: row.published_at,
      metadata: { title: row.title, summary: row.summary, duration: seconds(row.duration_ms) },
      channel: { id: did('channel', row.channel_id), metadata: { name: row.name } },
    },
  }));
  return {
    features: {
      edges,
      pageInfo: { hasNextPage: rows.length > 20, endCursor: edges.at(-1)?.cursor ?? null },
      totalCount: rows[0]?.total,
    },
  };
};

interface ChannelRow {
  readonly h_id: string | null;
  readonly name: string;
  readonly created_at: string;
  readonly total: number;
}

/** 10 channels with 5 features each. */
export const nested: Handler = async (key) => {
  const rows = await query<ChannelRow & Missing<FeatureRow>>('nested', NESTED, [key]);
  if (!rows) return null;
  const channels = new Map<string, { id: string; row: ChannelRow; edges: object[] }>();
  for (const row of rows) {
    if (row.h_id === null) continue;
    let channel = channels.get(row.h_id);
    if (!channel) {
      channel = { id: row.h_id, row, edges: [] };
      channels.set(row.h_id, channel);
    }
    if (!isThere(row) || channel.edges.length === 5) continue;
    channel.edges.push({
      node: {
        id: did('content/feature', row.id),
        publishedAt: row.published_at,
        metadata: { title: row.title, duration: seconds(row.duration_ms) },
      },
    });
  }
  const all = [...channels.values()];
  const page = all.slice(0, 10);
  const last = page.at(-1);
  const edges = page.map(({ id, row, edges: features }) => ({
    node: {
      id: did('channel', id),
      metadata: { name: row.name },
      features: { edges: features, totalCount: row.total },
    },
  }));
  return {
    channels: {
      edges,
      pageInfo: { hasNextPage: all.length > 10, endCursor: last ? cursor(last.row.created_at, last.id) : null },
    },
  };
};
