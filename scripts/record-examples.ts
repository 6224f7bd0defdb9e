/**
 * `npm run record-examples [-- NAME…]`: calls operations of the API and writes request and response to docs/examples,
 * for the named ones, otherwise for those without an example. Needs TEST_DATABASE_URL, or starts a PostgreSQL of its
 * own.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXAMPLES, exampleText } from '../server/src/docs/reference/operation-example.ts';
import { type Operation, operationsOf } from '../server/src/docs/reference/operation-pages.ts';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { platformSchema } from '../server/src/schema.ts';
import { callExample, exampleDocument, exampleVariables, Tidy } from '../server/src/testing/operation-examples.ts';
import { openSeededPlatform, type SeededPlatform } from '../server/src/testing/seed-platform.ts';

const names = process.argv.slice(2);
const wanted = operationsOf(platformSchema()).filter((operation) =>
  names.length === 0 ? !existsSync(pathOf(operation)) : names.includes(operation.field.name),
);
const folder = await mkdtemp(join(tmpdir(), 'reelgraph-examples-'));
const server = process.env.TEST_DATABASE_URL ? null : await startLocalPostgres(folder);
process.env.TEST_DATABASE_URL ??= server?.url ?? '';
try {
  const fixture = await openSeededPlatform();
  for (const operation of wanted) await record(fixture, operation);
  await fixture.close();
} finally {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

function pathOf({ kind, field }: Operation): string {
  return fileURLToPath(new URL(`${kind}/${field.name}.md`, EXAMPLES));
}

async function record(fixture: SeededPlatform, operation: Operation): Promise<void> {
  const variables = await exampleVariables(fixture, operation);
  const document = exampleDocument(operation, variables);
  const call = await callExample(fixture, operation, document, variables);
  const path = pathOf(operation);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, exampleText(operation.field.name, { document, ...new Tidy().value({ variables, ...call }) }));
  console.log(`${operation.kind} ${operation.field.name}`);
}
