import type { Graph, InputBuilder } from '../../../gql/index.ts';
import type { CatalogTypes } from '../../catalog/index.ts';
import type { LiveTypes } from '../../live/index.ts';
import { CONTENT_LENGTHS } from './filter-input.ts';

/** Declares the filters of search and of lists of contents. */
export function declareFilters(
  graph: Graph,
  { enums }: Pick<CatalogTypes, 'enums'>,
  { BroadcastState }: Pick<LiveTypes, 'BroadcastState'>,
) {
  const ContentLength = graph.builder.enumType('ContentLength', {
    description: 'Length of a video.',
    values: {
      SHORT: { description: CONTENT_LENGTHS.SHORT.is },
      MEDIUM: { description: CONTENT_LENGTHS.MEDIUM.is },
      LONG: { description: CONTENT_LENGTHS.LONG.is },
    },
  });
  const common = (t: InputBuilder) => ({
    kinds: t.field({ type: [enums.ContentKind], description: 'Only contents of one of these kinds.' }),
    channel: t.field({ type: 'DID', description: 'Only results of this channel.' }),
    categories: t.field({ type: ['DID'], description: 'Only contents of one of these categories, at most 50.' }),
    genres: t.field({ type: ['DID'], description: 'Only contents of one of these genres, at most 50.' }),
    language: t.string({
      description: 'Only contents in this language, a BCP 47 tag: en matches en-GB too, en-GB only itself.',
    }),
    length: t.field({ type: ContentLength, description: 'Only videos of this length.' }),
    minDurationMs: t.int({ description: 'Only videos of at least this many milliseconds.' }),
    maxDurationMs: t.int({ description: 'Only videos of at most this many milliseconds.' }),
    publishedAfter: t.field({ type: 'DateTime', description: 'Only contents published at or after this time.' }),
    publishedBefore: t.field({ type: 'DateTime', description: 'Only contents published before this time.' }),
  });
  return {
    SearchFilter: graph.builder.inputType('SearchFilter', {
      description:
        'Filter of a search: results match all given fields. Channels have no kind, genre, language and duration.',
      fields: common,
    }),
    ContentFilter: graph.builder.inputType('ContentFilter', {
      description: 'Filter of a list of contents: they match all given fields.',
      fields: (t) => ({
        ...common(t),
        ratings: t.field({ type: ['DID'], description: 'Only contents with one of these ratings, at most 50.' }),
        broadcastStates: t.field({
          type: [BroadcastState],
          description: 'Only streams whose broadcast is in one of these states, such as LIVE or SCHEDULED.',
        }),
        layout: t.field({ type: enums.ContentLayout, description: 'Only videos with this layout.' }),
        query: t.string({
          description:
            'Only contents that a search for this text finds, 1 to 200 ' +
            'characters; if there are very many, the 1,000 that search ranks.',
        }),
      }),
    }),
  };
}
