import type { PolicyPort } from '../ports.ts';
import type { Env } from '../register.ts';
import type { CommandScope, StatementCommand, TargetScope } from '../schema/commands.ts';

/** A command's SQL: what stands between the row `allowed` and the final select. */
export interface ComposedCommand {
  /** Common table expressions in their order: `target`, `permitted`, then the writes. */
  readonly ctes: readonly (readonly [name: string, sql: string])[];
  /** Expressions of the target's facts, by name, where the select joins `target`, which is a row or none. */
  readonly returns: readonly (readonly [name: string, sql: string])[];
}

/** Column that shows whether the target exists. */
const FOUND = 'is found';
const OWN_NAMES = ['viewer', 'allowed', 'target', 'permitted'];

/**
 * Combines a command's writes with its policy. `target` is the row that the command acts on, with the facts the policy
 * looks at; `permitted` is that row where the policy allows, else no row. Writes see `permitted` only: one that reads
 * anything else of these, or that does not come from `permitted`, is an error of the program (TypeError), thrown when
 * the operation is planned.
 */
export function composeCommand<Input>(
  command: StatementCommand<never, Input>,
  input: Pick<TargetScope<Input>, 'value' | 'isGiven' | 'now' | 'credential'>,
  policies: PolicyPort,
): ComposedCommand {
  const { target, policy, ensures = [] } = command;
  const { value, isGiven } = input;
  // Reading `now` makes a placeholder, and PostgreSQL refuses one that nothing uses.
  const scope: TargetScope<Input> & CommandScope<Input> = {
    viewer: 'v',
    credential: input.credential,
    permitted: 'permitted',
    value,
    isGiven,
    get now() {
      return input.now;
    },
  };
  const columns = target.columns(scope);
  const facts = policies.columns(policy);
  const missing = facts.filter((name) => !(name in columns));
  if (missing.length > 0) throw new TypeError(`The target lacks what its policy looks at: ${missing.join(', ')}`);
  const selected = Object.entries(columns).map(([name, sql]) => `${sql} as ${quoted(name)}`);
  const from = target.from === undefined ? '' : ` ${target.from(scope)}`;
  const writes = Object.entries(command.writes(scope));
  checkWrites(writes);
  const returned = [...new Set([...facts, ...(target.errorColumns ?? []), ...(target.payloadColumns ?? [])])];
  return {
    ctes: [
      ['target', `select true as ${quoted(FOUND)}, ${selected.join(', ')} from allowed v${from}`],
      ['permitted', `select * from target where ${policies.condition(policy)}`],
      ...writes,
    ],
    returns: [
      ...[FOUND, ...returned].map((name) => [name, `target.${quoted(name)}`] as const),
      ...ensures.map(({ name, that }) => [`ensured:${name}`, `(${ensured(name, that)})`] as const),
    ],
  };
}

/** Rolls back the statement if it wrote and the condition is false: the function raises an error with the name. */
function ensured(name: string, that: string): string {
  return `select case when (${that}) is not true then refuse_write('${name}') end from permitted`;
}

function checkWrites(writes: readonly (readonly [name: string, sql: string])[]): void {
  const permitted = ['permitted'];
  for (const [name, sql] of writes) {
    if (OWN_NAMES.includes(name)) throw new TypeError(`A write cannot be called ${name}`);
    const words = new Set(sql.replace(/'(?:[^']|'')*'/g, "''").match(/\w+/g));
    const unguarded = ['viewer', 'allowed', 'target'].find((relation) => words.has(relation));
    if (unguarded) throw new TypeError(`The write ${name} reads ${unguarded}; a write may only come from permitted`);
    if (!permitted.some((relation) => words.has(relation)))
      throw new TypeError(`The write ${name} does not come from permitted`);
    permitted.push(name);
  }
}

/** The error of a command's policy for the returned row; null when the command was executed. */
export function refusalOf<Input>(
  command: StatementCommand<never, Input>,
  returned: Readonly<Record<string, unknown>>,
  policies: PolicyPort,
  { input, env }: { readonly input: Input; readonly env: Env },
): Error | null {
  const error = policies.refuse(command.policy, returned[FOUND] === true ? returned : null, command.target.field);
  return error && (command.refused?.(error, input, env) ?? error);
}

/** SQLSTATE of what `refuse_write` raises. */
const REFUSED_WRITE = 'RG001';

/** The error for a condition that did not hold after the write, which was undone; null for any other error. */
export function violatedCondition<Input>(command: StatementCommand<never, Input>, error: unknown): Error | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== REFUSED_WRITE) return null;
  return command.ensures?.find(({ name }) => name === error.message)?.otherwise(command.target.field) ?? null;
}

/** The name of a column in SQL: facts keep the spelling they have in JavaScript. */
function quoted(column: string): string {
  return `"${column}"`;
}
