import type { Variables } from '../documents/values.ts';
import type { CredentialKind, Env, MutationExtras, Viewer } from '../register.ts';
import type { SqlClient } from '../statements/sql.ts';

/** What a plan is executed with. Nothing changes it. */
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
  /** Stands around each mutation; without it they are just performed. */
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
  /** Points of what was found. */
  readonly points: number;
  /** Whether every value that must be there is. */
  readonly isComplete: boolean;
  /** Why the whole request failed. */
  readonly failure: { readonly error: unknown } | null;
}

/** What {@link MutationCall.perform} returns where the precondition is not met and nothing was done. */
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
  /** Whether it did, or may have done, what it is for. */
  readonly mayHaveActed: boolean;
  /** Who sends the request; throws the error of a credential that is not valid. */
  identify(): Promise<Viewer | null>;
  /** Its value, or UNMET. Throws why it was refused. */
  perform(isPreconditionMet: boolean): Promise<unknown>;
}

/** Performs a mutation between what comes before and after it. */
export type AroundMutation = (call: MutationCall) => Promise<unknown>;
