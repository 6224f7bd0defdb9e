import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { OperationFile } from './web-operations.ts';

const ROOT = join(import.meta.dirname, '../..');

/** All `*.graphql` below a folder, in a stable order, with paths from the repository's root. */
export function operationFiles(folder: string): OperationFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.graphql'))
    .sort()
    .map((path) => ({ path: relative(ROOT, join(folder, path)), text: readFileSync(join(folder, path), 'utf8') }));
}
