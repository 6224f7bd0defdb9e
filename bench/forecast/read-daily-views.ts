/** A video of a file: its views per day from its first day. */
export interface FileVideo {
  readonly name: string;
  readonly daily: readonly number[];
  /** Weekday of the first day, 0 Monday; null where days are numbers. */
  readonly weekday: number | null;
  /** Days in between without a row. */
  readonly missingDays: number;
}

export interface DailyViews {
  readonly videos: readonly FileVideo[];
  /** What days without a row mean: 0 views in a file that has no row with 0, and otherwise not measured. */
  readonly missing: 'ZERO' | 'NOT_MEASURED';
}

/** Column names, in small letters without separators. */
const NAMES = {
  video: ['video', 'videoid', 'id', 'content', 'contentid'],
  day: ['day', 'date', 'dayindex', 'daynumber'],
  views: ['views', 'view', 'viewcount', 'dailyviews', 'count'],
} as const;
type Column = keyof typeof NAMES;
const COLUMNS = ['video', 'day', 'views'] as const;
const DAY_MS = 86_400_000;
/** Longer gaps come from a wrong day. */
const MAX_DAYS = 5_000;

interface Cell {
  readonly views: number;
  readonly line: number;
}

/**
 * Reads a CSV file with the columns video, day (a number, or a date) and views (those of the day, a whole number), in
 * any order of columns and rows, separated by commas, semicolons or tabs. Throws an Error that names the line.
 */
export function readDailyViews(text: string): DailyViews {
  const lines = text.replace(/^\u{FEFF}/u, '').split(/\r\n|\n|\r/);
  const header = lines[0] ?? '';
  const separator = [',', ';', '\t'].find((each) => header.includes(each)) ?? ',';
  const columns = columnsOf(splitLine(header, separator, 1));
  const byVideo = new Map<string, Map<number, Cell>>();
  let days: 'NUMBERS' | 'DATES' | null = null;
  for (const [index, text] of lines.entries()) {
    if (index === 0 || text.trim() === '') continue;
    const line = index + 1;
    const cells = splitLine(text, separator, line);
    const [name, dayText, viewsText] = COLUMNS.map((column) => cells[columns[column]]?.trim() ?? '');
    if (!name) throw new Error(`Line ${line}: the name of the video is empty.`);
    const { day, kind } = readDay(dayText!, line);
    if (days !== null && kind !== days) throw new Error(`Line ${line}: the file mixes dates and numbers of days.`);
    days = kind;
    const views = readViews(viewsText!, line);
    const own = byVideo.get(name) ?? new Map<number, Cell>();
    const before = own.get(day);
    if (before) throw new Error(`Line ${line}: video "${name}" has this day in line ${before.line} already.`);
    own.set(day, { views, line });
    byVideo.set(name, own);
  }
  if (byVideo.size === 0) throw new Error('Line 2: the file has no rows.');
  return collect(byVideo, days === 'DATES');
}

function splitLine(text: string, separator: string, line: number): string[] {
  if (!text.includes('"')) return text.split(separator);
  const cells: string[] = [];
  let rest = text;
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest);
    const end = quoted ? quoted[0].length : rest.indexOf(separator);
    if (quoted && end < rest.length && !rest.startsWith(separator, end))
      throw new Error(`Line ${line}: there is text after a closing quotation mark.`);
    cells.push(quoted ? quoted[1]!.replaceAll('""', '"') : end < 0 ? rest : rest.slice(0, end));
    if (end < 0 || end >= rest.length) return cells;
    rest = rest.slice(end + separator.length);
  }
}

function columnsOf(header: readonly string[]): Record<Column, number> {
  const plain = header.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ''));
  const found = COLUMNS.map((column) => {
    const index = plain.findIndex((name) => (NAMES[column] as readonly string[]).includes(name));
    if (index < 0)
      throw new Error(
        `Line 1: there is no column "${column}". It has: ${header.map((name) => name.trim()).join(', ')}.`,
      );
    return [column, index];
  });
  return Object.fromEntries(found) as Record<Column, number>; // one for each
}

function readDay(text: string, line: number): { day: number; kind: 'NUMBERS' | 'DATES' } {
  if (/^\d{1,6}(\.0+)?$/.test(text)) return { day: Number(text), kind: 'NUMBERS' };
  const date = /^(\d{4}-\d{2}-\d{2})([T ][\d:.]+(Z|[+-]00:?00)?)?$/.exec(text)?.[1];
  const ms = date === undefined ? Number.NaN : Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date)
    throw new Error(`Line ${line}: the day "${text}" is neither a number from 0 nor a date like 2026-11-23.`);
  return { day: ms / DAY_MS, kind: 'DATES' };
}

function readViews(text: string, line: number): number {
  const views = /^\d+(\.0+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(views)) return views;
  throw new Error(`Line ${line}: views are "${text}", not a whole number from 0.`);
}

function collect(byVideo: ReadonlyMap<string, ReadonlyMap<number, Cell>>, dates: boolean): DailyViews {
  const firsts = [...byVideo.values()].map((own) => Math.min(...own.keys()));
  const lowest = firsts.reduce((least, first) => Math.min(least, first));
  // Numbers count from the same first day, unless most videos begin later: then they are days of a calendar.
  const common = !dates && firsts.filter((first) => first === lowest).length * 2 >= firsts.length ? lowest : null;
  const hasZeros = [...byVideo.values()].some((own) => [...own.values()].some(({ views }) => views === 0));
  const videos = [...byVideo].map(([name, own], index): FileVideo => {
    const first = common ?? firsts[index]!;
    const last = Math.max(...own.keys());
    if (last - first > MAX_DAYS)
      throw new Error(`Line ${own.get(last)!.line}: video "${name}" has more than ${MAX_DAYS} days.`);
    const found = Array.from({ length: last - first + 1 }, (_, day) => own.get(first + day)?.views ?? null);
    return {
      name,
      daily: hasZeros ? interpolated(found) : found.map((views) => views ?? 0),
      // The first of January 1970 was a Thursday.
      weekday: dates ? (first + 3) % 7 : null,
      missingDays: found.filter((views) => views === null).length,
    };
  });
  return { videos, missing: hasZeros ? 'NOT_MEASURED' : 'ZERO' };
}

/** Days that were not measured, on a line between the logarithms of their neighbours. */
function interpolated(found: readonly (number | null)[]): number[] {
  const known = found.flatMap((views, day) => (views === null ? [] : [day]));
  return found.map((views, day) => {
    if (views !== null) return views;
    const after = known.findIndex((each) => each > day);
    const to = known[after]!; // the last day is known
    const from = known[after - 1] ?? to;
    const share = from === to ? 0 : (day - from) / (to - from);
    return Math.expm1((1 - share) * Math.log1p(found[from]!) + share * Math.log1p(found[to]!));
  });
}
