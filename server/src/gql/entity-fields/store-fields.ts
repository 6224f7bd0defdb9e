import type { EntityField, EntityFields, FieldChanges, FieldValues } from './entity-field.ts';

/** Creates placeholders for written values: the scope of a command, or {@link NumberedPlaceholders}. */
export interface Placeholders<Input> {
  value(read: (input: Input) => unknown, cast?: string): string;
  isGiven(read: (input: Input) => unknown): boolean;
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

  /** The text serves every input. */
  isGiven(): boolean {
    return true;
  }

  /** The values of the created placeholders, in order. */
  values(input: Input): unknown[] {
    return this.#reads.map((read) => read(input) ?? null);
  }
}

/**
 * The assignments of an update: `title = …, summary = …`. An absent field keeps the value of the row `row`, and is left
 * out where the statement is for this input only.
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
  const stored = storedFields(fields);
  const given = stored.filter(([name]) => s.isGiven((input) => changesOf(input)[name]));
  // An update needs an assignment.
  return (given.length > 0 ? given : stored.slice(0, 1)).map(assign).join(', ');
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
