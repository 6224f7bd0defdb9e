import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type GeneratedText, generateWebOperations, type OperationFile } from './web-operations.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The web's typed operations and trusted documents, from the given schema and every web/src/**\/*.graphql. */
export function webFiles(schemaText: string): GeneratedText[] {
  const { source, trusted } = generateWebOperations(schemaText, operationFiles(join(ROOT, 'web/src')));
  return [
    { path: 'web/src/gql/generated/operations.gen.ts', text: source },
    { path: 'web/src/gql/generated/trusted-documents.json', text: `${JSON.stringify(trusted, null, 2)}\n` },
  ];
}

function operationFiles(folder: string): OperationFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.graphql'))
    .sort()
    .map((path) => ({ path: relative(ROOT, join(folder, path)), text: readFileSync(join(folder, path), 'utf8') }));
}
