import type { CommandContext } from './context.ts';
import { CliError } from './errors.ts';
import { nearest } from './suggest.ts';

/** Identifiers of categories or genres by their names or identifiers. Throws CliError for a name without one. */
export async function findTerms(
  context: CommandContext,
  list: 'categories' | 'genres',
  names: readonly string[] | undefined,
): Promise<string[] | undefined> {
  if (names === undefined) return undefined;
  if (names.every((name) => name.startsWith('did:'))) return [...names];
  const client = await context.client();
  const all = { pageSize: 100, signal: context.signal };
  const terms = await (list === 'categories' ? client.categories.all({}, all) : client.genres.all({}, all)).toArray();
  return names.map((name) => {
    if (name.startsWith('did:')) return name;
    const term = terms.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (term) return term.id;
    const known = terms.map((one) => one.name);
    const [guess] = nearest(name, known);
    const fix = guess === undefined ? `Choose from: ${known.join(', ')}.` : `Did you mean ${guess}?`;
    throw new CliError(`There is no ${list === 'categories' ? 'category' : 'genre'} ${name}.`, fix);
  });
}
