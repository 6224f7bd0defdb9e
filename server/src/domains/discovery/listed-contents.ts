import type { ArgScope } from '../../gql/index.ts';
import { CONTENT_KIND_NAMES } from '../../kernel/content-kinds.ts';
import { readText } from '../../kernel/text.ts';
import { type FilterInput, readDurations, readIds, readLanguage, readPublished } from './filter-input.ts';

/** Matches of an arbitrary filter are counted up to here. */
export const MOST_COUNTED = 10_000;
const EVERYTHING = '00000000-0000-0000-0000-000000000000';
const MAX_QUERY = 200;

/** Contents with the values that lists sort and filter by (see listed_contents in the migrations), under names of their own. */
export const LISTED_CONTENTS = `(select c.*, l.content_id as listed_id, l.channel_id as listed_channel_id, l.kind as listed_kind, l.layout as listed_layout,
  l.language as listed_language, l.rating_id as listed_rating_id, l.name as listed_name, l.published_at as listed_published_at,
  l.duration_ms as listed_duration_ms, l.views as listed_views, l.likes as listed_likes, l.trend as listed_trend
  from listed_contents l join contents c on c.id = l.content_id)`;

/** Names a column of listed_contents. */
export type ListedColumn = (name: string) => string;

/** The columns of a row of {@link LISTED_CONTENTS}. */
export const listedColumnOf =
  (child: string): ListedColumn =>
  (name) =>
    `${child}.listed_${name === 'content_id' ? 'id' : name}`;

/** SQL conditions of the argument `filter`; none where nothing is given. */
export function filterConditions(column: ListedColumn, args: ArgScope): string[] {
  const given = (name: string) => args.given(`filter.${name}`);
  const read = (make: (filter: FilterInput) => unknown, cast: string) => args.read('filter', (value) => make(value as FilterInput), cast); // as the schema declares it
  const id = column('content_id');
  const taxonomy = (name: 'categories' | 'genres', kind: 'category' | 'genre') =>
    `exists (select 1 from content_${name} x where x.content_id = ${id} and x.${kind}_id = any(${args.read(`filter.${name}`, (ids, field, env) => readIds(ids as string[], kind, field, env), 'uuid[]')}))`;
  const conditions: [boolean, () => string][] = [
    [given('kinds'), () => `${column('kind')} = any(${args.param('filter.kinds', 'text[]')})`],
    [given('channel'), () => `${column('channel_id')} = ${args.did('filter.channel', ['channel'])}`],
    [given('categories'), () => taxonomy('categories', 'category')],
    [given('genres'), () => taxonomy('genres', 'genre')],
    [
      given('ratings'),
      () =>
        `${column('rating_id')} = any(${args.read('filter.ratings', (ids, field, env) => readIds(ids as string[], 'rating', field, env), 'uuid[]')})`,
    ],
    [given('language'), () => languageCondition(column('language'), args)],
    [given('layout'), () => `${column('layout')} = ${args.param('filter.layout')}`],
    [
      given('length') || given('minDuration'),
      () => `${column('duration_ms')} >= ${read((filter) => readDurations(filter, 'filter').minMs, 'bigint')}`,
    ],
    [
      given('length') || given('maxDuration'),
      () =>
        `${column('duration_ms')} <= coalesce(${read((filter) => readDurations(filter, 'filter').maxMs, 'bigint')}, 9223372036854775807)`,
    ],
    [given('length') || given('minDuration') || given('maxDuration'), () => `${column('duration_ms')} > 0`],
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
        `${id} in (select f.id from search_find(${args.read('filter.query', (text, field) => readText(String(text), { field, maxLength: MAX_QUERY, required: true }), 'text')}, null, null, null, null, null) f)`,
    ],
  ];
  return conditions.filter(([applies]) => applies).map(([, condition]) => condition());
}

/** `en` fits en-GB too, `en-GB` only itself. */
function languageCondition(column: string, args: ArgScope): string {
  const tag = args.read('filter.language', (value, field) => readLanguage(String(value), field), 'text');
  return `(${column} = ${tag} or split_part(${column}, '-', 1) = ${tag})`;
}

const FILTERS_OF_COUNTERS = ['kinds', 'channel'];
const OTHER_FILTERS = [
  ...['categories', 'genres', 'ratings', 'language', 'layout', 'length', 'minDuration', 'maxDuration'],
  ...['publishedAfter', 'publishedBefore', 'query'],
];

/**
 * SQL of how many contents the argument `filter` lets through: of maintained counters where it names at most kinds and a channel, otherwise by
 * counting up to {@link MOST_COUNTED}.
 */
export function filteredTotal(args: ArgScope): string {
  if (OTHER_FILTERS.some((name) => args.given(`filter.${name}`))) {
    const conditions = filterConditions((name) => `l.${name}`, args);
    return `(select count(*)::int from (select 1 from listed_contents l where ${conditions.join(' and ')} limit ${MOST_COUNTED}) x)`;
  }
  const [kinds, channel] = FILTERS_OF_COUNTERS.map((name) => args.given(`filter.${name}`));
  return listedCount(
    kinds ? `(select distinct unnest(${args.param('filter.kinds', 'text[]')}))` : null,
    channel ? args.did('filter.channel', ['channel']) : null,
  );
}

const ALL_KINDS = `unnest(array[${CONTENT_KIND_NAMES.map((kind) => `'${kind}'`).join(', ')}])`;

/** SQL of how many contents are listed, of these kinds (a relation with one column) or of all, in one channel or in all. */
export function listedCount(kinds: string | null, channel: string | null): string {
  const counter =
    channel === null ? `counter_value('listed:' || k.kind, '${EVERYTHING}')` : `counter_value('channel:listed:' || k.kind, ${channel})`;
  return `(select coalesce(sum(${counter}), 0)::bigint from ${kinds ?? ALL_KINDS} k (kind))`;
}

/** SQL of how many contents the channels list that are given as a relation with one column: one walk over their counters. */
export function listedCountOf(channels: string): string {
  const scopes = CONTENT_KIND_NAMES.map((kind) => `'channel:listed:${kind}'`).join(', ');
  return `(select coalesce(sum(n.value), 0)::bigint from (${channels}) w (channel_id) join counters n on n.scope in (${scopes}) and n.key = w.channel_id)`;
}
