import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import { type Catalog, englishOf, parseIcu } from './translate.ts';

/** What is wrong with a catalog, one line for each problem; `keys` are all messages of the application. */
export function catalogProblems(language: string, catalog: Catalog, keys: readonly string[]): string[] {
  const wanted = new Set(keys);
  const unused = Object.keys(catalog).filter((key) => !wanted.has(key));
  return [
    ...keys.flatMap((key) => translationProblem(language, key, catalog[key] ?? '') ?? []),
    ...unused.map((key) => `"${key}" is not used`),
  ];
}

function translationProblem(language: string, key: string, translation: string): string | null {
  if (translation === '') return `"${key}" is not translated`;
  let parts: Parts;
  try {
    parts = partsOf(parseIcu(translation));
  } catch (error) {
    return `"${key}": ${error instanceof Error ? error.message : 'no ICU message'} in "${translation}"`;
  }
  const english = partsOf(parseIcu(englishOf(key)));
  for (const kind of ['values', 'elements'] as const) {
    const [there, expected] = [[...parts[kind]].sort().join(), [...english[kind]].sort().join()];
    if (there !== expected)
      return `"${key}" has the ${kind} ${expected || 'none'}, "${translation}" ${there || 'none'}`;
  }
  const other = [...parts.plurals.keys()].find((name) => !english.plurals.has(name));
  if (other !== undefined) return `"${key}": ${other} is no number of a plural in English`;
  for (const forms of parts.plurals.values()) {
    const missing = formsOf(language).find((form) => !forms.has(form));
    if (missing) return `"${key}" needs the plural form "${missing}" in "${translation}"`;
  }
  return null;
}

/** The plural forms that a language needs; `many` of French and Spanish is for millions only, where `other` will do. */
function formsOf(language: string): string[] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return pluralCategories.filter((form) => form !== 'many' || language === 'ar');
}

interface Parts {
  readonly values: Set<string>;
  readonly elements: Set<string>;
  readonly plurals: Map<string, Set<string>>;
}

function partsOf(elements: readonly MessageFormatElement[]): Parts {
  const parts: Parts = { values: new Set(), elements: new Set(), plurals: new Map() };
  const visit = (element: MessageFormatElement): void => {
    if (element.type === TYPE.argument) parts.values.add(element.value);
    if (element.type === TYPE.tag) {
      parts.elements.add(element.value);
      element.children.forEach(visit);
    }
    if (element.type !== TYPE.plural) return;
    parts.values.add(element.value);
    parts.plurals.set(element.value, new Set(Object.keys(element.options)));
    for (const { value } of Object.values(element.options)) value.forEach(visit);
  };
  elements.forEach(visit);
  return parts;
}
