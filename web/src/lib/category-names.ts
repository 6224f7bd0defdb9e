import { t } from './i18n.ts';

const NAMES: Readonly<Record<string, string>> = {
  'film-animation': t`Film and animation`,
  music: t`Music`,
  gaming: t`Gaming`,
  'news-politics': t`News and politics`,
  'science-technology': t`Science and technology`,
  education: t`Education`,
  sports: t`Sports`,
  travel: t`Travel`,
  'food-drink': t`Food and drink`,
  'fashion-beauty': t`Fashion and beauty`,
  'health-fitness': t`Health and fitness`,
  comedy: t`Comedy`,
  entertainment: t`Entertainment`,
  'kids-family': t`Kids and family`,
  'business-finance': t`Business and finance`,
  'arts-culture': t`Arts and culture`,
  'nature-animals': t`Nature and animals`,
  vehicles: t`Cars and vehicles`,
  'how-to': t`How-to and style`,
  'people-blogs': t`People and blogs`,
};

/** The name of a category in the language of the page; as the server calls it where it is none of the usual ones. */
export const categoryName = ({ slug, name }: { readonly slug: string; readonly name: string }): string =>
  NAMES[slug] ?? name;
