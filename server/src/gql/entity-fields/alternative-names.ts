import { AppError } from '../../kernel/errors.ts';
import { replaceInText, t } from '../../kernel/languages/message.ts';

/** Adds a value of a field that was sent under another path; undefined adds nothing. */
export type AddValue = (name: string, value: unknown, path: string) => void;

/**
 * Calls `read` with `fields` and the values that `alternatives` adds to them. A field that `read` refuses is named by
 * the path under which the client sent it.
 * @throws AppError INVALID_INPUT for a field that is given twice.
 */
export function withAlternatives<Fields extends object, Result>(
  fields: Fields,
  alternatives: (add: AddValue) => void,
  read: (input: Fields) => Result,
): Result {
  const paths = new Map<string, string>();
  const input = { ...fields } as Record<string, unknown> & Fields; // values are added by their names
  alternatives((name, value, path) => {
    if (value === undefined) return;
    if (input[name] !== undefined) throw givenTwice(name, path);
    (input as Record<string, unknown>)[name] = value;
    paths.set(`input.${name}`, path);
  });
  try {
    return read(input);
  } catch (error) {
    throw renamed(error, paths);
  }
}

function givenTwice(name: string, path: string): AppError {
  return new AppError('INVALID_INPUT', t`input.${name} and ${path} are both given.`, {
    field: path,
    suggestedFix: t`Send one of them.`,
  });
}

function renamed(error: unknown, paths: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof AppError) || error.field === undefined) return error;
  const { code, field, text, fix } = error;
  const entry = [...paths].find(([name]) => field === name || field.startsWith(`${name}.`));
  if (entry === undefined) return error;
  const path = entry[1] + field.slice(entry[0].length);
  return new AppError(code, replaceInText(text, field, path), {
    field: path,
    suggestedFix: replaceInText(fix, field, path),
    cause: error,
  });
}
