import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';

/** Cache of clips from earlier runs, by recipe. */
const FOLDER = resolve(import.meta.dirname, '../../../node_modules/.cache/reelgraph/clips');

/** The recipe of a clip: ffmpeg arguments, with files replaced by their content. */
export interface Recipe {
  readonly args: readonly string[];
  readonly inputs?: readonly string[];
}

/** Copies the clip of this recipe to `path`; false when it is not cached. */
export function takeKeptClip(path: string, recipe: Recipe): boolean {
  try {
    copyFileSync(placeOf(path, recipe), path);
    return true;
  } catch {
    return false; // not cached yet, or the cache was cleared
  }
}

/** Caches the clip at `path`. */
export function keepClip(path: string, recipe: Recipe): void {
  const place = placeOf(path, recipe);
  mkdirSync(FOLDER, { recursive: true });
  const arriving = `${place}.${process.pid}`;
  copyFileSync(path, arriving);
  renameSync(arriving, place); // atomic for other processes
}

function placeOf(path: string, { args, inputs = [] }: Recipe): string {
  const hash = createHash('sha256');
  for (const input of inputs) hash.update(readFileSync(input));
  const words = args.map((arg) => inputs.reduce((word, input, index) => word.replaceAll(input, `input ${index}`), arg));
  return join(FOLDER, `${hash.update(JSON.stringify(words)).digest('hex')}${extname(path)}`);
}
