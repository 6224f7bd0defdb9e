import type { Variables } from '../documents/values.ts';
import type { Env } from '../register.ts';

/** The input for the values of a statement. Immutable: each step of a request creates its own. */
export interface StatementInput {
  /** The application's view of the request. */
  readonly env: Env;
  /** The value that identifies the viewer. */
  readonly credential: unknown;
  /** The current time, ISO 8601. */
  readonly now: string;
  /** Coerced variables of the operation. */
  readonly variables: Variables;
  /** The result of a command or resolver: identifiers of rows, and plain values, by field name. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The prepared input of a statement command. */
  readonly prepared: unknown;
  /** Whether the precondition of a mutation is met. */
  readonly isPreconditionMet: boolean;
}
