import type { Env, Policy } from '../register.ts';

/**
 * A mutation whose command is one SQL statement, sent in the same round trip as the read of its payload. It says what
 * it acts on (`target`) and who may (`policy`); its writes come from the rows that the policy permits and from nothing
 * else.
 */
export interface StatementCommand<Args, Input> {
  /**
   * Validates the arguments and makes new identifiers; may throw. Nothing has been sent yet and the viewer is unknown.
   */
  readonly prepare: (args: Args, env: Env) => Input;
  /** Names the payload's rows: the id of the payload entity, or ids by payload field. */
  readonly payload: (input: Input, env: Env) => PayloadValue;
  readonly target: CommandTarget<Input>;
  /** Over the target's columns. Turned into SQL for the writes and into the error of a refusal. */
  readonly policy: Policy;
  /** Common table expressions that write, name to SQL, each from `permitted` or from a write before it. */
  readonly writes: (s: CommandScope<Input>) => Readonly<Record<string, string>>;
  /** What must hold after the writes; where one does not, the statement is undone and its error is thrown. */
  readonly ensures?: readonly Ensured[];
  /**
   * The write that returns whole rows of the payload's table (`returning c.*`), at most one. The payload is then read
   * of it when nothing else is selected; where it has no row although nothing was refused, the payload is read as
   * usual.
   */
  readonly row?: string;
  /** Violated constraints (by constraint name) as errors. */
  readonly conflicts?: Readonly<Record<string, (input: Input) => Error>>;
}

/**
 * The one row a command acts on: none where there is no such thing, or where the caller lacks the operation's
 * permission.
 */
export interface CommandTarget<Input> {
  /** The argument that names it, for errors. */
  readonly field: string;
  /**
   * SQL that joins the target to the viewer `v`: `join contents c on c.id = … for update of c`. Left out: the viewer
   * alone is the target.
   */
  readonly from?: (s: TargetScope<Input>) => string;
  /** Columns by name: the facts that the policy looks at, and what the writes need of the row. */
  readonly columns: (s: TargetScope<Input>) => Readonly<Record<string, string>>;
  /** Columns that errors tell besides those that the policy looks at. */
  readonly tells?: readonly string[];
}

/** A condition on what was written. */
export interface Ensured {
  readonly name: string;
  /** SQL over the writes: `(select removed from changed)`. */
  readonly that: string;
  readonly otherwise: (field: string) => Error;
}

interface InputScope<Input> {
  /** A placeholder for a value of the prepared input. */
  value(read: (input: Input, env: Env) => unknown, cast?: string): string;
  /** A placeholder for the present instant (timestamptz). */
  readonly now: string;
}

/** What the SQL of a target is built with. */
export interface TargetScope<Input> extends InputScope<Input> {
  /** Alias of the viewer's row. */
  readonly viewer: 'v';
}

/** What the SQL of writes is built with. */
export interface CommandScope<Input> extends InputScope<Input> {
  /** The target where the policy permits the command, with the target's columns; else no row. */
  readonly permitted: 'permitted';
}

/** An id (payload is an entity), or by field of the payload type: ids for `read` fields, plain values for others. */
export type PayloadValue = string | Readonly<Record<string, unknown>>;
