import { glob, readFile } from 'node:fs/promises';
import { matchesGlob } from 'node:path';

const FOLDERS = '{server,web,client,clients,cli,player,packages,scripts,bench,e2e}';

/** Paths and texts of code with these file extensions. Generated files are exempt: .gitattributes lists them. */
export async function* handwrittenFiles(extensions: string): AsyncGenerator<readonly [file: string, text: string]> {
  const attributes = await readFile('.gitattributes', 'utf8');
  const generated = attributes.split('\n').map((line) => `${line.split(' ')[0]}`);
  for await (const file of glob(`${FOLDERS}/**/*.{${extensions}}`, { exclude: ['**/node_modules', '**/dist'] }))
    if (!generated.some((pattern) => matchesGlob(file, pattern))) yield [file, await readFile(file, 'utf8')];
}
