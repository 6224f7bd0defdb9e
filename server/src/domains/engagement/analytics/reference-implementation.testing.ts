/** Reference implementation of analytics, computed directly from every raw event; used by analytics.test.ts. */

export interface RawEvent {
  readonly session_id: string;
  readonly kind: string;
  readonly content_id: string;
  readonly viewer: string;
  readonly occurred_at: string;
  readonly country: string;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
  readonly duration_ms: number | null;
  readonly ranges: number[];
  readonly value_ms: number | null;
}

export interface View extends RawEvent {
  readonly atMs: number;
}

const lengthOf = ({ ranges }: RawEvent) => ranges.reduce((sum, ms, index) => sum + (index % 2 === 0 ? -ms : ms), 0);

/** Plays and views of events in the order in which they were read. */
export function countViews(events: readonly RawEvent[]): { plays: View[]; views: View[] } {
  const plays: View[] = [];
  const views: View[] = [];
  const seen = new Map<string, { started: boolean; watched: number; counted: boolean }>();
  for (const event of events) {
    const name = `${event.session_id} ${event.content_id}`;
    const session = seen.get(name) ?? { started: false, watched: 0, counted: false };
    seen.set(name, session);
    if (event.kind === 'START') session.started = true;
    session.watched += lengthOf(event);
    const enough = event.duration_ms ? Math.min(3_000, event.duration_ms / 10) : 3_000;
    if (session.counted || !session.started || session.watched < enough) continue;
    session.counted = true;
    const view = { ...event, atMs: Date.parse(event.occurred_at) };
    plays.push(view);
    const same = views.filter((other) => other.viewer === view.viewer && other.content_id === view.content_id);
    if (same.every((other) => Math.abs(other.atMs - view.atMs) >= 1_800_000)) views.push(view);
  }
  return { plays, views };
}

/**
 * Impressions and clicks of events in the order in which they were read: of each visit and content the first, and no
 * click without an impression.
 */
export function countCards(events: readonly RawEvent[]): { impressions: View[]; clicks: View[] } {
  const visits = Map.groupBy(events, (event) => `${event.session_id} ${event.content_id}`);
  const first = [...visits.values()].map((visit) => [
    visit.findIndex(({ kind }) => kind === 'IMPRESSION'),
    visit.findIndex(({ kind }) => kind === 'CLICK'),
    visit,
  ]) as [number, number, RawEvent[]][]; // as made here
  const view = (event: RawEvent | undefined): View[] =>
    event ? [{ ...event, atMs: Date.parse(event.occurred_at) }] : [];
  const shown = first.filter(([impression]) => impression >= 0);
  return {
    impressions: shown.flatMap(([impression, , visit]) => view(visit[impression])),
    clicks: shown.flatMap(([impression, click, visit]) => (click < 0 ? [] : view(visit[Math.max(impression, click)]))),
  };
}

export const watchMs = (events: readonly RawEvent[]) => events.reduce((sum, event) => sum + lengthOf(event), 0);

/** How many ranges cover each second, checking every range for every second. */
export function watchedSeconds(events: readonly RawEvent[]): number[] {
  const spans = events.flatMap(({ ranges }) =>
    ranges.flatMap((from, index) =>
      index % 2 === 0 ? [[Math.round(from / 1000), Math.round((ranges[index + 1] ?? 0) / 1000)] as const] : [],
    ),
  );
  const end = Math.max(0, ...spans.filter(([from, to]) => to > from).map(([, to]) => to));
  return Array.from({ length: end }, (_, second) => spans.filter(([from, to]) => from <= second && second < to).length);
}

/** Calendar of a time zone, from Intl. */
export function calendar(zone: string) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  /** The wall clock at an instant, as if it were UTC. */
  const wall = (ms: number): number => {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second) + (ms % 1000);
  };
  /** The instant at which the wall clock shows this. */
  const instant = (wallMs: number): number => {
    const first = wallMs - (wall(wallMs) - wallMs);
    return wallMs - (wall(first) - first);
  };
  const midnight = (wallMs: number): number => Math.floor(wallMs / 86_400_000) * 86_400_000;
  const begin = (wallMs: number, unit: 'DAY' | 'WEEK' | 'MONTH'): number => {
    const day = new Date(midnight(wallMs));
    if (unit === 'WEEK') return day.getTime() - ((day.getUTCDay() + 6) % 7) * 86_400_000;
    return unit === 'MONTH' ? Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1) : day.getTime();
  };
  const next = (wallMs: number, unit: 'DAY' | 'WEEK' | 'MONTH'): number => {
    const day = new Date(wallMs);
    if (unit === 'MONTH') return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
    return wallMs + (unit === 'WEEK' ? 7 : 1) * 86_400_000;
  };
  return {
    /** The last `days` days until `nowMs`, and the same number of days before. */
    lastDays(days: number, nowMs: number) {
      const first = midnight(wall(nowMs)) - (days - 1) * 86_400_000;
      const before = wall(nowMs) - days * 86_400_000;
      return {
        from: instant(first),
        to: quarterAfter(nowMs),
        previousFrom: instant(first - days * 86_400_000),
        previousTo: quarterAfter(instant(before)),
      };
    },
    /** Days, weeks or months of a period, the first and last cut by it. */
    buckets(from: number, to: number, unit: 'DAY' | 'WEEK' | 'MONTH') {
      const found: { at: number; until: number }[] = [];
      for (let at = begin(wall(from), unit); instant(at) < to; at = next(at, unit)) {
        found.push({ at: Math.max(from, instant(at)), until: Math.min(to, instant(next(at, unit))) });
      }
      return found;
    },
  };
}

const quarterAfter = (ms: number): number => Math.ceil(ms / 900_000) * 900_000;
