import type { EntityField, EntityFields, FieldChanges, FieldValues } from './entity-field.ts';

/** Creates placeholders for written values: the scope of a command, or {@link NumberedPlaceholders}. */
export interface Placeholders<Input> {
  value(read: (input: Input) => unknown, cast?: string): string;
}

/** Placeholders `$first`, `$first + 1`, … for a statement with a fixed text. */
export class NumberedPlaceholders<Input> implements Placeholders<Input> {
  readonly #first: number;
  readonly #reads: ((input: Input) => unknown)[] = [];

  constructor(first: number) {
    this.#first = first;
  }

  value(read: (input: Input) => unknown, cast?: string): string {
    const place = `$${this.#first + this.#reads.push(read) - 1}`;
    return cast === undefined ? place : `${place}::${cast}`;
  }

  /** The values of the created placeholders, in order. */
  values(input: Input): unknown[] {
    return this.#reads.map((read) => read(input) ?? null);
  }
}

/**
 * The assignments of an update: `title = …, summary = …`. An absent field keeps the value of the row `row`. The text
 * does not depend on the changed fields, so that one prepared statement serves every update.
 */
export function assignments<Fields extends EntityFields, Input>(
  s: Placeholders<Input>,
  fields: Fields,
  row: string,
  changesOf: (input: Input) => FieldChanges<Fields>,
): string {
  const assign = ([name, { column, sqlType, empty }]: StoredField): string => {
    const value = s.value((input) => changesOf(input)[name], sqlType);
    if (empty !== null) return `${column} = coalesce(${value}, ${row}.${column})`;
    const given = s.value((input) => changesOf(input)[name] !== undefined, 'boolean');
    return `${column} = case when ${given} then ${value} else ${row}.${column} end`;
  };
  return storedFields(fields).map(assign).join(', ');
}

/** The columns of an insert and their values, in the same order. */
export function insertion<Fields extends EntityFields, Input>(
  s: Placeholders<Input>,
  fields: Fields,
  valuesOf: (input: Input) => FieldValues<Fields>,
): { readonly columns: string; readonly values: string } {
  const stored = storedFields(fields);
  return {
    columns: stored.map(([, { column }]) => column).join(', '),
    values: stored.map(([name, { sqlType }]) => s.value((input) => valuesOf(input)[name], sqlType)).join(', '),
  };
}

type StoredField = [name: string, field: EntityField<never, unknown, never>];

function storedFields(fields: EntityFields): StoredField[] {
  return Object.entries(fields).filter(([, { column }]) => column !== null);
}
