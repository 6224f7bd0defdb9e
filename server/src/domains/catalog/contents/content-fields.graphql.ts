import type { Graph } from '../../../gql/index.ts';
import { MAX_CATEGORIES, MAX_GENRES } from '../taxonomy/content-details.ts';
import type { ContentEnums } from './content-enums.graphql.ts';
import { MAX_SHORT_SUMMARY, MAX_SUMMARY, MAX_TITLE } from './content-input.ts';

type InputFields = Parameters<Parameters<Graph['builder']['inputType']>[1]['fields']>[0];

/** Descriptions of the texts, shared by every input that has them. */
export const TEXT_HELP = {
  title: `Title, 1 to ${MAX_TITLE} characters.`,
  summary: `Description, at most ${MAX_SUMMARY} characters; line breaks are kept.`,
  shortSummary: `Short description in a sentence or two, at most ${MAX_SHORT_SUMMARY} characters.`,
  keywords: 'Keywords, at most 30 of at most 50 characters.',
  rating: 'Id of its age rating.',
  categories: `Ids of its categories, at most ${MAX_CATEGORIES}.`,
  genres: `Ids of its genres, the main genre first; at most ${MAX_GENRES}.`,
  language: 'The spoken language, as a BCP 47 tag such as en, pt-BR or zh-Hant.',
} as const;

/** Input fields common to all new contents. */
export function describedFields(t: InputFields, enums: ContentEnums) {
  return {
    title: t.string({ required: true, description: TEXT_HELP.title }),
    summary: t.string({ description: TEXT_HELP.summary }),
    shortSummary: t.string({ description: TEXT_HELP.shortSummary }),
    keywords: t.stringList({ description: TEXT_HELP.keywords }),
    rating: t.field({ type: 'DID', description: TEXT_HELP.rating }),
    categories: t.field({ type: ['DID'], description: TEXT_HELP.categories }),
    genres: t.field({ type: ['DID'], description: TEXT_HELP.genres }),
    language: t.string({ description: TEXT_HELP.language }),
    visibility: t.field({
      type: enums.Visibility,
      description: 'Who may see it once it is published; default PUBLIC.',
    }),
  };
}
