import type { Graph, InputBuilder } from '../../../gql/index.ts';
import type { CatalogTypes } from '../../catalog/index.ts';
import { CONTENT_LENGTHS } from './filter-input.ts';

/** Declares the filters of search and of lists of contents. */
export function declareFilters(graph: Graph, { enums }: Pick<CatalogTypes, 'enums'>) {
  const ContentLength = graph.builder.enumType('ContentLength', {
    description: 'How long a video is.',
    values: {
      SHORT: { description: CONTENT_LENGTHS.SHORT.is },
      MEDIUM: { description: CONTENT_LENGTHS.MEDIUM.is },
      LONG: { description: CONTENT_LENGTHS.LONG.is },
    },
  });
  const common = (t: InputBuilder) => ({
    kinds: t.field({ type: [enums.ContentKind], description: 'Only contents of one of these kinds.' }),
    channel: t.field({ type: 'DID', description: 'Only what belongs to this channel.' }),
    categories: t.field({ type: ['DID'], description: 'Only what is filed under one of these categories, at most 50.' }),
    genres: t.field({ type: ['DID'], description: 'Only contents of one of these genres, at most 50.' }),
    language: t.string({ description: 'Only contents in this language, a BCP 47 tag: en finds en-GB too, en-GB only itself.' }),
    length: t.field({ type: ContentLength, description: 'Only videos of this length.' }),
    minDuration: t.float({ description: 'Only videos of at least so many seconds.' }),
    maxDuration: t.float({ description: 'Only videos of at most so many seconds.' }),
    publishedAfter: t.field({ type: 'DateTime', description: 'Only what was published then or later.' }),
    publishedBefore: t.field({ type: 'DateTime', description: 'Only what was published before then.' }),
  });
  return {
    SearchFilter: graph.builder.inputType('SearchFilter', {
      description: 'What search lets through: what fits everything that is given. Channels have no kind, genre, language and duration.',
      fields: common,
    }),
    ContentFilter: graph.builder.inputType('ContentFilter', {
      description: 'Which contents a list has: those that fit everything that is given.',
      fields: (t) => ({
        ...common(t),
        ratings: t.field({ type: ['DID'], description: 'Only contents with one of these ratings, at most 50.' }),
        layout: t.field({ type: enums.ContentLayout, description: 'Only videos of this layout.' }),
        query: t.string({
          description: 'Only contents that search finds with this text, 1 to 200 characters; of very many the 1,000 that search ranks.',
        }),
      }),
    }),
  };
}
