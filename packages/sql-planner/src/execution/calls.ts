import type { PayloadValue } from '../schema/commands.ts';
import type { Call } from '../statements/sql.ts';
import { type Prepared, valuesOf } from '../statements/statement-builder.ts';
import type { StatementInput } from '../statements/statement-input.ts';

/** invalid_datetime_format, datetime_field_overflow, invalid_text_representation, numeric_value_out_of_range */
const UNREADABLE = new Set(['22007', '22008', '22P02', '22003']);

/** A value that PostgreSQL cannot read as the type it is for. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNREADABLE.has(String(error.code));
}

export function callOf(prepared: Prepared, input: StatementInput): Call {
  return { statement: prepared.statement, values: valuesOf(prepared, input) };
}

/** Adds statements with their values; an argument that is not acceptable is returned as the error it is. */
export function collectCalls(statements: readonly Prepared[], input: StatementInput, calls: Call[]): Error | null {
  const before = calls.length;
  try {
    for (const prepared of statements) calls.push(callOf(prepared, input));
    return null;
  } catch (error) {
    calls.length = before;
    return asError(error);
  }
}

export function asPayload(value: PayloadValue): Readonly<Record<string, unknown>> {
  return typeof value === 'string' ? { id: value } : value;
}

/** The thrown value as an Error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The result of `work`, or its error. */
export function attemptTo<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return asError(error);
  }
}
