import type { AnalyticsRange } from '../../../gql/generated/operations.gen.ts';

/** The period in the URL. `from` and `to` are days (2026-11-20), both included in a CUSTOM period. */
export interface PeriodSearch {
  readonly range?: AnalyticsRange;
  readonly from?: string;
  readonly to?: string;
}

export const DEFAULT_RANGE: AnalyticsRange = 'LAST_28D';
/** Those that are named in the URL. */
const NAMED = /^(?:LAST_(?:7D|30D|90D)|MTD|YTD)$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const isDay = (text: unknown): text is string =>
  typeof text === 'string' && DAY.test(text) && !Number.isNaN(Date.parse(text));

/** Reads a period from search parameters; invalid values are dropped. */
export function readPeriod({ range, from, to }: Record<string, unknown>): PeriodSearch {
  if (range === 'CUSTOM') return isDay(from) && isDay(to) && from <= to ? { range, from, to } : {};
  return typeof range === 'string' && NAMED.test(range) ? { range: range as AnalyticsRange } : {};
}
