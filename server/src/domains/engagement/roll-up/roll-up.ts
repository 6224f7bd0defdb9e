import { watchedMs } from '../ingest/accept-event.policy.ts';
import { isOfCard } from '../ingest/engagement-event.ts';
import { UNREPORTED } from '../ingest/traffic-sources.ts';
import type { WatchRow } from '../ingest/watch-row.ts';

/** The sums: columns of watch_15min, channel_15min and content_daily. */
export const MEASURES = {
  views: 'Plays; those of one viewer within 30 minutes count once',
  plays: 'Playbacks of which 3 seconds, or a tenth where that is less, were watched',
  watch_ms: 'Milliseconds of content played',
  starts: 'Playbacks that started',
  startups: 'Starts with a startup time',
  startup_ms: 'Their startup time in milliseconds',
  rebuffers: 'Number of stalls',
  rebuffer_ms: 'Stall time in milliseconds',
  errors: 'Failures',
  completes: 'Playbacks that reached the end',
  impressions: 'Card impressions, once per page visit',
  clicks: 'Card clicks',
} as const;

export type Measure = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as Measure[]; // Object.keys loses the literal type
type Sums = Record<Measure, number>;

/** Minimum watch time of a play, or a tenth of the content if that is less. */
export const PLAY_MS = 3_000;
/** Plays of a content by one viewer within this time count as one view. */
export const VIEW_WINDOW_MS = 30 * 60_000;
export const QUARTER_MS = 15 * 60_000;
/** Share of the content after which it counts as watched to the end. */
const COMPLETED_FROM = 0.95;

/** State of a playback, or of a page visit with a card; a row of watch_sessions. */
export interface SessionState {
  readonly session_id: string;
  readonly content_id: string;
  started: boolean;
  watched_ms: number;
  played: boolean;
  shown: boolean;
  followed: boolean;
  /** The variant of a test that the card showed; null for none. */
  variant_id: string | null;
  /** The traffic source of the playback; null for none. */
  source: string | null;
  first_at: string;
  last_at: string;
}

/** State from earlier events. */
export interface EarlierState {
  readonly sessions: readonly SessionState[];
  /** Counted views of the batch's viewers and contents close to its time. */
  readonly views: readonly { readonly content_id: string; readonly viewer: string; readonly atMs: number }[];
}

type Played = { channel_id: string; country: string; device: string; os: string; browser: string };
export type QuarterSums = Played & Sums & { content_id: string; at: string };
export type ChannelSums = Sums & { channel_id: string; at: string };
export type DaySums = Sums & { content_id: string; channel_id: string; day: string };
export type CountedView = Played & { content_id: string; viewer: string; at: string; source: string };
export interface PositionChange {
  readonly account_id: string;
  readonly content_id: string;
  position_ms: number;
  duration_ms: number | null;
  watched_ms: number;
  completed: boolean;
  updated_at: string;
}

export interface VariantSums {
  readonly variant_id: string;
  impressions: number;
  clicks: number;
}

/** Rows that a batch of events adds to the tables; each list has unique keys in the order of their first appearance. */
export interface RollUp {
  readonly sessions: readonly SessionState[];
  readonly views: readonly CountedView[];
  readonly quarters: readonly QuarterSums[];
  readonly channels: readonly ChannelSums[];
  readonly days: readonly DaySums[];
  readonly retention: readonly { content_id: string; second: number; change: number }[];
  readonly positions: readonly PositionChange[];
  readonly variants: readonly VariantSums[];
  /** Viewers who clicked a card that showed a variant. */
  readonly followers: readonly { readonly variant_id: string; readonly viewer: string }[];
}

/**
 * Aggregates events in the order given. Pure: the same events in the same order give the same sums, however they are
 * split into batches, given the state of the previous batches.
 */
export function rollUp(events: readonly WatchRow[], earlier: EarlierState): RollUp {
  const fold = new Fold(earlier);
  for (const event of events) fold.add(event);
  return fold.result();
}

const key = (...parts: readonly (string | number)[]): string => parts.join('|');
const iso = (ms: number): string => new Date(ms).toISOString();
const noSums = (): Sums => Object.fromEntries(MEASURE_NAMES.map((name) => [name, 0])) as Sums; // all of them

class Fold {
  readonly #sessions = new Map<string, SessionState>();
  readonly #viewTimes = new Map<string, number[]>();
  readonly #views: CountedView[] = [];
  readonly #quarters = new Map<string, QuarterSums>();
  readonly #channels = new Map<string, ChannelSums>();
  readonly #days = new Map<string, DaySums>();
  readonly #retention = new Map<string, { content_id: string; second: number; change: number }>();
  readonly #positions = new Map<string, PositionChange>();
  readonly #touched = new Set<SessionState>();
  readonly #variants = new Map<string, VariantSums>();
  readonly #followers = new Map<string, { variant_id: string; viewer: string }>();

  constructor(earlier: EarlierState) {
    for (const session of earlier.sessions)
      this.#sessions.set(key(session.session_id, session.content_id), { ...session });
    for (const { content_id, viewer, atMs } of earlier.views) this.#timesOf(content_id, viewer).push(atMs);
  }

  add(event: WatchRow): void {
    if (isOfCard(event.kind)) {
      this.#sum(event, this.#card(event));
      return;
    }
    const watched = watchedMs(event.ranges);
    const sums: Partial<Sums> = measuresOf(event, watched);
    if (this.#becomesPlay(event, watched)) {
      sums.plays = 1;
      if (this.#becomesView(event, this.#session(event).source ?? UNREPORTED)) sums.views = 1;
    }
    this.#sum(event, sums);
    this.#retain(event);
    if (event.accountId !== null) this.#position(event, event.accountId, watched);
  }

  result(): RollUp {
    return {
      sessions: [...this.#touched],
      views: this.#views,
      quarters: [...this.#quarters.values()],
      channels: [...this.#channels.values()],
      days: [...this.#days.values()],
      retention: [...this.#retention.values()].filter(({ change }) => change !== 0),
      positions: [...this.#positions.values()],
      variants: [...this.#variants.values()],
      followers: [...this.#followers.values()],
    };
  }

  /** The session of an event; updates its last-seen time. */
  #session(event: WatchRow): SessionState {
    const at = iso(event.occurredAtMs);
    const state = entry(this.#sessions, key(event.sessionId, event.contentId), () => ({
      session_id: event.sessionId,
      content_id: event.contentId,
      started: false,
      watched_ms: 0,
      played: false,
      shown: false,
      followed: false,
      variant_id: null,
      source: null,
      first_at: at,
      last_at: at,
    }));
    this.#touched.add(state);
    if (at < state.first_at) state.first_at = at;
    if (at > state.last_at) state.last_at = at;
    return state;
  }

  /**
   * What this event adds to its visit: an impression and a click once, and no click without an impression, in either
   * order.
   */
  #card(event: WatchRow): Partial<Sums> {
    const state = this.#session(event);
    const { shown, followed } = state;
    if (event.kind === 'IMPRESSION') {
      if (!shown) state.variant_id = event.detail;
      state.shown = true;
    } else state.followed = true;
    const impressions = state.shown && !shown ? 1 : 0;
    const clicks = state.shown && state.followed && !(shown && followed) ? 1 : 0;
    if (state.variant_id !== null) this.#variant(state.variant_id, event.viewer, { impressions, clicks });
    return { impressions, clicks };
  }

  #variant(id: string, viewer: string, { impressions, clicks }: Pick<Sums, 'impressions' | 'clicks'>): void {
    if (impressions + clicks === 0) return;
    const sums = entry(this.#variants, id, () => ({ variant_id: id, impressions: 0, clicks: 0 }));
    sums.impressions += impressions;
    sums.clicks += clicks;
    if (clicks > 0) this.#followers.set(key(id, viewer), { variant_id: id, viewer });
  }

  /** Whether this event turns its playback into a play: it has started, and enough was watched. */
  #becomesPlay(event: WatchRow, watched: number): boolean {
    const state = this.#session(event);
    state.started ||= event.kind === 'START';
    if (event.kind === 'START') state.source ??= event.detail;
    state.watched_ms += watched;
    if (state.played || !state.started || state.watched_ms === 0 || state.watched_ms < playAfterMs(event.durationMs))
      return false;
    state.played = true;
    return true;
  }

  #becomesView(event: WatchRow, source: string): boolean {
    const { contentId, viewer, occurredAtMs, channelId, country, device, os, browser } = event;
    const times = this.#timesOf(contentId, viewer);
    if (times.some((time) => Math.abs(time - occurredAtMs) < VIEW_WINDOW_MS)) return false;
    times.push(occurredAtMs);
    this.#views.push({
      content_id: contentId,
      channel_id: channelId,
      viewer,
      at: iso(occurredAtMs),
      country,
      device,
      os,
      browser,
      source,
    });
    return true;
  }

  #timesOf(contentId: string, viewer: string): number[] {
    return entry(this.#viewTimes, key(contentId, viewer), () => []);
  }

  #sum({ contentId, channelId, occurredAtMs, country, device, os, browser }: WatchRow, sums: Partial<Sums>): void {
    const measured = MEASURE_NAMES.filter((name) => sums[name]);
    if (measured.length === 0) return;
    const at = iso(Math.floor(occurredAtMs / QUARTER_MS) * QUARTER_MS);
    const day = at.slice(0, 10);
    const rows = [
      entry(this.#quarters, key(contentId, at, country, device, os, browser), () => ({
        ...{ content_id: contentId, channel_id: channelId, at, country, device, os, browser },
        ...noSums(),
      })),
      entry(this.#channels, key(channelId, at), () => ({ channel_id: channelId, at, ...noSums() })),
      entry(this.#days, key(contentId, day), () => ({
        content_id: contentId,
        channel_id: channelId,
        day,
        ...noSums(),
      })),
    ];
    for (const row of rows) for (const name of measured) row[name] += sums[name] ?? 0;
  }

  /**
   * Increments where a played range begins and decrements where it ends, in whole seconds; adjoining ranges cancel out.
   */
  #retain({ contentId, ranges }: WatchRow): void {
    ranges.forEach((ms, index) => {
      const second = Math.round(ms / 1000);
      const row = entry(this.#retention, key(contentId, second), () => ({ content_id: contentId, second, change: 0 }));
      row.change += index % 2 === 0 ? 1 : -1;
    });
  }

  #position(
    { contentId, kind, positionMs, durationMs, occurredAtMs }: WatchRow,
    accountId: string,
    watched: number,
  ): void {
    const at = iso(occurredAtMs);
    const row = entry(this.#positions, key(accountId, contentId), () => ({
      ...{ account_id: accountId, content_id: contentId, position_ms: positionMs, duration_ms: durationMs },
      ...{ watched_ms: 0, completed: false, updated_at: at },
    }));
    row.watched_ms += watched;
    row.completed ||= kind === 'COMPLETE' || (durationMs !== null && positionMs >= durationMs * COMPLETED_FROM);
    if (at < row.updated_at) return;
    row.position_ms = positionMs;
    row.duration_ms = durationMs;
    row.updated_at = at;
  }
}

function measuresOf(event: WatchRow, watched: number): Partial<Sums> {
  const { kind, valueMs } = event;
  const sums: Partial<Sums> = { watch_ms: watched };
  if (kind === 'START')
    Object.assign(sums, { starts: 1 }, valueMs === null ? {} : { startups: 1, startup_ms: valueMs });
  if (kind === 'REBUFFER') Object.assign(sums, { rebuffers: 1, rebuffer_ms: valueMs ?? 0 });
  if (kind === 'ERROR') sums.errors = 1;
  if (kind === 'COMPLETE') sums.completes = 1;
  return sums;
}

/** Milliseconds of a content that must be watched for a play. */
function playAfterMs(durationMs: number | null): number {
  return durationMs === null || durationMs === 0 ? PLAY_MS : Math.min(PLAY_MS, durationMs / 10);
}

function entry<Value>(map: Map<string, Value>, name: string, make: () => Value): Value {
  let value = map.get(name);
  if (value === undefined) {
    value = make();
    map.set(name, value);
  }
  return value;
}
