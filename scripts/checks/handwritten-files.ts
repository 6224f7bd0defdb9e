import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIsGenerated } from '../gen/is-generated.ts';

const FOLDERS = '{server,web,clients,cli,packages,scripts,bench,e2e,deploy}';

/** Paths and texts of code with these file extensions. Generated files are exempt: .gitattributes lists them. */
export async function* handwrittenFiles(
  extensions: string,
  root = '.',
): AsyncGenerator<readonly [file: string, text: string]> {
  const isGenerated = await readIsGenerated();
  for await (const file of glob(`${FOLDERS}/**/*.{${extensions}}`, {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  }))
    if (!isGenerated(file)) yield [file, await readFile(join(root, file), 'utf8')];
}
