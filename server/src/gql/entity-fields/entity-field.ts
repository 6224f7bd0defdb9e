import type { Maybe } from '../../kernel/maybe.ts';
import { readText, readWords, type WordsRule } from '../../kernel/text.ts';
import { readUrl } from '../../kernel/urls.ts';

/**
 * A stored property of an entity, in the one place where it is written down: the output field, the input fields, the
 * reader and the SQL of inserts and updates derive from it. `Env` is what the reader needs besides the value.
 */
export interface EntityField<Input, Stored, Env = unknown> {
  /** Column of the entity's table; null where another table keeps it, which then reads and writes it itself. */
  readonly column: string | null;
  /** PostgreSQL type of the column. */
  readonly sqlType: string;
  /** Name of the GraphQL type; in brackets a list of it. */
  readonly type: string | readonly [string];
  /** What the output field says. */
  readonly description: string;
  /** What the input fields say: form and limits. */
  readonly inputDescription: string;
  /** What the input field of a change says besides. */
  readonly changeDescription?: string;
  /**
   * The value as it is stored. Throws INVALID_INPUT or FIELD_REQUIRED with `field`, the argument as the caller spells
   * it.
   */
  readonly read: (value: Input, field: string, env: Env) => Stored;
  /**
   * What null stores. Left out: the field cannot be cleared, and null is FIELD_REQUIRED. A column with null here is
   * nullable.
   */
  readonly empty?: Stored | undefined;
  /**
   * What a new row gets where the input has no value: `empty` unless set otherwise. With neither, a value is required.
   */
  readonly initial?: Stored;
}

/** The fields of an entity by their names in the API. */
export type EntityFields = Readonly<Record<string, EntityField<never, unknown, never>>>;

type InputOf<Field> = Field extends EntityField<infer Input, unknown, never> ? Input : never;
type StoredOf<Field> = Field extends EntityField<never, infer Stored, never> ? Stored : never;

/** What the API hands over: an absent field keeps its value, null clears it. */
export type FieldsInput<Fields extends EntityFields> = {
  readonly [Name in keyof Fields]?: Maybe<InputOf<Fields[Name]>>;
};
/** What is stored of a change; absent fields keep their value. */
export type FieldChanges<Fields extends EntityFields> = {
  readonly [Name in keyof Fields]?: StoredOf<Fields[Name]> | undefined;
};
/** What is stored of a new row. */
export type FieldValues<Fields extends EntityFields> = { readonly [Name in keyof Fields]: StoredOf<Fields[Name]> };

/** A value for new rows, from `initial` or `empty`; undefined where the input must have one. */
export function initialOf({ initial, empty }: EntityField<never, unknown, never>): unknown {
  return initial === undefined ? empty : initial;
}

interface Described {
  readonly column: string;
  readonly description: string;
}

interface TextOptions extends Described {
  /** What it is, as the input's description begins: `Title`. */
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
  /** What they are, as the input's description begins: `Keywords`. */
  readonly label: string;
  /** What the input's description says after the limits. */
  readonly note?: string;
}

/** A list of words or phrases, without repetitions; null stores the empty list. */
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

/** A web address that may be missing: an http or https URL, stored in its usual spelling. */
export function urlField({
  column,
  description,
  label,
}: Described & { readonly label: string }): EntityField<string, string | null> {
  return {
    column,
    sqlType: 'text',
    type: 'String',
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

/** Yes or no, which cannot be cleared. */
export function booleanField(options: Omit<ChoiceOptions<boolean>, 'type'>): EntityField<boolean, boolean> {
  return {
    inputDescription: options.description,
    ...options,
    sqlType: 'boolean',
    type: 'Boolean',
    read: (value) => value,
  };
}
