import type { Variables } from '../documents/values.ts';
import type { Env } from '../register.ts';

/** What the values of a statement are computed from. Nothing changes it: each step of a request makes its own. */
export interface StatementInput {
  /** The application's view of the request. */
  readonly env: Env;
  /** The value that the viewer is found by. */
  readonly credential: unknown;
  /** The present instant, ISO 8601. */
  readonly now: string;
  /** Coerced variables of the operation. */
  readonly variables: Variables;
  /** What a command or resolver returned: identifiers to read rows by, and plain values, by the names of fields. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** What a statement command prepared. */
  readonly prepared: unknown;
  /** Whether the precondition of a mutation is met. */
  readonly isPreconditionMet: boolean;
}
