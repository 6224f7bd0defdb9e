import { readFile } from 'node:fs/promises';
import { matchesGlob } from 'node:path';

/**
 * Tells files that programs write from those that people write: `.gitattributes` lists those that are committed,
 * `.gitignore` those that are not.
 */
export async function readIsGenerated(): Promise<(file: string) => boolean> {
  const linesOf = async (name: string) => (await readFile(name, 'utf8')).split('\n');
  const committed = (await linesOf('.gitattributes')).map((line) => `${line.split(' ')[0]}`);
  const paths = (await linesOf('.gitignore')).filter((line) => /[^/]\/./.test(line));
  const kept = paths.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const isIn = (patterns: readonly string[], file: string) => patterns.some((pattern) => matchesGlob(file, pattern));
  return (file) => isIn(committed, file) || (isIn(paths, file) && !isIn(kept, file));
}
