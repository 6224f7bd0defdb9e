import { AppError } from '../../../kernel/errors.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { CATEGORY_NAMES, GENRE_NAMES, taxonomyText } from './taxonomy-texts.ts';
import type { RatingSystem } from './taxonomy-types.graphql.ts';

/**
 * The categories, genres and ratings of every installation by their slugs or labels, in the order of their fixed
 * identifiers (server/migrations/0004_baseline_catalog.sql). Inputs may name them instead of sending identifiers.
 */
const CATEGORIES = [
  ...['film-animation', 'music', 'gaming', 'news-politics', 'science-technology', 'education', 'sports', 'travel'],
  ...['food-drink', 'fashion-beauty', 'health-fitness', 'comedy', 'entertainment', 'kids-family', 'business-finance'],
  ...['arts-culture', 'nature-animals', 'vehicles', 'how-to', 'people-blogs'],
];
/** Categories whose names differ from their slugs by more than spelling. */
const OTHER_SLUGS: Readonly<Record<string, string>> = {
  'cars-and-vehicles': 'vehicles',
  'how-to-and-style': 'how-to',
};
const GENRES = [
  ...['action', 'adventure', 'animation', 'anime', 'biography', 'comedy', 'crime', 'documentary', 'drama'],
  ...['experimental', 'family', 'fantasy', 'film-noir', 'game-show', 'historical', 'horror', 'music', 'musical'],
  ...['mystery', 'news', 'reality', 'romance', 'satire', 'science-fiction', 'sitcom', 'sport', 'superhero'],
  ...['talk-show', 'thriller', 'variety', 'war', 'western'],
];
const RATINGS: readonly (readonly [RatingSystem, string])[] = [
  ...['G', 'PG', 'PG-13', 'R', 'NC-17', 'NR'].map((label) => ['MPAA', label] as const),
  ...['TV-Y', 'TV-Y7', 'TV-Y7-FV', 'TV-G', 'TV-PG', 'TV-14', 'TV-MA'].map((label) => ['TV', label] as const),
  ...['TVY', 'TVY7', 'TVG', 'TVPG', 'TV14', 'TVMA'].map((label) => ['USA_PR', label] as const),
  ['MSO', 'ADULT'],
  ['UNKNOWN', 'UNRATED'],
];

/** Who names a term: in their language, or in English. */
interface Naming {
  readonly language: Language;
}

/** Id of a category by its name or slug, in any case. Throws RESOURCE_NOT_FOUND with `field`. */
export function categoryNamed(name: string, field: string, naming: Naming): string {
  const slug = slugOf(name);
  const index = CATEGORIES.indexOf(OTHER_SLUGS[slug] ?? slug.replace('-and-', '-'));
  return idAt('ca7e', index < 0 ? indexIn(CATEGORY_NAMES, name, naming) : index, {
    field,
    missing: t`There is no category ${shown(name)}.`,
    list: 'categories',
  });
}

/** Id of a genre, as {@link categoryNamed}. */
export function genreNamed(name: string, field: string, naming: Naming): string {
  const index = GENRES.indexOf(slugOf(name));
  return idAt('6e12', index < 0 ? indexIn(GENRE_NAMES, name, naming) : index, {
    field,
    missing: t`There is no genre ${shown(name)}.`,
    list: 'genres',
  });
}

/** Id of a rating by its label in a rating system. Throws RESOURCE_NOT_FOUND with `field`. */
export function ratingNamed(system: RatingSystem, name: string, field: string): string {
  const label = name.trim().toUpperCase();
  const index = RATINGS.findIndex(([of, its]) => of === system && its === label);
  return idAt('4a71', index, {
    field,
    missing: t`There is no rating ${shown(name)} of ${system}.`,
    list: 'ratings',
  });
}

/** The index of a name as the language has it. */
const indexIn = (names: readonly string[], name: string, { language }: Naming): number =>
  names.findIndex((known) => taxonomyText(known, language).toLowerCase() === name.trim().toLowerCase());

const shown = (name: string): string => JSON.stringify(name.slice(0, 60));

function slugOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[\s_]+/g, '-');
}

function idAt(
  family: string,
  index: number,
  { field, missing, list }: { readonly field: string; readonly missing: Text; readonly list: string },
): string {
  if (index < 0) {
    throw new AppError('RESOURCE_NOT_FOUND', missing, {
      field,
      suggestedFix: t`Use a name that the query ${list} lists.`,
    });
  }
  return `01900000-0000-7000-8000-${family}${(index + 1).toString(16).padStart(8, '0')}`;
}
