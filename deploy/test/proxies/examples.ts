import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder `deploy/`. */
export const DEPLOY = join(import.meta.dirname, '../..');

/** What of an example is of the machine it is for, with what takes its place in a test. */
export type Replacements = readonly (readonly [text: string, replacement: string])[];

/** An example as it is, but for ports, folders and names. Throws where the example has no such text. */
export function adapted(file: string, replacements: Replacements): string {
  return replacements.reduce(
    (example, [text, replacement]) => {
      if (!example.includes(text)) throw new Error(`${file} has no "${text}"`);
      return example.replaceAll(text, replacement);
    },
    readFileSync(join(DEPLOY, file), 'utf8'),
  );
}
