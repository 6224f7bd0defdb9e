import { suggestionList } from 'graphql/jsutils/suggestionList.js';

/** Lower-case words; camelCase and snake_case are split, and a plural counts as its singular. */
export function wordsOf(text: string): Set<string> {
  const parts =
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return new Set(parts.map((word) => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word)));
}

/** `Did you mean title? `, for a name that is not known; empty where none is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const [best] = suggestionList(name.slice(0, 80), known);
  return best === undefined ? '' : `Did you mean ${best}? `;
}
