import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventExamples } from '../../server/src/domains/integrations/index.ts';
import { EVENT_TYPES } from '../../server/src/kernel/event-types.ts';
import { operationFiles } from './operation-files.ts';
import { strictSchema } from './strict-schema.ts';
import { type GeneratedText, generateWebOperations, operationsIndex } from './web-operations.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The types of the web's operations: not committed, because only compilers and editors read them. */
export const WEB_TYPES = 'web/src/gql/generated/types.gen.ts';

/**
 * The web's operations, trusted documents, and tables of event types and their examples, from the given schema and
 * every web/src/**\/*.graphql.
 */
export function webFiles(schemaText: string): GeneratedText[] {
  const { handles, trusted } = generateWebOperations(schemaText, operationFiles(join(ROOT, 'web/src')));
  return [
    { path: 'web/src/gql/generated/operations.gen.ts', text: operationsIndex(handles.keys()) },
    ...[...handles].map(([area, text]) => ({ path: `web/src/gql/generated/handles/${area}.gen.ts`, text })),
    { path: 'web/src/gql/generated/event-types.gen.ts', text: eventTypes() },
    { path: 'web/src/gql/generated/event-examples.gen.ts', text: examples() },
    { path: 'web/src/gql/generated/trusted-documents.json', text: `${JSON.stringify(trusted, null, 2)}\n` },
  ];
}

/** Writes the types of the web's operations, from schema.graphql. */
export async function writeWebTypes(): Promise<void> {
  const schema = strictSchema(await readFile(join(ROOT, 'schema.graphql'), 'utf8'));
  const { types } = generateWebOperations(schema, operationFiles(join(ROOT, 'web/src')));
  await writeFile(join(ROOT, WEB_TYPES), types);
}

function eventTypes(): string {
  const rows = Object.entries(EVENT_TYPES).map(([type, meaning]) => `  ${JSON.stringify(type)}: t\`${meaning}\`,\n`);
  return (
    `import { t } from '../../lib/i18n.ts';\n\n` +
    `/** Generated from server/src/kernel/event-types.ts; npm run gen. */\nexport const ` +
    `EVENT_TYPES: Readonly<Record<string, string>> = {\n${rows.join('')}};\n`
  );
}

/** Subject and payload of each event type. */
function examples(): string {
  const rows = Object.entries(eventExamples()).map(
    ([type, example]) => `  ${JSON.stringify(type)}: ${JSON.stringify(example)},\n`,
  );
  const type =
    'Readonly<Record<string, { readonly subject: string; readonly payload: Readonly<Record<string, unknown>> }>>';
  return (
    '/** Generated from server/src/domains/integrations/events/event-examples.ts; npm run ' +
    `gen. */\nexport const EVENT_EXAMPLES: ${type} = {\n${rows.join('')}};\n`
  );
}
