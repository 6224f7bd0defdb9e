import { readFile } from 'node:fs/promises';
import { matchesGlob } from 'node:path';

/** Tells files that programs write, which .gitattributes lists, from those that people write. */
export async function readIsGenerated(): Promise<(file: string) => boolean> {
  const attributes = await readFile('.gitattributes', 'utf8');
  const patterns = attributes.split('\n').map((line) => `${line.split(' ')[0]}`);
  return (file) => patterns.some((pattern) => matchesGlob(file, pattern));
}
