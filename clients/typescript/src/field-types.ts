/**
 * The fields of the schema as types, which `generated/fields.gen.ts` is written in. They describe; there are no values
 * of them.
 */

/** A field that holds a value. `Arguments` is never where it takes none. */
export interface Leaf<Value, Arguments = never> {
  readonly value: Value;
  readonly arguments: Arguments;
}

/** A field that holds objects with `Fields`. */
export interface Branch<Fields, Form extends keyof Forms<unknown> = 'one', Arguments = never> {
  readonly fields: Fields;
  readonly form: Form;
  readonly arguments: Arguments;
}

/** What an interface or union may be, by the name of the type. */
export interface On<Types> {
  readonly types: Types;
}

/** How a field holds its objects; a question mark where null may be. */
export interface Forms<One> {
  readonly one: One;
  readonly 'one?': One | null;
  readonly list: readonly One[];
  readonly 'list?': readonly One[] | null;
  readonly 'list of one?': readonly (One | null)[];
  readonly 'list? of one?': readonly (One | null)[] | null;
}
