import type { Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { EngagementKind } from '../ingest/engagement-event.ts';
import type { WatchRow } from '../ingest/watch-row.ts';
import { type EarlierState, MEASURE_NAMES, type RollUp, type SessionState, VIEW_WINDOW_MS } from './roll-up.ts';
import { addToTests, RUNNING_SINCE } from './test-sums.store.ts';

const LOCK = sql('lock_watch_cursor', 'select xact::text from watch_cursor for update skip locked');
const WAIT = sql('wait_watch_cursor', 'select xact::text from watch_cursor for update');

/**
 * Position up to which events are aggregated (xid8 as text), locked until the transaction ends; null when another
 * worker holds it.
 */
export async function lockWatchCursor(tx: Transaction, options: { wait: boolean }): Promise<string | null> {
  return (await tx.first<{ xact: string }>(options.wait ? WAIT : LOCK, []))?.xact ?? null;
}

const ADVANCE = sql('advance_watch_cursor', 'update watch_cursor set xact = $1::xid8, updated_at = $2');

/** Writes the position up to which events are aggregated. */
export async function advanceWatchCursor(tx: Transaction, xact: string, nowMs: number): Promise<void> {
  await tx.run(ADVANCE, [xact, new Date(nowMs).toISOString()]);
}

const READ = sql(
  'read_watch_events',
  `select e.xact::text, e.session_id as "sessionId", e.seq, e.kind, e.content_id as "contentId",
    e.channel_id as "channelId", e.viewer,
     a.id as "accountId", e.occurred_at as "occurredAt", e.country, e.device, e.os, e.browser,
       e.duration_ms as "durationMs",
     e.position_ms as "positionMs", e.ranges, e.value_ms as "valueMs", e.detail, c.id is not null as kept
   from (
     select * from watch_events
     where xact > $1::xid8 and xact < pg_snapshot_xmin(pg_current_snapshot()) and ($3::xid8 is null or xact <= $3::xid8)
     order by xact fetch first $2 rows with ties) e
   left join contents c on c.id = e.content_id
   left join accounts a on a.id = e.account_id
   order by e.xact, e.occurred_at, e.session_id, e.seq`,
);

interface StoredEvent extends Omit<WatchRow, 'occurredAtMs'> {
  readonly xact: string;
  readonly kind: EngagementKind;
  readonly occurredAt: string;
  /** Whether the content still exists. */
  readonly kept: boolean;
}

/**
 * The next events after the cursor: about `limit`, and always all of a transaction. Transactions younger than the
 * oldest one that still runs wait, so that rows which commit late are never skipped. `upTo` is the last transaction
 * that is read; `xact` is null when there was none.
 */
export async function readWatchEvents(
  tx: Transaction,
  after: string,
  limit: number,
  upTo: string | null = null,
): Promise<{ events: WatchRow[]; xact: string | null; read: number }> {
  const rows = await tx.run<StoredEvent>(READ, [after, limit, upTo]);
  const events = rows.flatMap(({ xact: _, occurredAt, kept, ...event }) =>
    kept ? [{ ...event, occurredAtMs: Date.parse(occurredAt) }] : [],
  );
  return { events, xact: rows.at(-1)?.xact ?? null, read: rows.length };
}

const SESSIONS = sql(
  'read_watch_sessions',
  'select session_id, content_id, started, watched_ms, played, shown, followed, variant_id, source, first_at, ' +
    'last_at from watch_sessions where session_id = any($1::uuid[])',
);
const VIEWS = sql(
  'read_near_views',
  `select v.content_id, v.viewer, v.at from unnest($1::uuid[], $2::uuid[]) as n (content_id, viewer)
   join content_views v on v.content_id = n.content_id and v.viewer = n.viewer where v.at between $3 and $4`,
);

/** State from events before this batch. */
export async function readEarlierState(tx: Transaction, events: readonly WatchRow[]): Promise<EarlierState> {
  const sessions = await tx.run<SessionState>(SESSIONS, [[...new Set(events.map(({ sessionId }) => sessionId))]]);
  const pairs = [
    ...new Map(events.map(({ contentId, viewer }) => [`${contentId}${viewer}`, { contentId, viewer }])).values(),
  ];
  const times = events.map(({ occurredAtMs }) => occurredAtMs);
  const from = new Date(times.reduce((a, b) => Math.min(a, b)) - VIEW_WINDOW_MS).toISOString();
  const to = new Date(times.reduce((a, b) => Math.max(a, b)) + VIEW_WINDOW_MS).toISOString();
  const views = await tx.run<{ content_id: string; viewer: string; at: string }>(VIEWS, [
    pairs.map(({ contentId }) => contentId),
    pairs.map(({ viewer }) => viewer),
    from,
    to,
  ]);
  return { sessions, views: views.map(({ content_id, viewer, at }) => ({ content_id, viewer, atMs: Date.parse(at) })) };
}

const SUMS = MEASURE_NAMES.join(', ');
const sumTypes = MEASURE_NAMES.map((name) => `${name} bigint`).join(', ');
const addSums = (table: string) =>
  MEASURE_NAMES.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');
const PLAYED = 'country, device, os, browser';
const playedTypes = 'country text, device text, os text, browser text';

/** Adds rows given as one JSON text, in the order of their key to avoid deadlocks. */
function adding(table: string, keys: string, keyTypes: string, values: string, valueTypes: string, update: string) {
  return sql(
    `add_${table}`,
    `insert into ${table} (${keys}, ${values}) select ${keys}, ${values}
     from jsonb_to_recordset($1::jsonb) as r (${keyTypes}, ${valueTypes}) order by ${keys} on conflict (${keys})
       do ${update}`,
  );
}

const ADD = {
  sessions: adding(
    'watch_sessions',
    'session_id, content_id',
    'session_id uuid, content_id uuid',
    'started, watched_ms, played, shown, followed, variant_id, source, first_at, last_at',
    'started boolean, watched_ms bigint, played boolean, shown boolean, ' +
      'followed boolean, variant_id uuid, source text, first_at timestamptz, last_at timestamptz',
    `update set started = excluded.started, watched_ms = excluded.watched_ms, played = excluded.played,
       shown = excluded.shown, followed = excluded.followed, variant_id = excluded.variant_id,
       source = excluded.source, first_at = excluded.first_at, last_at = excluded.last_at`,
  ),
  views: adding(
    'content_views',
    'content_id, viewer, at',
    'content_id uuid, viewer uuid, at timestamptz',
    `channel_id, ${PLAYED}, source`,
    `channel_id uuid, ${playedTypes}, source text`,
    'nothing',
  ),
  quarters: adding(
    'watch_15min',
    `content_id, at, ${PLAYED}`,
    `content_id uuid, at timestamptz, ${playedTypes}`,
    `channel_id, ${SUMS}`,
    `channel_id uuid, ${sumTypes}`,
    `update set ${addSums('watch_15min')}`,
  ),
  channels: adding(
    'channel_15min',
    'channel_id, at',
    'channel_id uuid, at timestamptz',
    SUMS,
    sumTypes,
    `update set ${addSums('channel_15min')}`,
  ),
  days: adding(
    'content_daily',
    'content_id, day',
    'content_id uuid, day date',
    `channel_id, ${SUMS}`,
    `channel_id uuid, ${sumTypes}`,
    `update set ${addSums('content_daily')}`,
  ),
  retention: adding(
    'content_retention',
    'content_id, second',
    'content_id uuid, second integer',
    'change',
    'change bigint',
    'update set change = content_retention.change + excluded.change',
  ),
  positions: adding(
    'watch_positions',
    'account_id, content_id',
    'account_id uuid, content_id uuid',
    'position_ms, duration_ms, watched_ms, completed, updated_at',
    'position_ms integer, duration_ms integer, watched_ms bigint, completed boolean, updated_at timestamptz',
    `update set watched_ms = watch_positions.watched_ms + excluded.watched_ms,
       completed = watch_positions.completed or excluded.completed,
       position_ms = case when excluded.updated_at >= watch_positions.updated_at then excluded.position_ms
         else watch_positions.position_ms end,
       duration_ms = case when excluded.updated_at >= watch_positions.updated_at then excluded.duration_ms
         else watch_positions.duration_ms end,
       updated_at = greatest(excluded.updated_at, watch_positions.updated_at)`,
  ),
} as const;

/**
 * Adds the sums of a batch. `rebuiltFrom` is the first day of a rebuild, which omits positions, and tests that are
 * older; null otherwise.
 */
export async function addRollUp(
  tx: Transaction,
  rolled: RollUp,
  { rebuiltFrom }: { readonly rebuiltFrom: string | null },
): Promise<void> {
  const parts = ['sessions', 'views', 'quarters', 'channels', 'days', 'retention'] as const;
  for (const part of rebuiltFrom === null ? [...parts, 'positions' as const] : parts) {
    if (rolled[part].length > 0) await tx.run(ADD[part], [JSON.stringify(rolled[part])]);
  }
  // Last, as they lock tests: whoever ends one has locked its content before.
  await addToTests(tx, rolled, rebuiltFrom);
}

const OLDEST = sql('oldest_watch_day', 'select min(day)::text as day from watch_events_days() day');

/** The oldest UTC day whose raw events are kept; null when there is none. */
export async function oldestWatchDay(tx: Transaction): Promise<string | null> {
  return (await tx.first<{ day: string | null }>(OLDEST, []))?.day ?? null;
}

const FORGET = [
  `delete from content_test_viewers where test_id in (${RUNNING_SINCE})`,
  `update content_test_variants set impressions = 0, clicks = 0, viewers = 0 where test_id in (${RUNNING_SINCE})`,
  `delete from watch_sessions where first_at >= $1::date at time zone 'UTC'`,
  `delete from content_views where at >= $1::date at time zone 'UTC'`,
  `delete from watch_15min where at >= $1::date at time zone 'UTC'`,
  `delete from channel_15min where at >= $1::date at time zone 'UTC'`,
  'delete from content_daily where day >= $1::date',
  'delete from content_retention where content_id in (select id from contents ' +
    `where created_at >= $1::date at time zone 'UTC')`,
].map((text, index) => sql(`forget_sums_${index}`, text));

/** Deletes the sums of the days from `day` on, and the retention curves of contents that are not older. */
export async function forgetSums(tx: Transaction, day: string): Promise<void> {
  for (const statement of FORGET) await tx.run(statement, [day]);
}

const OLDER = sql(
  'contents_older_than',
  `select id from contents where id = any($1::uuid[]) and created_at < $2::date at time zone 'UTC'`,
);

/** Of these contents, those that are older than `day`. */
export async function olderContents(tx: Transaction, ids: readonly string[], day: string): Promise<string[]> {
  return (await tx.run<{ id: string }>(OLDER, [ids, day])).map(({ id }) => id);
}

const FORGET_AT_ONCE = 10_000;
const FORGET_SESSIONS = sql(
  'delete_old_watch_sessions',
  `delete from watch_sessions where ctid = any(array(
     select ctid from watch_sessions where last_at < $1 order by last_at limit ${FORGET_AT_ONCE})) returning 1 as one`,
);

/** Deletes the state of playbacks that ended before `beforeMs`, in batches. */
export async function forgetSessions(tx: Pick<Transaction, 'run'>, beforeMs: number): Promise<void> {
  while ((await tx.run(FORGET_SESSIONS, [new Date(beforeMs).toISOString()])).length === FORGET_AT_ONCE);
}
