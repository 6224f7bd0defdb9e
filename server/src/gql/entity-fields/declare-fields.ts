import type {
  FieldDeclaration,
  FieldFactory,
  FieldType,
  InputBuilder,
  InputFieldRef,
  InterfaceFieldFactory,
} from '@reelgraph/sql-planner';
import { type EntityField, type EntityFields, type FieldsInput, initialOf } from './entity-field.ts';

/** The sentence about null and omitted fields in the description of an update input. */
export const CHANGES_HELP =
  'An omitted field keeps its value; null clears it, and is ' +
  'refused with FIELD_REQUIRED where the value cannot be empty.';

type AnyField = EntityField<never, unknown, never>;

/** The output field of a column. */
export function outputField(f: FieldFactory, { column, type, description, empty, show }: AnyField): FieldDeclaration {
  if (column === null) throw new TypeError('A field without a column is declared by the table that keeps it.');
  return f.column({
    type: type as FieldType,
    nullable: empty === null,
    description,
    sql: (s) => `${s.t}.${column}`,
    // Values are those of the column.
    ...(show && { read: ([value]: [unknown], env) => (value === null ? null : show(value as never, env as never)) }),
  });
}

/** The output fields of all columns. */
export function outputFields<Fields extends EntityFields>(
  f: FieldFactory,
  fields: Fields,
): Record<keyof Fields & string, FieldDeclaration> {
  return mapped(fields, (field) => outputField(f, field));
}

/** The fields of an interface, which its types implement by {@link outputFields}. */
export function interfaceFields<Fields extends EntityFields>(
  f: InterfaceFieldFactory,
  fields: Fields,
): Record<keyof Fields & string, FieldDeclaration> {
  return mapped(fields, ({ type, description, empty }) =>
    f.field({ type: type as FieldType, nullable: empty === null, description }),
  );
}

/** Input fields of Pothos. */
type InputFields<Fields extends EntityFields> = {
  [Name in keyof Fields]: InputFieldRef<never, FieldsInput<Fields>[Name]>;
};

/** The fields of an input for new rows. `optional` are fields without an initial value that the command fills in. */
export function newInputFields<Fields extends EntityFields>(
  t: InputBuilder,
  fields: Fields,
  { optional = [] }: { readonly optional?: readonly (keyof Fields)[] } = {},
): InputFields<Fields> {
  return mapped(fields, (field, name) => {
    const required = initialOf(field) === undefined && !optional.includes(name);
    const { initial } = field;
    const shown = typeof initial === 'number' ? initial.toLocaleString('en') : String(initial);
    const description =
      initial === undefined
        ? field.inputDescription
        : `${field.inputDescription.replace(/\.$/, '')}; default ${shown}.`;
    return inputField(t, field, { required, description });
  }) as InputFields<Fields>;
}

/** The fields of an update input; all are optional. The extension `isClearable` marks those that null clears. */
export function changeInputFields<Fields extends EntityFields>(t: InputBuilder, fields: Fields): InputFields<Fields> {
  return mapped(fields, (field) => {
    const { inputDescription, changeDescription = Array.isArray(field.type) ? 'Replaces all.' : undefined } = field;
    const description = changeDescription === undefined ? inputDescription : `${inputDescription} ${changeDescription}`;
    return inputField(t, field, {
      required: false,
      description,
      extensions: { isClearable: field.empty !== undefined },
    });
  }) as InputFields<Fields>;
}

function inputField(
  t: InputBuilder,
  { type }: AnyField,
  options: {
    readonly required: boolean;
    readonly description: string;
    readonly extensions?: Readonly<Record<string, unknown>>;
  },
): unknown {
  // Pothos resolves types by name at run time; its static type covers scalars only.
  return t.field({ type: type as 'String', ...options });
}

function mapped<Fields extends EntityFields, Value>(
  fields: Fields,
  make: (field: AnyField, name: keyof Fields & string) => Value,
): Record<keyof Fields & string, Value> {
  const entries = Object.entries(fields) as [keyof Fields & string, AnyField][]; // entries loses the keys
  return Object.fromEntries(entries.map(([name, field]) => [name, make(field, name)])) as Record<
    keyof Fields & string,
    Value
  >;
}
