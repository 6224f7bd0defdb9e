import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import {
  type EntityField,
  type EntityFields,
  type FieldChanges,
  type FieldsInput,
  type FieldValues,
  initialOf,
} from './entity-field.ts';

/** The combined environment of the readers of all fields. */
type EnvOf<Fields extends EntityFields> = {
  [Name in keyof Fields]: Fields[Name] extends EntityField<never, unknown, infer Env> ? (env: Env) => void : never;
}[keyof Fields] extends (env: infer Env) => void
  ? Env
  : never;
type EnvArgument<Fields extends EntityFields> = unknown extends EnvOf<Fields> ? [] : [env: EnvOf<Fields>];

/**
 * Reads an update: a field that is absent from `input` is absent from the result, null clears it.
 * @throws AppError INVALID_INPUT or FIELD_REQUIRED with the field below `input`; FIELD_REQUIRED also for null in a
 *   field that cannot be empty.
 */
export function readChanges<Fields extends EntityFields>(
  fields: Fields,
  input: FieldsInput<NoInfer<Fields>>,
  ...env: EnvArgument<Fields>
): FieldChanges<Fields> {
  const changes: Record<string, unknown> = {};
  // Not `Object.entries`, which allocates a pair for each field: an update sets few of them.
  for (const name of Object.keys(fields)) {
    const value = input[name];
    const field = fields[name];
    if (value === undefined || field === undefined) continue;
    // The value has the field's input type, and the environment that of all fields.
    changes[name] =
      value === null ? emptyOf(field, name) : field.read(value as never, `input.${name}`, env[0] as never);
  }
  return changes as FieldChanges<Fields>;
}

/**
 * Reads a new row: a field without a value gets its initial one.
 * @throws AppError as {@link readChanges}; FIELD_REQUIRED for a missing required value.
 */
export function readNew<Fields extends EntityFields>(
  fields: Fields,
  input: FieldsInput<NoInfer<Fields>>,
  ...env: EnvArgument<Fields>
): FieldValues<Fields> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = input[name];
    values[name] =
      // As above.
      value == null ? initialValue(field, name) : field.read(value as never, `input.${name}`, env[0] as never);
  }
  return values as FieldValues<Fields>;
}

function emptyOf(field: EntityField<never, unknown, never>, name: string): unknown {
  if (field.empty !== undefined) return field.empty;
  throw new AppError('FIELD_REQUIRED', t`input.${name} cannot be null.`, {
    field: `input.${name}`,
    suggestedFix: t`Send a value, or leave ${name} out to keep the present one.`,
  });
}

function initialValue(field: EntityField<never, unknown, never>, name: string): unknown {
  const initial = initialOf(field);
  if (initial !== undefined) return initial;
  throw new AppError('FIELD_REQUIRED', t`input.${name} is missing.`, {
    field: `input.${name}`,
    suggestedFix: t`Send input.${name}.`,
  });
}
