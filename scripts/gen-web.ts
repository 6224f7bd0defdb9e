/**
 * Writes the web's generated files only: `node scripts/gen-web.ts [path of the schema]`, quicker than `npm run gen`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { webFiles } from './gen/web-files.ts';

const root = join(import.meta.dirname, '..');
const schema = await readFile(process.argv[2] ?? join(root, 'schema.graphql'), 'utf8');
for (const { path, text } of webFiles(schema)) {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  console.log(path);
}
