import type { CredentialKind, Env, Policy } from '../register.ts';

/**
 * A mutation whose command is one SQL statement, sent in the same round trip as the read of its payload. It declares
 * its target and its policy; its writes use only the rows that the policy permits.
 */
export interface StatementCommand<Args, Input> {
  /** Validates the arguments and generates identifiers; may throw. Nothing was sent yet, and the viewer is unknown. */
  readonly prepare: (args: Args, env: Env) => Input;
  /**
   * Reads texts of the arguments that may be long, into what `prepare` made without them; may throw. A text of more
   * than 16,384 characters is not in the arguments of `prepare`, and is read only after a statement of its own has
   * found that the policy permits the command. The target reads nothing that this reads.
   */
  readonly parse?: (prepared: Input, args: Args, env: Env) => Input | Promise<Input>;
  /**
   * Identifies the payload's rows: ids by payload field, or the id for its first field. `target` has the target's
   * `payloadColumns`.
   */
  readonly payload: (input: Input, env: Env, target: Readonly<Record<string, unknown>>) => PayloadValue;
  readonly target: CommandTarget<Input>;
  /** Over the target's columns. Compiled to SQL for the writes and to the error of a refusal. */
  readonly policy: Policy;
  /** Common table expressions that write, by name, each from `permitted` or from an earlier write. */
  readonly writes: (s: CommandScope<Input>) => Readonly<Record<string, string>>;
  /** What must hold after the writes; otherwise the statement is rolled back and its error is thrown. */
  readonly ensures?: readonly Ensured[];
  /**
   * The write that returns whole rows of the table of the payload's first field (`returning c.*`), at most one. If
   * nothing else is selected, the payload is read from it; without a row of a permitted command, it is read as usual.
   */
  readonly row?: string;
  /** Completes the error of a refusal by what the input says. */
  readonly refused?: (error: Error, input: Input, env: Env) => Error;
  /** Errors of violated constraints, by constraint name. */
  readonly conflicts?: Readonly<Record<string, (input: Input) => Error>>;
}

/** The row that a command acts on: none if it does not exist or the caller lacks the operation's permission. */
export interface CommandTarget<Input> {
  /** The argument that names it, for errors. */
  readonly field: string;
  /**
   * SQL that joins the target to the viewer `v`: `join contents c on c.id = … for update of c`. By default, the
   * viewer is the target.
   */
  readonly from?: (s: TargetScope<Input>) => string;
  /** Columns by name: the facts that the policy reads, and what the writes need of the row. */
  readonly columns: (s: TargetScope<Input>) => Readonly<Record<string, string>>;
  /** Further columns that errors use. */
  readonly errorColumns?: readonly string[];
  /**
   * Further columns that the payload needs, such as the id of what a deleted row belonged to. Rows of the payload are
   * then read in a second round trip, where they are selected.
   */
  readonly payloadColumns?: readonly string[];
}

/** A condition after the writes. */
export interface Ensured {
  readonly name: string;
  /** SQL over the writes: `(select removed from changed)`. */
  readonly that: string;
  readonly otherwise: (field: string) => Error;
}

interface InputScope<Input> {
  /** A placeholder for a value of the prepared input. */
  value(read: (input: Input, env: Env) => unknown, cast?: string): string;
  /**
   * Whether the prepared input has this value: `read` is not undefined. The statement may leave out what is only for
   * it: each combination has a statement of its own. Which values are asked for must not depend on the answers.
   */
  isGiven(read: (input: Input, env: Env) => unknown): boolean;
  /** A placeholder for the current time (timestamptz). */
  readonly now: string;
}

/** Parameters for the SQL of a target. */
export interface TargetScope<Input> extends InputScope<Input> {
  /** Alias of the viewer's row. */
  readonly viewer: 'v';
  /** The kind of the request's credential. */
  readonly credential: CredentialKind;
}

/** Parameters for the SQL of writes. */
export interface CommandScope<Input> extends InputScope<Input> {
  /** The target with its columns if the policy permits the command, otherwise no row. */
  readonly permitted: 'permitted';
}

/**
 * By field of the payload: ids for `read` fields, plain values for others. An id alone is that of an entity, or of the
 * first field.
 */
export type PayloadValue = string | Readonly<Record<string, unknown>>;
