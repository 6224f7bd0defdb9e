import { tc } from './i18n.ts';

const NAMES: Readonly<Record<string, string>> = {
  action: tc('genre', 'Action'),
  adventure: tc('genre', 'Adventure'),
  animation: tc('genre', 'Animation'),
  anime: tc('genre', 'Anime'),
  biography: tc('genre', 'Biography'),
  comedy: tc('genre', 'Comedy'),
  crime: tc('genre', 'Crime'),
  documentary: tc('genre', 'Documentary'),
  drama: tc('genre', 'Drama'),
  experimental: tc('genre', 'Experimental'),
  family: tc('genre', 'Family'),
  fantasy: tc('genre', 'Fantasy'),
  'film-noir': tc('genre', 'Film noir'),
  'game-show': tc('genre', 'Game show'),
  historical: tc('genre', 'Historical'),
  horror: tc('genre', 'Horror'),
  music: tc('genre', 'Music'),
  musical: tc('genre', 'Musical'),
  mystery: tc('genre', 'Mystery'),
  news: tc('genre', 'News'),
  reality: tc('genre', 'Reality'),
  romance: tc('genre', 'Romance'),
  satire: tc('genre', 'Satire'),
  'science-fiction': tc('genre', 'Science fiction'),
  sitcom: tc('genre', 'Sitcom'),
  sport: tc('genre', 'Sport'),
  superhero: tc('genre', 'Superhero'),
  'talk-show': tc('genre', 'Talk show'),
  thriller: tc('genre', 'Thriller'),
  variety: tc('genre', 'Variety'),
  war: tc('genre', 'War'),
  western: tc('genre', 'Western'),
};

/** The name of a genre in the language of the page; as the server calls it where it is none of the usual ones. */
export const genreName = ({ slug, name }: { readonly slug: string; readonly name: string }): string =>
  NAMES[slug] ?? name;
