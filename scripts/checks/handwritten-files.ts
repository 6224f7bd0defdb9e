import { glob, readFile } from 'node:fs/promises';
import { readIsGenerated } from '../gen/is-generated.ts';

const FOLDERS = '{server,web,clients,cli,packages,scripts,bench,e2e}';

/** Paths and texts of code with these file extensions. Generated files are exempt: .gitattributes lists them. */
export async function* handwrittenFiles(extensions: string): AsyncGenerator<readonly [file: string, text: string]> {
  const isGenerated = await readIsGenerated();
  for await (const file of glob(`${FOLDERS}/**/*.{${extensions}}`, { exclude: ['**/node_modules', '**/dist'] }))
    if (!isGenerated(file)) yield [file, await readFile(file, 'utf8')];
}
