import { handwrittenFiles } from './handwritten-files.ts';

const MAX_LINES = 400;

/** Files of code that are longer than 400 lines, one problem each. */
export async function findLongFiles(): Promise<string[]> {
  const problems: (string | null)[] = [];
  for await (const [file, text] of handwrittenFiles('ts,tsx,mjs,mts')) problems.push(longFile(file, text));
  return problems.filter((problem) => problem !== null).sort();
}

/** The problem of a file with too many lines; null for others. */
export function longFile(file: string, text: string): string | null {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines <= MAX_LINES ? null : `${file} has ${lines} lines, ${MAX_LINES} at most`;
}
