import { locale } from './i18n.ts';

const names = new Intl.Collator(locale);

/** The nodes of a list of named things, in the alphabetical order of the language of the page. */
export function byName<T extends { readonly name: string }>(edges: readonly { readonly node: T }[]): T[] {
  return edges.map(({ node }) => node).sort((one, other) => names.compare(one.name, other.name));
}
