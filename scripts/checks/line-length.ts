import { handwrittenFiles } from './handwritten-files.ts';

const MAX_COLUMNS = 120;
/** Unbreakable code: a regular expression, the title of a test, a word such as a playlist tag or a class name. */
const UNBREAKABLE = [/^\s*\/(?![/*])/, /^\s*(?:it|test|describe)\(['"`]/, /\S{60}/];

/** Lines of code that are longer than 120 columns, one problem each. */
export async function findLongLines(): Promise<string[]> {
  const problems: string[] = [];
  for await (const [file, text] of handwrittenFiles('ts,tsx,mjs,mts,sql,py')) problems.push(...longLines(file, text));
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
