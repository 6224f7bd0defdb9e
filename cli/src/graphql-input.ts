import { CliError } from './errors.ts';
import { readTextFile } from './files.ts';
import { readStdin } from './prompt.ts';

/** The document: itself, a file, or standard input for - and for nothing. */
export function readDocument(source: string | undefined): Promise<string> {
  if (source === undefined || source === '-') {
    if (source === undefined && process.stdin.isTTY)
      throw new CliError('The document is missing.', 'Name a file, write the document in quotes, or pipe it in.');
    return readStdin();
  }
  return source.includes('{') ? Promise.resolve(source) : readTextFile(source);
}

/** How the values of an option are read. */
export type FieldKind = 'json' | 'typed' | 'text';

/** An option that sets a variable, in the order of the command line. */
export interface Field {
  readonly kind: FieldKind;
  readonly pair: string;
}

/** Variables of `--variables`, overridden by those of the other options. */
export async function readVariables(
  source: string | undefined,
  fields: readonly Field[],
): Promise<Record<string, unknown>> {
  const variables = source === undefined ? {} : await readObject(source);
  for (const { kind, pair } of fields) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new CliError(`${pair} is not a variable.`, 'Use the form NAME=VALUE.');
    variables[pair.slice(0, equals)] = await readValue(kind, pair.slice(equals + 1));
  }
  return variables;
}

async function readValue(kind: FieldKind, value: string): Promise<unknown> {
  if (kind === 'text') return value;
  if (kind === 'typed' && value === '@-') return readStdin();
  if (kind === 'typed' && value.startsWith('@')) return readTextFile(value.slice(1));
  if (kind === 'typed' && !/^(true|false|null|-?\d+)$/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A JSON object: itself, a file, or standard input. */
async function readObject(source: string): Promise<Record<string, unknown>> {
  const isText = source.trimStart().startsWith('{');
  const text = isText ? source : source === '-' ? await readStdin() : await readTextFile(source);
  const name = isText ? '--variables' : source;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // reported below
  }
  throw new CliError(`${name} does not contain a JSON object.`, 'Write the variables as {"name": "value"}.');
}
