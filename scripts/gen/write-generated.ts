import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { leftoverFiles } from './leftover-files.ts';

/** Writes generated files and deletes those that are no longer generated; returns a line about each. */
export async function writeGenerated(
  files: readonly { readonly path: string; readonly text: string }[],
  root = '.',
): Promise<string[]> {
  for (const { path, text } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const paths = files.map(({ path }) => path);
  const leftovers = await leftoverFiles(paths, root);
  for (const path of leftovers) await rm(join(root, path));
  return [...paths, ...leftovers.map((path) => `deleted ${path}`)];
}
