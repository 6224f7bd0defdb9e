import { localized } from '../../../kernel/languages/catalogs.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { t } from '../../../kernel/languages/message.ts';

/** Names and descriptions of the categories of every installation, in the order of their identifiers. */
const CATEGORIES: readonly (readonly [name: string, description: string])[] = [
  [t`Film and animation`, t`Films, short films and animation.`],
  [t`Music`, t`Songs, concerts and music videos.`],
  [t`Gaming`, t`Games and those who play them.`],
  [t`News and politics`, t`What happens in the world, and what it means.`],
  [t`Science and technology`, t`Research, devices and how they work.`],
  [t`Education`, t`Lessons, lectures and explanations.`],
  [t`Sports`, t`Matches, training and athletes.`],
  [t`Travel`, t`Places and the way to them.`],
  [t`Food and drink`, t`Cooking, eating and drinking.`],
  [t`Fashion and beauty`, t`Clothes, make-up and style.`],
  [t`Health and fitness`, t`Body, mind and exercise.`],
  [t`Comedy`, t`Sketches, stand-up and parody.`],
  [t`Entertainment`, t`Shows, celebrities and pastimes.`],
  [t`Kids and family`, t`For children and those who live with them.`],
  [t`Business and finance`, t`Companies, work and money.`],
  [t`Arts and culture`, t`Painting, theatre, literature and heritage.`],
  [t`Nature and animals`, t`Landscapes, plants, animals and pets.`],
  [t`Cars and vehicles`, t`Cars, motorcycles, trains, ships and aircraft.`],
  [t`How-to and style`, t`Instructions, crafts and homes.`],
  [t`People and blogs`, t`Lives, journals and conversations.`],
];

export const CATEGORY_NAMES = CATEGORIES.map(([name]) => name);

/** Names of the genres of every installation, in the order of their identifiers. */
export const GENRE_NAMES: readonly string[] = [
  ...[t`Action`, t`Adventure`, t`Animation`, t`Anime`, t`Biography`, t`Comedy`, t`Crime`, t`Documentary`, t`Drama`],
  ...[t`Experimental`, t`Family`, t`Fantasy`, t`Film noir`, t`Game show`, t`Historical`, t`Horror`, t`Music`],
  ...[t`Musical`, t`Mystery`, t`News`, t`Reality`, t`Romance`, t`Satire`, t`Science fiction`, t`Sitcom`, t`Sport`],
  ...[t`Superhero`, t`Talk show`, t`Thriller`, t`Variety`, t`War`, t`Western`],
];

/** What the ratings of every installation mean. */
const RATINGS: readonly string[] = [
  t`General audiences: all ages admitted.`,
  t`Parental guidance suggested: some material may not be suitable for children.`,
  t`Parents strongly cautioned: some material may be inappropriate for children under 13.`,
  t`Restricted: under 17 requires an accompanying parent or adult guardian.`,
  t`Adults only: no one 17 and under admitted.`,
  t`Not rated: the film was not submitted for a rating.`,
  t`All children.`,
  t`Directed to older children, of age 7 and above.`,
  t`Directed to older children, with fantasy violence.`,
  t`General audience.`,
  t`Parental guidance suggested.`,
  t`Parents strongly cautioned: may be unsuitable for children under 14.`,
  t`Mature audience only: may be unsuitable for children under 17.`,
  t`Adults only, as cable operators mark it.`,
  t`Nobody has rated it.`,
];

const TEXTS: ReadonlySet<string> = new Set([...CATEGORIES.flat(), ...GENRE_NAMES, ...RATINGS]);

/** A name or description of a category, a genre or a rating in a language; others than ours are as they are. */
export const taxonomyText = (text: string, language: Language): string =>
  TEXTS.has(text) ? localized(text, language) : text;
