import { type Handler, query, VIEWER } from './database.ts';
import { did, uuidOf } from './values.ts';

// The earlier period ends before the later one begins, so each table is read once for both.
const OVERVIEW = `${VIEWER}
  select u.access_until, h.id, h.created_at, m.role is not null as own, next_15min($3) as now, p.*, q.*, v.*, f.*
  from u left join channels h on h.id = $2 left join channel_members m on m.channel_id = h.id
    and m.account_id = u.account_id
  left join lateral analytics_period(h.time_zone, 'LAST_28D', null, null, $3) p on m.role is not null
  left join lateral (select coalesce(sum(q.views) filter (where q.at >= p.from_at), 0)::bigint as views,
    coalesce(sum(q.watch_ms) filter (where q.at >= p.from_at), 0)::bigint as watch_ms,
      coalesce(sum(q.views) filter (where q.at < p.prev_to), 0)::bigint as views_before,
        coalesce(sum(q.watch_ms) filter (where q.at < p.prev_to), 0)::bigint as watch_ms_before
    from channel_15min q where q.channel_id = h.id and q.at >= p.prev_from and q.at < p.to_at) q on p.to_at is not null
  left join lateral (select
      (select count(*) from (select v.viewer from content_views v where v.channel_id = h.id and v.at >= p.from_at
        and v.at < p.to_at group by v.viewer) d) as viewers,
      (select count(*) from (select v.viewer from content_views v where v.channel_id = h.id and v.at >= p.prev_from
        and v.at < p.prev_to group by v.viewer) d) as viewers_before) v on p.to_at is not null
  left join lateral (select coalesce(sum(f.delta), 0)::bigint as subscribers,
    coalesce(sum(f.delta) filter (where f.created_at < p.prev_to), 0)::bigint as subscribers_before,
      count(*) filter (where f.delta = 1 and f.created_at >= p.from_at) as followed,
      count(*) filter (where f.delta = 1 and f.created_at >= p.prev_from
        and f.created_at < p.prev_to) as followed_before
    from follow_changes f where f.channel_id = h.id and f.created_at < p.to_at) f on p.to_at is not null`;

interface OverviewRow {
  readonly id: string | null;
  readonly created_at: string;
  readonly own: boolean;
  readonly now: string;
  readonly from_at: string;
  readonly to_at: string;
  readonly prev_from: string;
  readonly prev_to: string;
  readonly views: number;
  readonly views_before: number;
  readonly watch_ms: number;
  readonly watch_ms_before: number;
  readonly viewers: number;
  readonly viewers_before: number;
  readonly subscribers: number;
  readonly subscribers_before: number;
  readonly followed: number;
  readonly followed_before: number;
}

/** Metrics of 28 days and of the 28 days before. */
export const overview: Handler = async (key, { channel }) => {
  const row = (await query<OverviewRow>('overview', OVERVIEW, [key, uuidOf(channel), new Date()]))?.[0];
  if (!row || row.id === null) return null;
  if (!row.own) return { channel: { id: did('channel', row.id), analytics: null } };
  const [from, to, since] = [Date.parse(row.from_at), Date.parse(row.to_at), Date.parse(row.created_at)];
  const coverage = Math.min(1, Math.max(0, (Math.min(to, Date.parse(row.now)) - Math.max(from, since)) / (to - from)));
  const comparable = since < Date.parse(row.prev_to);
  const kpi = (value: number, before: number) => {
    const delta = comparable ? value - before : null;
    return {
      value,
      deltaVsPrevious: delta,
      deltaPct: delta === null || before === 0 ? null : (delta / before) * 100,
      coverage: { share: coverage },
    };
  };
  const numbers = {
    from: row.from_at,
    to: row.to_at,
    previousFrom: row.prev_from,
    previousTo: row.prev_to,
    views: kpi(row.views, row.views_before),
    watchMinutes: kpi(row.watch_ms / 60_000, row.watch_ms_before / 60_000),
    uniqueViewers: kpi(row.viewers, row.viewers_before),
    channelSubscribers: kpi(row.subscribers, row.subscribers_before),
    newChannelSubscribers: kpi(row.followed, row.followed_before),
  };
  return { channel: { id: did('channel', row.id), analytics: { overview: numbers } } };
};
