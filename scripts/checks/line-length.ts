import { glob, readFile } from 'node:fs/promises';
import { matchesGlob } from 'node:path';

const MAX_COLUMNS = 120;
const CODE = '{server,web,client,clients,cli,player,packages,scripts,bench,e2e}/**/*.{ts,tsx,mjs,mts,sql,py}';
/** Unbreakable code: a regular expression, the title of a test, a word such as a playlist tag or a class name. */
const UNBREAKABLE = [/^\s*\/(?![/*])/, /^\s*(?:it|test|describe)\(['"`]/, /\S{60}/];

/**
 * Lines of code that are longer than 120 columns, one problem each. Generated files are exempt: .gitattributes lists
 * them.
 */
export async function findLongLines(): Promise<string[]> {
  const attributes = await readFile('.gitattributes', 'utf8');
  const exempt = attributes.split('\n').map((line) => `${line.split(' ')[0]}`);
  const problems: string[] = [];
  for await (const file of glob(CODE, { exclude: ['**/node_modules', '**/dist'] })) {
    if (!exempt.some((pattern) => matchesGlob(file, pattern)))
      problems.push(...longLines(file, await readFile(file, 'utf8')));
  }
  return problems.sort();
}

/** Lines of a file that are too long and could be broken. */
export function longLines(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const columns = [...line].length;
    if (columns <= MAX_COLUMNS || UNBREAKABLE.some((pattern) => pattern.test(line))) return [];
    return [`${file}:${index + 1} has ${columns} columns, ${MAX_COLUMNS} at most`];
  });
}
