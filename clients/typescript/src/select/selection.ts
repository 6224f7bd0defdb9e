import type { Branch, Forms, Leaf, On } from '../field-types.ts';
import type { Types } from '../generated/fields.gen.ts';

/**
 * What can be selected of a type of the schema:
 *
 * - `id: true` selects a value;
 * - `metadata: { title: true }` selects of an object, or of each object of a list;
 * - `contents: [{ first: 10 }, { totalCount: true }]` passes arguments, `embedUrl: [{ … }]` those of a value;
 * - `'latest: contents': …` gives the field another name in the result;
 * - `on: { Feature: { … } }` selects of one type that an interface or union may be.
 *
 * `const card = { id: true } satisfies Selection<'Content'>` names a selection, to be spread where it is used.
 */
export type Selection<Type extends keyof Types> = SelectionOf<Types[Type]>;

export type SelectionOf<Fields> = { readonly [Name in keyof Fields]?: Choice<Fields[Name]> } & Aliases;

interface Aliases {
  readonly [alias: `${string}: ${string}`]: unknown; // Checked checks them
}

/** What selects one field. */
type Choice<Field> =
  Field extends Leaf<unknown, infer Arguments>
    ? WithArguments<Arguments, boolean, readonly [Arguments]>
    : Field extends Branch<infer Fields, keyof Forms<unknown>, infer Arguments>
      ? WithArguments<Arguments, SelectionOf<Fields>, readonly [Arguments, SelectionOf<Fields>]>
      : Field extends On<infer Possible>
        ? { readonly [Name in keyof Possible]?: SelectionOf<Possible[Name]> }
        : never;

/** Arguments are not possible, optional or required. */
type WithArguments<Arguments, Without, With> = [Arguments] extends [never]
  ? Without
  : Partial<Arguments> extends Arguments
    ? Without | With
    : With;

/** The message of the compiler where a selection names a field, type or argument that the schema does not have. */
export interface Unknown<What extends string, Name> {
  readonly error: `The schema has no ${What} "${Name & string}" here.`;
}

/** The message of the compiler where nothing is selected of an object. */
export interface Nothing {
  readonly error: 'Select at least one field.';
}

/**
 * What a selection must be, too: the names at every depth exist. (TypeScript checks a generic argument for missing
 * and wrong, but not for excess properties.)
 */
export type Checked<Fields, Chosen> = [keyof Chosen] extends [never]
  ? Nothing
  : {
      readonly [Key in keyof Chosen]: Key extends keyof Fields
        ? CheckedField<Fields[Key], Chosen[Key]>
        : Key extends `${string}: ${infer Name}`
          ? Name extends keyof Fields
            ? Choice<Fields[Name]> & CheckedField<Fields[Name], Chosen[Key]>
            : Unknown<'field', Name>
          : Unknown<'field', Key>;
    };

type CheckedField<Field, Chosen> =
  Field extends Branch<infer Fields, keyof Forms<unknown>, infer Arguments>
    ? Chosen extends readonly [infer Given, infer Inner]
      ? readonly [CheckedInput<Arguments, Given>, Checked<Fields, Inner>]
      : Checked<Fields, Chosen>
    : Field extends Leaf<unknown, infer Arguments>
      ? Chosen extends readonly [infer Given]
        ? readonly [CheckedInput<Arguments, Given>]
        : Chosen
      : Field extends On<infer Possible>
        ? {
            readonly [Name in keyof Chosen]: Name extends keyof Possible
              ? Checked<Possible[Name], Chosen[Name]>
              : Unknown<'type', Name>;
          }
        : never;

/** The same for arguments and the objects in them. */
type CheckedInput<Expected, Given> = Given extends readonly (infer Element)[]
  ? readonly CheckedInput<Expected extends readonly (infer Each)[] ? Each : never, Element>[]
  : Given extends object
    ? {
        readonly [Name in keyof Given]: Name extends KeysOf<Expected>
          ? CheckedInput<NonNullable<(Expected & object)[Name & keyof (Expected & object)]>, Given[Name]>
          : Unknown<'argument', Name>;
      }
    : Given;

type KeysOf<Union> = Union extends object ? keyof Union : never;

/** The data that a selection of `Fields` returns. */
export type ResultOf<Fields, Chosen> = Chosen extends { readonly on: infer Parts }
  ? Fields extends { readonly on: On<infer Possible>; readonly __typename: Leaf<infer Names> }
    ? Members<Fields, Possible, Names & string, Omit<Chosen, 'on'>, Parts>
    : never
  : Plain<Fields, Chosen>;

type Plain<Fields, Chosen> = {
  readonly [Key in keyof Chosen as ResponseKey<Key, Chosen[Key]>]: Key extends keyof Fields
    ? ValueOf<Fields[Key], Chosen[Key]>
    : Key extends `${string}: ${infer Name}`
      ? Name extends keyof Fields
        ? ValueOf<Fields[Name], Chosen[Key]>
        : never
      : never;
};

type ResponseKey<Key, Chosen> = [Chosen] extends [false | undefined]
  ? never
  : Key extends `${infer Alias}: ${string}`
    ? Alias
    : Key;

/** The value of a field; possibly undefined where a program decides whether it is selected. */
type ValueOf<Field, Chosen> =
  Field extends Leaf<infer Value, unknown>
    ? boolean extends Chosen
      ? Value | undefined
      : Value
    : Field extends Branch<infer Fields, infer Form, unknown>
      ? Forms<ResultOf<Fields, Chosen extends readonly [unknown, infer Inner] ? Inner : Chosen>>[Form]
      : never;

/** One member for each type that `on` speaks of, and one for all others. */
type Members<Fields, Possible, Names extends string, Common, Parts> =
  | {
      [Name in Covered<Possible, Names, Parts>]: Plain<
        Possible[Name & keyof Possible],
        Common & Together<PartsOf<Possible, Parts, Name>>
      >;
    }[Covered<Possible, Names, Parts>]
  | Others<Fields, Exclude<Names, Covered<Possible, Names, Parts>>, Common>;

type Others<Fields, Names, Common> = [Names] extends [never]
  ? never
  : Plain<Omit<Fields, '__typename'> & { readonly __typename: Leaf<Names> }, Common>;

/** Names of the concrete types that are one of the types of `on`. */
type Covered<Possible, Names extends string, Parts> = {
  [Key in keyof Parts & keyof Possible]: NamesOf<Possible[Key]>;
}[keyof Parts & keyof Possible] &
  Names;

type NamesOf<Fields> = Fields extends { readonly __typename: Leaf<infer Names> } ? Names : never;

/** The selections of `on` that apply to a concrete type. */
type PartsOf<Possible, Parts, Name> = {
  [Key in keyof Parts & keyof Possible]: Name extends NamesOf<Possible[Key]> ? Parts[Key] : never;
}[keyof Parts & keyof Possible];

type Together<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer All) => void
  ? All
  : never;
