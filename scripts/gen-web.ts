/**
 * Writes the web's generated files only: `node scripts/gen-web.ts`, quicker than `npm run gen`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strictSchema } from './gen/strict-schema.ts';
import { webFiles, writeWebTypes } from './gen/web-files.ts';
import { writeGenerated } from './gen/write-generated.ts';

const root = join(import.meta.dirname, '..');
const schema = await readFile(join(root, 'schema.graphql'), 'utf8');
for (const line of await writeGenerated(webFiles(strictSchema(schema)), root)) console.log(line);
await writeWebTypes();
