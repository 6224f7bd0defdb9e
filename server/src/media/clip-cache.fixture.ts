import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';

/** Clips that earlier runs made, by what they are made of. */
const FOLDER = resolve(import.meta.dirname, '../../../node_modules/.cache/reelgraph/clips');

/** What a clip is made of: arguments of ffmpeg, in which files stand for their content. */
export interface Recipe {
  readonly args: readonly string[];
  readonly inputs?: readonly string[];
}

/** Copies the clip of this recipe to `path`; false when none was kept. */
export function takeKeptClip(path: string, recipe: Recipe): boolean {
  try {
    copyFileSync(placeOf(path, recipe), path);
    return true;
  } catch {
    return false; // made for the first time, or the cache was emptied
  }
}

/** Keeps what was made at `path`. */
export function keepClip(path: string, recipe: Recipe): void {
  const place = placeOf(path, recipe);
  mkdirSync(FOLDER, { recursive: true });
  const arriving = `${place}.${process.pid}`;
  copyFileSync(path, arriving);
  renameSync(arriving, place); // other processes see it whole or not at all
}

function placeOf(path: string, { args, inputs = [] }: Recipe): string {
  const hash = createHash('sha256');
  for (const input of inputs) hash.update(readFileSync(input));
  const words = args.map((arg) => inputs.reduce((word, input, index) => word.replaceAll(input, `input ${index}`), arg));
  return join(FOLDER, `${hash.update(JSON.stringify(words)).digest('hex')}${extname(path)}`);
}
