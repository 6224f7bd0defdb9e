import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { strictSchema } from '../strict-schema.ts';
import { pythonFiles } from './python-files.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Writes the generated modules of the Python client, which are not committed, from schema.graphql. */
export async function writePythonClient(): Promise<void> {
  const schema = await readFile(join(ROOT, 'schema.graphql'), 'utf8');
  for (const { path, text } of pythonFiles(strictSchema(schema))) {
    await mkdir(dirname(join(ROOT, path)), { recursive: true });
    await writeFile(join(ROOT, path), text);
  }
}
