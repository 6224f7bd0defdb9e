import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { WEB_TYPES } from './web-files.ts';

const GENERATED = /\.gen\.[a-z]+$/;

/** Files called generated, beside those at `paths`, that are not among them: of operations that were removed, say. */
export async function leftoverFiles(paths: readonly string[], root = '.'): Promise<string[]> {
  const known = new Set([...paths, WEB_TYPES]);
  const folders = new Set(paths.filter((path) => GENERATED.test(path)).map((path) => posix.dirname(path)));
  const found: string[] = [];
  for (const folder of folders)
    for (const name of await readdir(posix.join(root, folder)).catch(() => []))
      if (GENERATED.test(name) && !known.has(`${folder}/${name}`)) found.push(`${folder}/${name}`);
  return found.sort();
}
