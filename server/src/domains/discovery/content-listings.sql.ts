import type { ArgScope, ArgShape, FieldCost, RequestEnv } from '../../gql/index.ts';
import { CONTENT_KIND_NAMES } from '../../kernel/content-kinds.ts';
import { readLanguageTag } from '../../kernel/language-tags.ts';
import { readText } from '../../kernel/text.ts';
import { streamsInStates } from '../live/index.ts';
import { type FilterInput, readDurations, readIds, readPublished } from './search/filter-input.ts';
import {
  assignedCount,
  type ListedColumn,
  taxonomyFilterOf,
  taxonomyIds,
  withoutDuplicates,
} from './taxonomy-filter.sql.ts';

/** Maximum count of matches of a filter. */
export const MOST_COUNTED = 10_000;
const EVERYTHING = '00000000-0000-0000-0000-000000000000';
const MAX_QUERY = 200;

const listingColumns = (table: string, taxonomy: string) =>
  `(select l.content_id as listed_id, l.channel_id as listed_channel_id, l.kind as listed_kind,
    l.layout as listed_layout,
  l.language as listed_language, l.rating_id as listed_rating_id, l.name as listed_name,
    l.published_at as listed_published_at,
  l.duration_ms as listed_duration_ms, l.views as listed_views, l.likes as listed_likes,
    l.trend as listed_trend${taxonomy} from ${table} l)`;

/** The values that lists sort and filter by (see content_listings in the migrations), with prefixed names. */
export const CONTENT_LISTINGS = listingColumns('content_listings', '');
/** As above, with a row for each category and genre of a content. */
export const TAXONOMY_LISTINGS = listingColumns('content_listing_terms', ', l.term_id as listed_term_id');

/** SQL of the contents of such rows, with the values. */
export const withContents = (rows: string): string =>
  `select c.*, l.* from (${rows}) l join contents c on c.id = l.listed_id`;

/** The columns of a row of {@link CONTENT_LISTINGS} or {@link TAXONOMY_LISTINGS}. */
export const listingColumnOf =
  (child: string): ListedColumn =>
  (name) =>
    `${child}.listed_${name === 'content_id' ? 'id' : name}`;

/**
 * SQL conditions of the argument `filter`, for rows of {@link TAXONOMY_LISTINGS} where {@link taxonomyFilterOf} names a
 * filter; empty without a filter.
 */
export function filterConditions(column: ListedColumn, args: ArgScope): string[] {
  const given = (name: string) => args.given(`filter.${name}`);
  const read = (make: (filter: FilterInput) => unknown, cast: string) =>
    args.read('filter', (value) => make(value as FilterInput), cast); // as the schema declares it
  const id = column('content_id');
  const taxonomy = (name: 'categories' | 'genres', kind: 'category' | 'genre') =>
    taxonomyFilterOf(args) === name
      ? withoutDuplicates(column, taxonomyIds(args, name))
      : `exists (select 1 from content_${name} x where x.content_id ` +
        `= ${id} and x.${kind}_id = any(${taxonomyIds(args, name)}))`;
  const conditions: [boolean, () => string][] = [
    [given('kinds'), () => `${column('kind')} = any(${args.param('filter.kinds', 'text[]')})`],
    [given('channel'), () => `${column('channel_id')} = ${args.id('filter.channel', ['channel'])}`],
    [given('categories'), () => taxonomy('categories', 'category')],
    [given('genres'), () => taxonomy('genres', 'genre')],
    [given('ratings'), () => `${column('rating_id')} = any(${args.read('filter.ratings', readRatings, 'uuid[]')})`],
    [given('broadcastStates'), () => `${id} in ${streamsInStates(args.param('filter.broadcastStates', 'text[]'))}`],
    [given('language'), () => languageCondition(column('language'), args)],
    [given('layout'), () => `${column('layout')} = ${args.param('filter.layout')}`],
    [
      given('length') || given('minDurationMs'),
      () => `${column('duration_ms')} >= ${read((filter) => readDurations(filter, 'filter').minMs, 'bigint')}`,
    ],
    [
      given('length') || given('maxDurationMs'),
      () =>
        `${column('duration_ms')} <= ` +
        `coalesce(${read((filter) => readDurations(filter, 'filter').maxMs, 'bigint')}, 9223372036854775807)`,
    ],
    [given('length') || given('minDurationMs') || given('maxDurationMs'), () => `${column('duration_ms')} > 0`],
    [
      given('publishedAfter'),
      () => `${column('published_at')} >= ${read((filter) => readPublished(filter, 'filter').after, 'timestamptz')}`,
    ],
    [
      given('publishedBefore'),
      () => `${column('published_at')} < ${read((filter) => readPublished(filter, 'filter').before, 'timestamptz')}`,
    ],
    [
      given('query'),
      () =>
        `${id} in (select f.id from search_find(${args.read('filter.query', readQuery, 'text')},
          null, null, null, null, null) f)`,
    ],
  ];
  return conditions.filter(([applies]) => applies).map(([, condition]) => condition());
}

// As the schema declares it.
const readRatings = (ids: unknown, field: string, env: RequestEnv) => readIds(ids as string[], 'rating', field, env);

const readQuery = (text: unknown, field: string) =>
  readText(String(text), { field, maxLength: MAX_QUERY, required: true });

/** `en` matches en-GB too, `en-GB` only itself. */
function languageCondition(column: string, args: ArgScope): string {
  const tag = args.read('filter.language', (value, field) => readLanguageTag(String(value), field), 'text');
  return `(${column} = ${tag} or split_part(${column}, '-', 1) = ${tag})`;
}

const TAXONOMY = ['categories', 'genres'];
const UNCOUNTED = [
  'ratings',
  'broadcastStates',
  'language',
  'layout',
  'length',
  'minDurationMs',
  'maxDurationMs',
  'publishedAfter',
  'publishedBefore',
  'query',
];

/** Whether the argument `filter` has no index in this order, so that the list is scanned until a page is full. */
function walks(args: ArgShape): boolean {
  const given = (name: string) => args.given(`filter.${name}`);
  if (UNCOUNTED.some(given)) return true;
  if (given('channel')) return args.literal('sort') !== 'NEWEST' || TAXONOMY.some(given);
  return TAXONOMY.every(given) || (taxonomyFilterOf(args) !== null && given('kinds'));
}

const isMerged = (args: ArgShape): boolean =>
  taxonomyFilterOf(args) !== null || (args.given('filter.channel') && args.given('filter.kinds'));

/**
 * The cost of the argument `filter`: with several categories all matches are counted, and a scanned list may be read to
 * its end.
 */
export const FILTER_COST: FieldCost = [
  { points: 25, if: { applies: isMerged, when: 'with categories, genres or a channel and kinds' } },
  {
    points: 100,
    if: {
      applies: walks,
      when:
        'with a language, layout, length, duration, rating, date, query or states of broadcasts, with a channel in ' +
        'another order than NEWEST, and with categories or genres beside kinds or each other',
    },
  },
];

/**
 * SQL of the number of contents that match the argument `filter`: from counters if it has at most kinds and a channel,
 * a category or a genre, otherwise by counting up to {@link MOST_COUNTED}.
 */
export function filteredTotal(args: ArgScope): string {
  const given = (names: readonly string[]) => names.filter((name) => args.given(`filter.${name}`));
  const taxonomy = taxonomyFilterOf(args);
  const isCounted = given(UNCOUNTED).length === 0 && given(TAXONOMY).length === (taxonomy ? 1 : 0);
  if (!isCounted) return counted(args, taxonomy ? taxonomyIds(args, taxonomy) : undefined);
  // A created placeholder must be used.
  const kinds = args.given('filter.kinds') ? `(select distinct unnest(${args.param('filter.kinds', 'text[]')}))` : null;
  if (!taxonomy)
    return listedCount(kinds, args.given('filter.channel') ? args.id('filter.channel', ['channel']) : null);
  const ids = taxonomyIds(args, taxonomy);
  return (
    `(case when cardinality(${ids}) = 1 then ` +
    `${assignedCount(kinds, `(${ids})[1]`)} else ${counted(args, ids)} end)`
  );
}

/** SQL that counts the matches of the filter, under `taxonomyIds` where it is read from taxonomy listings. */
function counted(args: ArgScope, taxonomyIds?: string): string {
  const conditions = filterConditions((name) => `l.${name}`, args).join(' and ');
  const from = taxonomyIds
    ? `content_listing_terms l where l.term_id = any(${taxonomyIds}) and`
    : 'content_listings l where';
  return `(select count(*)::int from (select 1 from ${from} ${conditions} limit ${MOST_COUNTED}) x)`;
}

const ALL_KINDS = `unnest(array[${CONTENT_KIND_NAMES.map((kind) => `'${kind}'`).join(', ')}])`;

/**
 * SQL of the number of listed contents, of these kinds (a relation with one column) or all, in one channel or in all.
 */
export function listedCount(kinds: string | null, channel: string | null): string {
  const counter =
    channel === null
      ? `counter_value('listed:' || k.kind, '${EVERYTHING}')`
      : `counter_value('channel:listed:' || k.kind, ${channel})`;
  return `(select coalesce(sum(${counter}), 0)::bigint from ${kinds ?? ALL_KINDS} k (kind))`;
}

/**
 * SQL of the number of listed contents of the channels in a relation with one column; uses the index
 * counters_channel_listed.
 */
export function listedCountOf(channels: string): string {
  return `(select coalesce(sum(n.value), 0)::bigint from (${channels}) w (channel_id)
    join counters n on n.scope like 'channel:listed:%' and n.scope <> 'channel:listed:PLAYLIST'
      and n.key = w.channel_id)`;
}
