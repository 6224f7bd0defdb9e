import type { Text } from '../../kernel/languages/message.ts';

/**
 * Errors of jobs in tables: `error_message` is English, for people who look at the database and for programs;
 * `error_text` is the same as a message with its values, which has other languages. It is null for texts without
 * values.
 */

/** The values of `error_message` and of `error_text`. */
export const storedError = (text: Text): readonly [english: string, message: string | null] => [
  String(text),
  typeof text === 'string' ? null : JSON.stringify(text),
];

/** SQL: the error of a row (an alias) as a `StoredText`, for `localized`; null for none. */
export const errorTextOf = (row: string): string => `coalesce(${row}.error_text, to_jsonb(${row}.error_message))`;
