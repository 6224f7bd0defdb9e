import type { SearchVariables } from '../../gql/generated/operations.gen.ts';
import { oneOf, singleParam } from '../../lib/url.ts';

/** The search as given in the URL. */
export interface SearchParams {
  readonly q?: string;
  readonly type?: SearchTab;
  readonly length?: 'short' | 'medium' | 'long';
  readonly date?: 'day' | 'week' | 'month' | 'year';
  /** Slug of a category. */
  readonly category?: string;
  /** BCP 47 tag. */
  readonly language?: string;
}

export const SEARCH_TABS = ['videos', 'series', 'channels', 'playlists'] as const;
export type SearchTab = (typeof SEARCH_TABS)[number];

const TYPES = { videos: 'CONTENT', series: 'CONTENT', channels: 'CHANNEL', playlists: 'PLAYLIST' } as const;
const LONGEST_QUERY = 200;
const HOUR_MS = 3_600_000;
const AGES_MS = {
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
  year: 365 * 24 * HOUR_MS,
} as const;

/** Reads the search from the URL; invalid values are dropped. */
export function readSearchParams(search: Record<string, unknown>): SearchParams {
  const text = <Name extends 'q' | 'category' | 'language'>(
    name: Name,
    longest: number,
  ): { [name in Name]?: string } => {
    // The router reads 1984 as a number.
    const value = typeof search[name] === 'number' ? String(search[name]) : search[name];
    const given = typeof value === 'string' ? value.trim().slice(0, longest) : '';
    return given === '' ? {} : singleParam(name, given);
  };
  return {
    ...text('q', LONGEST_QUERY),
    ...oneOf('type', search.type, SEARCH_TABS),
    ...oneOf('length', search.length, ['short', 'medium', 'long']),
    ...oneOf('date', search.date, ['day', 'week', 'month', 'year']),
    ...text('category', 60),
    ...text('language', 35),
  };
}

/**
 * Query variables for a search; null without a query. `categories` are those of the server. Dates are rounded to the
 * hour, so that the same search is the same request.
 */
export function searchVariables(
  params: SearchParams,
  categories: readonly { readonly id: string; readonly slug: string }[],
  nowMs: number,
): SearchVariables | null {
  if (!params.q) return null;
  const category = categories.find(({ slug }) => slug === params.category);
  const filter = {
    ...(params.type === 'videos' ? { kinds: ['FEATURE', 'SHORT', 'EPISODE', 'STREAM'] as const } : {}),
    ...(params.type === 'series' ? { kinds: ['SERIES', 'SEASON', 'MINISERIES'] as const } : {}),
    ...(params.length ? { length: ({ short: 'SHORT', medium: 'MEDIUM', long: 'LONG' } as const)[params.length] } : {}),
    ...(params.date
      ? { publishedAfter: new Date(Math.floor(nowMs / HOUR_MS) * HOUR_MS - AGES_MS[params.date]).toISOString() }
      : {}),
    ...(category ? { categories: [category.id] } : {}),
    ...(params.language ? { language: params.language } : {}),
  };
  return {
    query: params.q,
    types: params.type ? [TYPES[params.type]] : null,
    filter: Object.keys(filter).length > 0 ? filter : null,
  };
}

/** The number of active filters. */
export const filtersSet = ({ length, date, category, language }: SearchParams): number =>
  [length, date, category, language].filter(Boolean).length;
