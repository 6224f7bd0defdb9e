import type { Database, Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';
import { isVisibleContent } from '../catalog/index.ts';
import type { WatchRow } from './watch-row.ts';

const APPEND = sql(
  'append_watch_events',
  `insert into watch_events (day, session_id, seq, kind, content_id, channel_id, viewer, account_id, occurred_at, country, device, os,
     browser, duration_ms, position_ms, ranges, value_ms, detail)
   select (e.occurred_at at time zone 'UTC')::date, e.session_id, e.seq, e.kind, e.content_id, e.channel_id, e.viewer, e.account_id,
     e.occurred_at, e.country, e.device, e.os, e.browser, e.duration_ms, e.position_ms, e.ranges::integer[], e.value_ms, e.detail
   from unnest($1::uuid[], $2::integer[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::timestamptz[], $9::text[],
     $10::text[], $11::text[], $12::text[], $13::integer[], $14::integer[], $15::text[], $16::integer[], $17::text[])
     as e (session_id, seq, kind, content_id, channel_id, viewer, account_id, occurred_at, country, device, os, browser, duration_ms,
       position_ms, ranges, value_ms, detail)
   on conflict do nothing`,
);

const COLUMNS =
  'day, session_id, seq, kind, content_id, channel_id, viewer, account_id, occurred_at, country, device, os, browser, duration_ms, position_ms, ranges, value_ms, detail';
const COPY = sql('copy_watch_events', `copy watch_events (${COLUMNS}) from stdin`);

/** Appends events as fast as PostgreSQL can; answers false, and appends none, when one of them is there already. */
export async function copyWatchEvents(db: Database, rows: readonly WatchRow[]): Promise<boolean> {
  try {
    await db.copy(COPY, copyText(rows));
    return true;
  } catch (error) {
    // unique_violation
    if (error instanceof Error && 'code' in error && error.code === '23505') return false;
    throw error;
  }
}

/**
 * Rows in the text format of COPY. No value has a tab, a line break, a backslash or a character beyond ASCII (engagement-event.ts,
 * client-facts.ts); what the events of a playback have in common is put together once.
 */
function copyText(rows: readonly WatchRow[]): Buffer {
  let text = '';
  let before: WatchRow | null = null;
  let who = '';
  let where = '';
  for (const row of rows) {
    if (!before || !sameViewing(row, before)) {
      who = `\t${row.contentId}\t${row.channelId}\t${row.viewer}\t${row.accountId ?? NULL}\t`;
      where = `\t${row.country}\t${row.device}\t${row.os}\t${row.browser}\t${row.durationMs ?? NULL}\t`;
      before = row;
    }
    const at = new Date(row.occurredAtMs).toISOString();
    const what = `${row.positionMs}\t{${row.ranges.join(',')}}\t${row.valueMs ?? NULL}\t${row.detail ?? NULL}\n`;
    text += `${at.slice(0, 10)}\t${row.sessionId}\t${row.seq}\t${row.kind}${who}${at}${where}${what}`;
  }
  return Buffer.from(text, 'latin1');
}

const NULL = '\\N';

/** Whether two rows are of one viewer, one content and one browser. */
function sameViewing(a: WatchRow, b: WatchRow): boolean {
  const sameViewer = a.viewer === b.viewer && a.accountId === b.accountId && a.contentId === b.contentId;
  return (
    sameViewer &&
    a.durationMs === b.durationMs &&
    a.country === b.country &&
    a.device === b.device &&
    a.os === b.os &&
    a.browser === b.browser
  );
}

/**
 * Appends events in one statement; those that are there already are left as they are. Arrays are written as PostgreSQL reads them
 * (section 8.15.6 of its manual): it spares the driver a walk over every value.
 */
export async function appendWatchEvents(db: Executor, rows: readonly WatchRow[]): Promise<void> {
  const plain = (pick: (row: WatchRow) => string | number | null) => `{${rows.map((row) => pick(row) ?? 'NULL').join(',')}}`;
  const quoted = (pick: (row: WatchRow) => string) => `{${rows.map((row) => `"${pick(row)}"`).join(',')}}`;
  await db.run(APPEND, [
    plain((row) => row.sessionId),
    plain((row) => row.seq),
    plain((row) => row.kind),
    plain((row) => row.contentId),
    plain((row) => row.channelId),
    plain((row) => row.viewer),
    plain((row) => row.accountId),
    plain((row) => new Date(row.occurredAtMs).toISOString()),
    quoted((row) => row.country),
    quoted((row) => row.device),
    quoted((row) => row.os),
    quoted((row) => row.browser),
    plain((row) => row.durationMs),
    plain((row) => row.positionMs),
    quoted((row) => `{${row.ranges.join(',')}}`),
    plain((row) => row.valueMs),
    // Labels have neither quotes nor backslashes (engagement-event.ts).
    plain((row) => (row.detail === null ? null : `"${row.detail}"`)),
  ]);
}

const PREPARE = sql('prepare_watch_events', 'select watch_events_prepare($1::date, $2::date)');

/** Makes sure that events of these UTC days can be appended. */
export async function prepareWatchDays(db: Executor, first: string, last: string): Promise<void> {
  await db.run(PREPARE, [first, last]);
}

const DROP = sql('drop_watch_events', 'select watch_events_drop_before($1::date) as dropped');

/** Drops the raw events of the UTC days before `day`; returns how many days were dropped. */
export async function dropWatchDays(db: Executor, day: string): Promise<number> {
  const row = await db.first<{ dropped: number }>(DROP, [day]);
  return row?.dropped ?? 0;
}

/** What is known of a content that events are reported of. */
export interface WatchedContent {
  readonly id: string;
  readonly channelId: string;
  readonly durationMs: number | null;
  /** Whether everyone may watch it. */
  readonly open: boolean;
}

/** What an account wants to be known of it. */
export interface TrackingWishes {
  readonly doNotTrack: boolean;
  readonly keepHistory: boolean;
}

const CONTENTS = sql(
  'watched_contents',
  `select c.id, c.channel_id, c.duration_ms, c.status = 'PUBLISHED' and c.visibility <> 'PRIVATE'
   from contents c, (select $2::uuid as account_id) viewer
   where c.id = any($1::uuid[]) and ${isVisibleContent('c', { viewer: 'viewer' })}`,
);
const WISHES = sql('tracking_wishes', 'select do_not_track, keep_history from account_settings where account_id = $1');
const DEFAULT_WISHES: TrackingWishes = { doNotTrack: false, keepHistory: true };

/** Of the contents, those the account (null: anyone) may watch, and what the account wishes; in one round trip. */
export async function readTrackingFacts(
  db: Database,
  contentIds: readonly string[],
  accountId: string | null,
): Promise<{ contents: WatchedContent[]; wishes: TrackingWishes }> {
  const calls = [
    { statement: CONTENTS, values: [contentIds, accountId] },
    { statement: WISHES, values: [accountId] },
  ];
  const [contents = [], wishes = []] = await db.together(accountId === null ? calls.slice(0, 1) : calls);
  const wish = wishes[0];
  return {
    // The columns as selected above.
    contents: (contents as [string, string, number | null, boolean][]).map(([id, channelId, durationMs, open]) => ({
      id,
      channelId,
      durationMs,
      open,
    })),
    wishes: wish ? { doNotTrack: wish[0] === true, keepHistory: wish[1] === true } : DEFAULT_WISHES,
  };
}
