import type { ArgScope, EntityRef, FieldCost, Graph } from '../../../gql/index.ts';
import { readText } from '../../../kernel/text.ts';
import type { CatalogTypes } from '../../catalog/index.ts';
import type { ChannelTypes } from '../../channels/index.ts';
import type { PlaylistTypes } from '../../playlists/index.ts';
import {
  type FilterInput,
  filterTags,
  readDurations,
  readPublished,
  SEARCH_TYPES,
  type SearchType,
  typeTags,
} from './filter-input.ts';
import type { declareFilters } from './filters.graphql.ts';
import { excerpt, highlight } from './highlight.ts';
import { hitCount, searchHits, withDocuments } from './search.sql.ts';

const MAX_QUERY = 200;
/** Maximum number of ranked and counted documents: `most` of search_find in the migrations. */
const MOST_FOUND = 1_000;
const TYPES: Readonly<Record<SearchType, string>> = {
  CONTENT: 'Published, public contents of any kind.',
  CHANNEL: 'Channels.',
  PLAYLIST: 'Public playlists.',
};

/** Words are looked up in all tiers, and again with similar spellings, before a query is known to have no matches. */
const SEARCH_COST: FieldCost = [
  { points: 20 },
  {
    points: 30,
    if: {
      applies: (args) => DATED.some((name) => args.given(`filter.${name}`)),
      when: 'with a filter of dates or lengths, for which at most 10,000 matches are examined',
    },
  },
];
const DATED = ['publishedAfter', 'publishedBefore', 'length', 'minDurationMs', 'maxDurationMs'];

export interface SearchParts {
  readonly channels: ChannelTypes;
  readonly catalog: CatalogTypes;
  readonly playlists: PlaylistTypes;
  readonly filters: ReturnType<typeof declareFilters>;
}

/** Declares search over contents, channels and playlists. */
export function declareSearch(graph: Graph, parts: SearchParts): void {
  const SearchType = graph.builder.enumType('SearchType', {
    description: 'Types of search results.',
    values: Object.fromEntries(SEARCH_TYPES.map((name) => [name, { description: TYPES[name] }])) as Record<
      SearchType,
      { description: string }
    >, // fromEntries widens the keys
  });
  const SearchHit = declareHit(graph, parts, SearchType);
  graph.queryConnection('search', {
    access: 'public',
    type: SearchHit,
    description:
      'Contents, channels and playlists that have all words of the query in title, keywords, channel names or ' +
      'summary, best match first. The last word may be a prefix; accents and case are ignored. If there are few ' +
      'results, words with a similar spelling are searched too. If more than 1,000 match, those with all words ' +
      'in the title are listed first, then new and popular ones; totalCount is exact up to 1,000.',
    args: (t) => ({
      query: t.string({
        required: true,
        description: `The search text, 1 to ${MAX_QUERY} characters. It has no operators.`,
      }),
      types: t.field({ type: [SearchType], description: 'Types of results; all if omitted.' }),
      filter: t.field({ type: parts.filters.SearchFilter, description: 'The filter.' }),
    }),
    cost: SEARCH_COST,
    shared: (_, args) => findHits(args),
    from: ({ shared }) => shared,
    complete: withDocuments,
    where: () => 'true',
    order: (child) => [`${child}.score`, `${child}.id`],
    total: ({ shared }) => hitCount(shared, MOST_FOUND),
  });
}

/** SQL of the hits: the database splits the query into words, so that it cannot contain operators. */
function findHits(args: ArgScope): string {
  const filter = <Value>(read: (filter: FilterInput) => Value, cast: string) =>
    args.read('filter', (value) => read(value as FilterInput), cast); // as the schema declares it
  const values = [
    args.read(
      'query',
      (value, field) => readText(String(value), { field, maxLength: MAX_QUERY, required: true }),
      'text',
    ),
    `nullif(concat_ws(' & ', ${args.read('types', (types) => typeTags(types as SearchType[]), 'text')}, ` +
      `${args.read('filter', (value, field, env) => filterTags(value as FilterInput, field, env), 'text')}), ` +
      `'')::tsquery`,
    filter((value) => readPublished(value, 'filter').after, 'timestamptz'),
    filter((value) => readPublished(value, 'filter').before, 'timestamptz'),
    filter((value) => readDurations(value, 'filter').minMs, 'bigint'),
    filter((value) => readDurations(value, 'filter').maxMs, 'bigint'),
  ];
  return searchHits(values);
}

function declareHit(
  graph: Graph,
  { channels, catalog, playlists }: SearchParts,
  SearchType: { readonly name: string },
): EntityRef {
  const TextPart = graph.object('TextPart', {
    description: 'Part of a text. Joined, the parts are the whole text: plain text, never markup.',
    fields: (f) => ({
      text: f.value({ type: 'String', description: 'The characters.' }),
      matched: f.value({ type: 'Boolean', description: 'Whether it matches a word of the query.' }),
    }),
  });
  const SearchHighlights = graph.part('SearchHighlights', {
    description: 'The matches in the texts of a result.',
    fields: (f) => ({
      title: f.column({
        type: [TextPart],
        description: 'The title, or the name of a channel.',
        sql: (s) => [`${s.t}.title`, `${s.t}.terms`],
        read: ([title, terms]: [string, string[]]) => highlight(title, terms),
      }),
      summary: f.column({
        type: [TextPart],
        description:
          'The text around the first match in the summary, or its beginning; an ellipsis marks omitted text.',
        sql: (s) => [`${s.t}.summary`, `${s.t}.terms`],
        read: ([summary, terms]: [string, string[]]) => excerpt(summary, terms),
      }),
    }),
  });
  return graph.entity('SearchHit', {
    description: 'A search result: exactly one of content, channel and playlist is set.',
    table: 'search_documents',
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description:
          'Id of the result, which exists in responses only: use node with the id of the content, channel or playlist.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('searchHit', id),
      }),
      type: f.column({
        type: SearchType,
        description: 'Type of the result.',
        sql: (s) => `${s.t}.kind`,
        read: ([kind]: [string]) => (kind === 'CHANNEL' || kind === 'PLAYLIST' ? kind : 'CONTENT'),
      }),
      score: f.column({
        type: 'Float',
        description: 'Relevance, from 0; comparable within one search only.',
        sql: (s) => `${s.t}.score`,
        read: ([score]: [number]) => score / 1_000_000,
      }),
      highlights: f.embed({ type: SearchHighlights, description: 'The matches in the texts of a result.' }),
      content: f.one({
        type: catalog.Content,
        nullable: true,
        description: 'The content, if it is one.',
        on: (child, s) => `${child}.id = ${s.t}.id and ${child}.listed`,
      }),
      channel: f.one({
        type: channels.Channel,
        nullable: true,
        description: 'The channel, if it is one.',
        on: (child, s) => `${child}.id = ${s.t}.id`,
      }),
      playlist: f.one({
        type: playlists.Playlist,
        nullable: true,
        description: 'The playlist, if it is one.',
        on: (child, s) => `${child}.id = ${s.t}.id and ${child}.listed`,
      }),
    }),
  });
}
