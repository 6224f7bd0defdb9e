const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i;
/** Indices of the time separators in `2026-11-20T10:00:00.000Z`: T : : . Z */
const SEPARATORS = [
  [10, 84],
  [13, 58],
  [16, 58],
  [19, 46],
  [23, 90],
] as const;

/** The last parsed day, and its start. */
let lastDay = '';
let lastDayMs = Number.NaN;

/**
 * Unix milliseconds of an ISO 8601 instant with a time zone; NaN for anything else. The format of Date.toISOString is
 * parsed by digits when the day is the last parsed one: this takes a fifth of the time, and the events of a request are
 * usually of one day.
 */
export function parseInstant(text: string): number {
  if (text.length === 24 && lastDay !== '' && text.startsWith(lastDay)) {
    const ms = timeOfDay(text);
    if (ms !== -1) return lastDayMs + ms;
  }
  if (!INSTANT.test(text)) return Number.NaN;
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) {
    lastDay = text.slice(0, 10);
    lastDayMs = Date.parse(lastDay);
  }
  return ms;
}

/** Milliseconds since midnight of a text that ends like `T10:00:00.000Z`; -1 for others. */
function timeOfDay(text: string): number {
  for (const [at, code] of SEPARATORS) if (text.charCodeAt(at) !== code) return -1;
  const hours = digits(text, 11, 13);
  const minutes = digits(text, 14, 16);
  const seconds = digits(text, 17, 19);
  const ms = digits(text, 20, 23);
  if (hours > 23 || minutes > 59 || seconds > 59 || Math.min(hours, minutes, seconds, ms) < 0) return -1;
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
}

/** The decimal number between `start` and `end`; negative for non-digits. */
function digits(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}
