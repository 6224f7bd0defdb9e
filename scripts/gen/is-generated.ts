import { readFile } from 'node:fs/promises';
import { matchesGlob } from 'node:path';

/**
 * Tells files that programs write from those that people write: `.gitattributes` lists those that are committed,
 * `.gitignore` those that are not.
 */
export async function readIsGenerated(): Promise<(file: string) => boolean> {
  const [attributes, ignored] = await Promise.all(
    ['.gitattributes', '.gitignore'].map((name) => readFile(name, 'utf8')),
  );
  const committed = `${attributes}`.split('\n').map((line) => `${line.split(' ')[0]}`);
  const paths = `${ignored}`.split('\n').filter((line) => /[^/]\/./.test(line));
  const kept = paths.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const isIn = (patterns: readonly string[], file: string) => patterns.some((pattern) => matchesGlob(file, pattern));
  return (file) => isIn(committed, file) || (isIn(paths, file) && !isIn(kept, file));
}
