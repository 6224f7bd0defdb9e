import { join } from 'node:path';
import { ERROR_CATALOGUE } from '../../../server/src/kernel/errors.ts';
import { EVENT_TYPES } from '../../../server/src/kernel/event-types.ts';
import { clientDocument } from '../client-document.ts';
import { operationFiles } from '../operation-files.ts';
import type { GeneratedText, OperationFile } from '../web-operations.ts';
import { MethodWriter } from './python-methods.ts';
import { ModelWriter } from './python-models.ts';
import { HEAD, quoted } from './python-text.ts';
import { NamedTypes } from './python-types.ts';

const OPERATIONS = join(import.meta.dirname, '../../../clients/typescript/operations');
const PACKAGE = 'clients/python/src/reelgraph';

/** The generated modules of the Python client: what the TypeScript client selects, and the kernel's tables. */
export function pythonFiles(schemaText: string): GeneratedText[] {
  const modules = generatePython(schemaText, operationFiles(OPERATIONS));
  return [
    ...Object.entries({ ...modules, '_generated/error_codes': errorCodes(), '_generated/event_types': eventTypes() }),
  ].map(([name, text]) => ({ path: `${PACKAGE}/${name}.py`, text }));
}

/** Modules by their names. Pure: texts in, texts out. Throws for operations that do not fit the schema. */
export function generatePython(schemaText: string, files: readonly OperationFile[]): Record<string, string> {
  const document = clientDocument(schemaText, files);
  const named = new NamedTypes();
  const models = new ModelWriter(document.schema, document.fragments, named);
  for (const fragment of document.used) models.fragment(fragment);
  const methods = new MethodWriter(document, models, named);
  return {
    models: models.file(),
    inputs: named.inputsFile(),
    enums: named.enumsFile(),
    '_generated/documents': methods.documentsFile(),
    '_generated/sync_methods': methods.methodsFile('sync'),
    '_generated/async_methods': methods.methodsFile('async'),
  };
}

/** Codes and whether the same request may succeed later. */
function errorCodes(): string {
  const rows = Object.entries(ERROR_CATALOGUE).map(
    ([code, { message, retryable }]) => `    # ${message}\n    ${quoted(code)}: ${retryable ? 'True' : 'False'},\n`,
  );
  return (
    `${HEAD('The codes of errors.')}ERROR_CODES: dict[str, bool] = {\n${rows.join('')}}\n` +
    '"""Every code the platform answers with, and whether the same request, unchanged, may succeed later."""\n'
  );
}

function eventTypes(): string {
  const rows = Object.entries(EVENT_TYPES).map(([type, meaning]) => `    # ${meaning}\n    ${quoted(type)},\n`);
  return (
    `${HEAD('The types of events.')}from typing import Literal\n\nWebhookEventType = Literal[\n${rows.join('')}]\n` +
    '"""What can happen: types of events, of messages of webhooks, too."""\n'
  );
}
