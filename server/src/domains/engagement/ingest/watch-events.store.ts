import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import { type Database, type Executor, isUniqueViolation } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { SCOPED } from '../../channels/index.ts';
import type { Viewing, WatchedContent } from '../viewing.ts';
import { COPIED_COLUMNS, copyBytes } from './copy-bytes.ts';

const APPEND = sql(
  'append_watch_events',
  `insert into watch_events (day, session_id, seq, kind, content_id, channel_id, viewer, account_id, occurred_at,
    country, device, os,
     browser, duration_ms, position_ms, ranges, value_ms, detail)
   select (e.occurred_at at time zone 'UTC')::date, e.session_id, e.seq, e.kind, e.content_id, e.channel_id, e.viewer,
     e.account_id,
     e.occurred_at, e.country, e.device, e.os, e.browser, e.duration_ms, e.position_ms, e.ranges::integer[], e.value_ms,
       e.detail
   from unnest($1::uuid[], $2::integer[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::timestamptz[],
     $9::text[],
     $10::text[], $11::text[], $12::text[], $13::integer[], $14::integer[], $15::text[], $16::integer[], $17::text[])
     as e (session_id, seq, kind, content_id, channel_id, viewer, account_id, occurred_at, country, device, os, browser,
       duration_ms,
       position_ms, ranges, value_ms, detail)
   on conflict do nothing`,
);

const COPY = sql(
  'copy_watch_events',
  `copy watch_events (${COPIED_COLUMNS.join(', ')}) from stdin with (format binary)`,
);

/** Appends events as fast as PostgreSQL can; returns false, and appends none, when one of them is a duplicate. */
export async function copyWatchEvents(db: Database, viewings: readonly Viewing[]): Promise<boolean> {
  try {
    await db.copy(COPY, copyBytes(viewings));
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/**
 * Appends events in one statement; duplicates are ignored. Arrays are written as PostgreSQL reads them (section 8.15.6
 * of its manual): it saves the driver a pass over every value.
 */
export async function appendWatchEvents(db: Executor, viewings: readonly Viewing[]): Promise<void> {
  const rows = viewings.flatMap(({ events, ...viewing }) => events.map((event) => ({ ...viewing, event })));
  type Row = (typeof rows)[number];
  const plain = (pick: (row: Row) => string | number | null) => `{${rows.map((row) => pick(row) ?? 'NULL').join(',')}}`;
  const quoted = (pick: (row: Row) => string) => `{${rows.map((row) => `"${pick(row)}"`).join(',')}}`;
  await db.run(APPEND, [
    plain(({ sessionId }) => sessionId),
    plain(({ event }) => event.seq),
    plain(({ event }) => event.kind),
    plain(({ content }) => content.id),
    plain(({ content }) => content.channelId),
    plain(({ watcher }) => watcher.viewer),
    plain(({ watcher }) => watcher.accountId),
    plain(({ event }) => new Date(event.occurredAtMs).toISOString()),
    quoted(({ watcher }) => watcher.country),
    quoted(({ watcher }) => watcher.device),
    quoted(({ watcher }) => watcher.os),
    quoted(({ watcher }) => watcher.browser),
    plain(({ content }) => content.durationMs),
    plain(({ event }) => event.positionMs),
    quoted(({ event }) => `{${event.ranges.join(',')}}`),
    plain(({ event }) => event.valueMs),
    // Labels have neither quotes nor backslashes (engagement-event.ts).
    plain(({ event }) => (event.detail === null ? null : `"${event.detail}"`)),
  ]);
}

const PREPARE = sql('prepare_watch_events', 'select watch_events_prepare($1::date, $2::date)');

/** Creates missing partitions for these UTC days. */
export async function prepareWatchDays(db: Executor, first: string, last: string): Promise<void> {
  await db.run(PREPARE, [first, last]);
}

const DROP = sql('drop_watch_events', 'select watch_events_drop_before($1::date) as dropped');

/** Drops the raw events of the UTC days before `day`; returns how many days were dropped. */
export async function dropWatchDays(db: Executor, day: string): Promise<number> {
  const row = await db.first<{ dropped: number }>(DROP, [day]);
  return row?.dropped ?? 0;
}

/** Tracking preferences of an account. */
export interface TrackingPreferences {
  readonly doNotTrack: boolean;
  readonly keepHistory: boolean;
}

const CONTENTS = sql(
  'watched_contents',
  `select c.id, c.channel_id, c.duration_ms, c.effective_visibility <> 'PRIVATE'
   from contents c, ${viewerRow('$2')}
   where c.id = any($1::uuid[]) and ${isVisibleContent('c', SCOPED)}`,
);
const PREFERENCES = sql(
  'tracking_preferences',
  'select do_not_track, keep_history from account_settings where account_id = $1',
);
const OWN = sql('own_channels', 'select channel_id from channel_members where account_id = $1');
const DEFAULT_PREFERENCES: TrackingPreferences = { doNotTrack: false, keepHistory: true };

/** The facts for validating events. */
export interface TrackingFacts {
  /** The contents that the viewer may watch. */
  readonly contents: readonly WatchedContent[];
  readonly preferences: TrackingPreferences;
  /** The account's channels, read only with card events. */
  readonly ownChannels: ReadonlySet<string>;
}

export const NO_FACTS: TrackingFacts = { contents: [], preferences: DEFAULT_PREFERENCES, ownChannels: new Set() };

/** The facts about the contents and the sending account, in one round trip. */
export async function readTrackingFacts(
  db: Database,
  {
    contentIds,
    scope,
    accountId,
    cards,
  }: { contentIds: readonly string[]; scope: ViewerScope; accountId: string | null; cards: boolean },
): Promise<TrackingFacts> {
  const calls = [
    { statement: CONTENTS, values: [contentIds, scope] },
    { statement: PREFERENCES, values: [accountId] },
    { statement: OWN, values: [accountId] },
  ];
  const [contents = [], preferences = [], own = []] = await db.together(
    accountId === null ? calls.slice(0, 1) : calls.slice(0, cards ? 3 : 2),
  );
  const preference = preferences[0];
  return {
    // The columns as selected above.
    contents: (contents as [string, string, number | null, boolean][]).map(([id, channelId, durationMs, open]) => ({
      id,
      channelId,
      durationMs,
      open,
    })),
    preferences: preference
      ? { doNotTrack: preference[0] === true, keepHistory: preference[1] === true }
      : DEFAULT_PREFERENCES,
    ownChannels: new Set((own as [string][]).map(([channelId]) => channelId)), // the column as selected
  };
}
