import type {
  ChannelContentSort,
  ContentKind,
  ContentStatus,
  Visibility,
} from '../../../gql/generated/operations.gen.ts';
import { oneOf, singleParam } from '../../../lib/url.ts';
import { VIDEO_KINDS } from '../kinds/kind-lists.ts';

export const STATUSES = ['DRAFT', 'PROCESSING', 'READY', 'FAILED', 'PUBLISHED'] as const satisfies ContentStatus[];
export const VISIBILITIES = ['PUBLIC', 'UNLISTED', 'PRIVATE'] as const satisfies Visibility[];
export const SORTS = [
  'NEWEST',
  'OLDEST',
  'TITLE',
  'TITLE_REVERSED',
  'MOST_VIEWED',
  'LEAST_VIEWED',
  'MOST_COMMENTED',
  'LEAST_COMMENTED',
  'MOST_LIKED',
  'LEAST_LIKED',
] as const satisfies ChannelContentSort[];

/** What a list of videos shows, as in the address of the page. */
export interface ListSearch {
  readonly kind?: ContentKind;
  readonly status?: ContentStatus;
  readonly visibility?: Visibility;
  /** A part of the title. */
  readonly q?: string;
  /** The newest first, if there is none. */
  readonly sort?: ChannelContentSort;
}

const LONGEST_QUERY = 200;

/** Reads it from search parameters; what is not valid is dropped. */
export function readListSearch(search: Record<string, unknown>): ListSearch {
  const query = typeof search.q === 'string' ? search.q.trim().slice(0, LONGEST_QUERY) : '';
  return {
    ...oneOf('kind', search.kind, VIDEO_KINDS),
    ...oneOf('status', search.status, STATUSES),
    ...oneOf('visibility', search.visibility, VISIBILITIES),
    ...oneOf('sort', search.sort, SORTS),
    ...(query && singleParam('q', query)),
  };
}

/** The same as variables of the query. What is not published is neither public nor unlisted, as the rows say. */
export function listVariables({ kind, status, visibility, q, sort }: ListSearch) {
  const shown = visibility === 'PUBLIC' || visibility === 'UNLISTED' ? 'PUBLISHED' : undefined;
  const state = status ?? shown;
  return {
    kinds: kind ? [kind] : VIDEO_KINDS,
    statuses: state ? [state] : null,
    visibilities: visibility ? [visibility] : null,
    query: q ?? null,
    ...(sort && { sort }),
  };
}

/** Whether anything is left out. */
export function isFiltered({ kind, status, visibility, q }: ListSearch): boolean {
  return (kind ?? status ?? visibility ?? q) !== undefined;
}
