import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { generateWebOperations } from './web-operations.ts';

/**
 * Writes web/src/gql/generated from schema.graphql and every web/src/**\/*.graphql.
 * Usage: node scripts/gen-web.ts [path of the schema]
 */
const root = join(import.meta.dirname, '..');
const schema = readFileSync(process.argv[2] ?? join(root, 'schema.graphql'), 'utf8');
const source = join(root, 'web/src');
const paths = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.graphql'))
  .sort();
const { source: types, trusted } = generateWebOperations(
  schema,
  paths.map((path) => ({ path: relative(root, join(source, path)), text: readFileSync(join(source, path), 'utf8') })),
);
const target = join(source, 'gql/generated');
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'operations.gen.ts'), types);
writeFileSync(join(target, 'trusted-documents.json'), `${JSON.stringify(trusted, null, 2)}\n`);
console.log(`${Object.keys(trusted).length} web operations`);
