import type { Variables } from '../documents/values.ts';
import type { CredentialKind, Env, MutationExtras, Viewer } from '../register.ts';
import type { SqlClient } from '../statements/sql.ts';

/** Immutable input of an execution. */
export interface ExecutionRequest {
  /** The application's view of the request, before its viewer is known. */
  readonly env: Env;
  readonly credential: { readonly kind: CredentialKind; readonly value: unknown };
  /** The present instant, ISO 8601. */
  readonly now: string;
  /** Coerced variables. */
  readonly variables: Variables;
  /** Where statement commands are sent instead of the database: a transaction, for example. */
  readonly writes?: SqlClient | undefined;
  /** Wraps each mutation; optional. */
  readonly aroundMutation?: AroundMutation | undefined;
}

/** The result of a request. */
export interface Execution {
  /** Null when anonymous, or not known yet. */
  readonly viewer: Viewer | null;
  /** Values of the root fields by response key, as the response holds them, or Errors. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Root fields that the viewer may not use. */
  readonly denied: ReadonlyMap<string, Error>;
  /** Actual points. */
  readonly points: number;
  /** Whether every value that must be there is. */
  readonly isComplete: boolean;
  /** Why the whole request failed. */
  readonly failure: { readonly error: unknown } | null;
}

/** Result of {@link MutationCall.perform} when the precondition is not met and nothing was done. */
export const UNMET = Symbol('unmet precondition');

/** One mutation of a request, about to be performed. */
export interface MutationCall {
  /** Name in the schema. */
  readonly name: string;
  readonly extras: MutationExtras | undefined;
  readonly args: never;
  /** Null when anonymous, or not known yet. */
  readonly viewer: Viewer | null;
  /** Whether it is one SQL statement, which looks at its precondition by itself. */
  readonly isStatement: boolean;
  /** Whether it had, or may have had, an effect. */
  readonly mayHaveActed: boolean;
  /** Who sends the request; throws the error of a credential that is not valid. */
  identify(): Promise<Viewer | null>;
  /** Its value, or UNMET. Throws why it was refused. */
  perform(isPreconditionMet: boolean): Promise<unknown>;
}

/** Performs a mutation, with work before and after it. */
export type AroundMutation = (call: MutationCall) => Promise<unknown>;
