import { formatLocale, locale, plural, t } from './i18n.ts';

/** Formats of numbers and times. */

/** Seconds to `0:07`, `12:05` or `1:02:03`. */
export function clockTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = `${hours > 0 ? String(minutes).padStart(2, '0') : minutes}:${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

const SPOKEN = new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' });

/** Seconds to words for screen readers: `1 hour 2 minutes 3 seconds`. */
export function spokenTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const parts = [
    hours > 0 && plural(hours, { one: '# hour', other: '# hours' }),
    minutes > 0 && plural(minutes, { one: '# minute', other: '# minutes' }),
    (rest > 0 || whole === 0) && plural(rest, { one: '# second', other: '# seconds' }),
  ];
  return SPOKEN.format(parts.filter((part) => part !== false));
}

/** Bytes to `14.2 MB`, in powers of 1000 as storage is sold. */
export function byteSize(bytes: number): string {
  const rounded = Math.round(bytes);
  if (bytes < 999.5) return t`${rounded} B`;
  const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = value >= 99.95 ? 0 : 1;
  return new Intl.NumberFormat(formatLocale, {
    style: 'unit',
    unit: units[unit] ?? 'terabyte',
    unitDisplay: 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** An instant relative to now: `3 days ago`, `in 2 hours`, `just now`. */
export function ago(instant: string, nowMs: number): string {
  const seconds = (Date.parse(instant) - nowMs) / 1000;
  const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
    ['year', 31_557_600],
    ['month', 2_629_800],
    ['week', 604_800],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ];
  const step = steps.find(([, size]) => Math.abs(seconds) >= size);
  if (!step) return t`just now`;
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(seconds / step[1]), step[0]);
}

/** An instant as a calendar date: `20 November 2026`. */
export function calendarDate(instant: string): string {
  return new Intl.DateTimeFormat(formatLocale, { day: 'numeric', month: 'long', year: 'numeric' }).format(
    new Date(instant),
  );
}

/** An instant in local time: `20 Nov 2026, 10:00`. */
export function localInstant(instant: string): string {
  return new Intl.DateTimeFormat(formatLocale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant));
}

/** An instant as the value of a field for local times, to the minute. */
export function localInput(atMs: number): string {
  return new Date(atMs - new Date(atMs).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A file's name as a title: extension dropped, separators to spaces. */
export function titleFromFilename(filename: string): string {
  return filename
    .replace(/\.[^.]{1,5}$/, '')
    .replace(/[_.-]+/g, ' ')
    .trim()
    .slice(0, 120);
}

/** A count, abbreviated from 1,000: `999`, `1.2K`, `3M`. */
export function shortCount(count: number): string {
  return new Intl.NumberFormat(formatLocale, {
    notation: 'compact',
    maximumFractionDigits: count < 10_000 ? 1 : 0,
  }).format(count);
}

const UNITS = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });

/** Words in a row: `Drama, Comedy`. */
export const joined = (words: readonly string[]): string => UNITS.format(words);

/** A view count: `no views yet`, `1 view`, `1.2K views`. */
export const viewCountText = (count: number): string =>
  count === 0 ? t`no views yet` : plural(count, { one: '# view', other: '# views' }, shortCount(count));

/** A number of people who watch a stream: `1 watching now`, `1.2K watching now`. */
export const watchingCountText = (count: number): string =>
  plural(count, { one: '# watching now', other: '# watching now' }, shortCount(count));

/** A number of videos: `1 video`, `1.2K videos`. */
export const videoCountText = (count: number): string =>
  plural(count, { one: '# video', other: '# videos' }, shortCount(count));

/** A number of followers: `1 follower`, `1.2K followers`. */
export const followerCountText = (count: number): string =>
  plural(count, { one: '# follower', other: '# followers' }, shortCount(count));

/** An estimate as people say it: `about 3 minutes left`. */
export function timeLeft(seconds: number): string {
  if (seconds < 10) return t`a few seconds left`;
  const tens = Math.round(seconds / 10) * 10;
  if (seconds < 55) return plural(tens, { one: 'about # second left', other: 'about # seconds left' });
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 90) return plural(minutes, { one: 'about # minute left', other: 'about # minutes left' });
  const hours = Math.round(minutes / 60);
  return plural(hours, { one: 'about # hour left', other: 'about # hours left' });
}
