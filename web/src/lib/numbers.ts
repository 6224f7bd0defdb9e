import { formatLocale, locale, t } from './i18n.ts';

/** Formats of quantities in analytics. */
const whole = new Intl.NumberFormat(formatLocale, { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat(formatLocale, { notation: 'compact', maximumFractionDigits: 1 });
const tenth = new Intl.NumberFormat(formatLocale, { maximumFractionDigits: 1 });

/** An integer: `1,234`. */
export const count = (value: number): string => whole.format(value);

/** The same, abbreviated: `1.2K`. */
export const shortCount = (value: number): string =>
  Math.abs(value) < 10_000 ? tenth.format(value) : short.format(value);

function secondsText(value: number): string {
  const seconds = tenth.format(value);
  return t`${seconds} s`;
}

/** Minutes as a duration: `40 s`, `12 min`, `3 h 5 min`, `65 h`. */
export function minutes(value: number): string {
  if (value > 0 && value < 1) return secondsText(Math.max(1, Math.round(value * 60)));
  const all = Math.round(value);
  if (all < 60) return t`${all} min`;
  const [hours, rest] = [Math.floor(all / 60), all % 60];
  if (hours < 10 && rest > 0) return t`${hours} h ${rest} min`;
  const rounded = whole.format(Math.round(all / 60));
  return t`${rounded} h`;
}

/** A fraction from 0 to 1 as a percentage: `12.5%`. */
export function percent(share: number): string {
  return new Intl.NumberFormat(formatLocale, {
    style: 'percent',
    maximumFractionDigits: Math.abs(share) < 0.1 ? 1 : 0,
  }).format(share);
}

/** A signed change in the given format: `+12`, `−3`, `±0`. */
export function signed(value: number, format: (value: number) => string = count): string {
  const size = format(Math.abs(value));
  if (value === 0) return `±${size}`;
  return value > 0 ? `+${size}` : `−${size}`;
}

/** A latency in milliseconds: `320 ms`, `1.4 s`. */
export const latency = (ms: number): string => (ms < 1000 ? t`${whole.format(ms)} ms` : secondsText(ms / 1000));

const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });

/** Name of a country by its ISO 3166-1 code; `ZZ` is unknown. */
export function countryName(code: string): string {
  if (code === 'ZZ' || !/^[A-Z]{2}$/.test(code)) return t`Unknown`;
  return countries.of(code) ?? code;
}
