import type { AnalyticsGranularity, AnalyticsRange } from '../../../gql/generated/operations.gen.ts';
import { formatLocale, plural, t } from '../../../lib/i18n.ts';
import { DEFAULT_RANGE, type PeriodSearch } from './period-search.ts';

const lastDays = (days: number): string => plural(days, { one: '# day', other: '# days' });

/** Labels of the periods. */
export const RANGES: Readonly<Record<AnalyticsRange, string>> = {
  LAST_7D: lastDays(7),
  LAST_28D: lastDays(28),
  LAST_30D: lastDays(30),
  LAST_90D: lastDays(90),
  MTD: t`This month`,
  YTD: t`This year`,
  CUSTOM: t`Custom`,
};

/** The period as an API argument. */
export interface Period {
  readonly range: AnalyticsRange;
  readonly from: string | null;
  readonly to: string | null;
}

const DAY_MS = 86_400_000;

/** The API argument for a period, with days that start at midnight in the channel's time zone. */
export function periodOf({ range = DEFAULT_RANGE, from, to }: PeriodSearch, timeZone: string): Period {
  if (range !== 'CUSTOM' || from === undefined || to === undefined) return { range, from: null, to: null };
  return { range, from: midnight(from, timeZone).toISOString(), to: midnight(dayAfter(to), timeZone).toISOString() };
}

/** The day after a day. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/** The day of an instant in a time zone. */
export function dayOf(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    instant,
  );
}

/** When a day starts in a time zone: at midnight, or at the first instant after it where the clock skips midnight. */
export function midnight(day: string, timeZone: string): Date {
  const wall = Date.parse(day);
  const [before, after] = [wall - offsetMs(wall - DAY_MS, timeZone), wall - offsetMs(wall + DAY_MS, timeZone)];
  const candidates = [before, after].sort((a, b) => a - b);
  const begun = candidates.find((at) => at + offsetMs(at, timeZone) === wall);
  return new Date(begun ?? leap(candidates, day, timeZone));
}

/** For days without midnight: the first quarter of an hour of the day. */
function leap([first = 0, last = 0]: readonly number[], day: string, timeZone: string): number {
  for (let at = first - DAY_MS / 24; at <= last; at += 900_000) if (dayOf(new Date(at), timeZone) === day) return at;
  return last;
}

/** The UTC offset of a time zone at an instant. */
function offsetMs(at: number, timeZone: string): number {
  const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const [, sign = '+', hours = '0', rest = '0'] =
    /GMT([+-])(\d+):?(\d+)?/.exec(name.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(rest)) * 60_000;
}

/** The default granularity of a chart for a period. */
export function usualGranularity({ range = DEFAULT_RANGE, from, to }: PeriodSearch): AnalyticsGranularity {
  if (range === 'YTD') return 'WEEK';
  if (range !== 'CUSTOM' || from === undefined || to === undefined) return 'DAY';
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (days > 400) return 'MONTH';
  return days > 120 ? 'WEEK' : 'DAY';
}

/** The label of a day, week or month; `long` for tooltips and tables, otherwise for axes. */
export function pointName(at: string, granularity: AnalyticsGranularity, timeZone: string, long: boolean): string {
  const options: Intl.DateTimeFormatOptions =
    granularity === 'MONTH'
      ? { month: long ? 'long' : 'short', year: 'numeric' }
      : {
          day: 'numeric',
          month: 'short',
          ...(long && { weekday: granularity === 'DAY' ? 'short' : undefined, year: 'numeric' }),
        };
  const date = new Intl.DateTimeFormat(formatLocale, { ...options, timeZone }).format(new Date(at));
  return long && granularity === 'WEEK' ? t`Week of ${date}` : date;
}

/** `20 Oct – 16 Nov 2026`: the label of a period with an exclusive end. */
export function spanName(from: string, to: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat(formatLocale, { day: 'numeric', month: 'short', year: 'numeric', timeZone });
  return format.formatRange(new Date(from), new Date(Date.parse(to) - 1));
}
