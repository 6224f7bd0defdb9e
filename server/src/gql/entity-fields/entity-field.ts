import type { Maybe } from '../../kernel/maybe.ts';
import { readText, readWords, type WordsRule } from '../../kernel/text.ts';
import { readUrl } from '../../kernel/urls.ts';

/**
 * A stored property of an entity, declared once: the output field, the input fields, the reader and the SQL of inserts
 * and updates derive from it. `Env` is the environment of the reader.
 */
export interface EntityField<Input, Stored, Env = unknown> {
  /** Column of the entity's table; null when it is stored in another table, with its own reads and writes. */
  readonly column: string | null;
  /** PostgreSQL type of the column. */
  readonly sqlType: string;
  /** Name of the GraphQL type; in brackets for a list. */
  readonly type: string | readonly [string];
  /** Description of the output field. */
  readonly description: string;
  /** Description of the input fields: format and limits. */
  readonly inputDescription: string;
  /** Addition to the description of the update field. */
  readonly changeDescription?: string;
  /** The stored value. Throws INVALID_INPUT or FIELD_REQUIRED with `field`, the path of the argument. */
  readonly read: (value: Input, field: string, env: Env) => Stored;
  /**
   * The value that null stores. Without it, the field cannot be cleared, and null is FIELD_REQUIRED. A column with null
   * here is nullable.
   */
  readonly empty?: Stored | undefined;
  /** The stored value as the API shows it. Default: as it is stored. */
  show?(stored: NonNullable<Stored>, env: Env): unknown;
  /** The value of a new row without input; defaults to `empty`. With neither, a value is required. */
  readonly initial?: Stored;
}

/** The fields of an entity by their names in the API. */
export type EntityFields = Readonly<Record<string, EntityField<never, unknown, never>>>;

type InputOf<Field> = Field extends EntityField<infer Input, unknown, never> ? Input : never;
type StoredOf<Field> = Field extends EntityField<never, infer Stored, never> ? Stored : never;

/** Input of the API: an absent field keeps its value, null clears it. */
export type FieldsInput<Fields extends EntityFields> = {
  readonly [Name in keyof Fields]?: Maybe<InputOf<Fields[Name]>>;
};
/** The stored values of an update; absent fields keep their value. */
export type FieldChanges<Fields extends EntityFields> = {
  readonly [Name in keyof Fields]?: StoredOf<Fields[Name]> | undefined;
};
/** The stored values of a new row. */
export type FieldValues<Fields extends EntityFields> = { readonly [Name in keyof Fields]: StoredOf<Fields[Name]> };

/** A value for new rows, from `initial` or `empty`; undefined when the input must have one. */
export function initialOf({ initial, empty }: EntityField<never, unknown, never>): unknown {
  return initial === undefined ? empty : initial;
}

interface Described {
  readonly column: string;
  readonly description: string;
}

interface TextOptions extends Described {
  /** Start of the input's description: `Title`. */
  readonly label: string;
  readonly maxLength: number;
  /** Whether line breaks and tabs are kept. */
  readonly multiline?: boolean;
  /** Whether it must not be blank. */
  readonly required?: boolean;
}

/** A text with a limit; unless it is required, null and a blank text store the empty text. */
export function textField(options: TextOptions): EntityField<string, string> {
  const { column, description, label, maxLength, multiline = false, required = false } = options;
  const limit = required ? `1 to ${maxLength} characters` : `at most ${maxLength} characters`;
  return {
    column,
    sqlType: 'text',
    type: 'String',
    description,
    inputDescription: `${label}, ${limit}${multiline ? '; line breaks are kept' : ''}.`,
    read: (value, field) => readText(value, { field, maxLength, multiline, required }),
    empty: required ? undefined : '',
  };
}

interface WordsOptions extends Described, WordsRule {
  /** Start of the input's description: `Keywords`. */
  readonly label: string;
  /** Rest of the input's description, after the limits. */
  readonly note?: string;
}

/** A list of words or phrases, without duplicates; null stores the empty list. */
export function wordsField({
  column,
  description,
  label,
  note,
  ...rule
}: WordsOptions): EntityField<readonly string[], string[]> {
  const limits = `${label}, at most ${rule.most} of at most ${rule.maxLength} characters.`;
  return {
    column,
    sqlType: 'text[]',
    type: ['String'],
    description,
    inputDescription: note === undefined ? limits : `${limits} ${note}`,
    read: (values, field) => readWords(values, field, rule),
    empty: [],
  };
}

/** An optional web address: an http or https URL, stored normalized. */
export function urlField({
  column,
  description,
  label,
}: Described & { readonly label: string }): EntityField<string, string | null> {
  return {
    column,
    sqlType: 'text',
    type: 'URL',
    description,
    inputDescription: `${label}: an https or http URL of at most 2,048 characters.`,
    read: (value, field) => readUrl(value, field).href,
    empty: null,
  };
}

interface ChoiceOptions<Value> extends Described {
  readonly type: string;
  readonly inputDescription?: string;
  readonly changeDescription?: string;
  readonly initial?: Value;
}

/** A value of an enum, which cannot be cleared. */
export function enumField<Value extends string>(options: ChoiceOptions<Value>): EntityField<Value, Value> {
  return { inputDescription: options.description, ...options, sqlType: 'text', read: (value) => value };
}

/** A boolean, which cannot be cleared. */
export function booleanField(options: Omit<ChoiceOptions<boolean>, 'type'>): EntityField<boolean, boolean> {
  return {
    inputDescription: options.description,
    ...options,
    sqlType: 'boolean',
    type: 'Boolean',
    read: (value) => value,
  };
}
