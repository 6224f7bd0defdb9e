import { getNamedType, isObjectType } from 'graphql';
import type { Access } from '../../kernel/permissions.ts';
import type { RequestContext } from '../request-context.ts';
import { plansAllowing } from '../viewer.ts';
import { Branch } from './branch.ts';
import { type PlanningContext, RootCompiler, rowsOf } from './compile.ts';
import { composeCommand } from './compose-command.ts';
import type { CommandScope, StatementCommand } from './declarations.ts';
import type { Selected } from './selection.ts';
import { type Row, type Shape, ShapeState } from './shape.ts';
import { type Prepared, StatementBuilder, VIEWER } from './statement-builder.ts';

/** A statement command, ready to be sent. */
export interface CommandPlanned {
  readonly prepared: Prepared;
  /** Whether nothing was done because the account limits its key and nothing was taken from its budgets yet. */
  isHeld(row: Row, run: RequestContext): boolean;
  /** What the statement tells, by name. */
  outcome(row: Row): Record<string, unknown>;
  /** Where the statement also reads the payload: its value, or null when nothing was changed. */
  readonly payload: ((rows: readonly Row[], run: RequestContext) => unknown) | null;
}

/**
 * Puts the command's CTEs behind `viewer` and `allowed`; column 0 is the packed viewer. When the command returns whole
 * rows of the payload's table and the selection asks for nothing beyond that row, the payload is read of it: another
 * statement would have to see the change, and one is cheaper than two.
 */
export function planCommand(
  context: PlanningContext,
  selected: Selected,
  access: Access,
  command: StatementCommand<never, never>,
  spends: boolean,
): CommandPlanned {
  const label = `Mutation.${selected.field.name}`;
  const isLimitable = spends && (context.credential === 'key' || context.credential === 'oauth');
  const start = () => {
    const builder = new StatementBuilder(context.viewerSource, context.credential);
    builder.column(`${VIEWER}.packed`);
    const scope = commandScope(builder);
    const unheld = isLimitable ? ` and (not u.key_limited or ${builder.param((run) => run.isBudgeted, 'boolean')})` : '';
    builder.cte('allowed', `(select u.* from viewer u where ${allowedIf(access, context, builder, scope)}${unheld})`);
    const composed = composeCommand(command, scope);
    for (const [name, sql] of composed.ctes) builder.cte(name, `(${sql})`);
    const limited = isLimitable ? builder.column(`${VIEWER}.key_limited`) : null;
    const returns = composed.returns.map(([name, sql]) => [name, builder.column(`(${sql})`)] as const);
    return { builder, returns, limited };
  };
  const { builder, returns, limited } = start();
  const isHeld = (row: Row, run: RequestContext) => limited !== null && row[limited] === true && !run.isBudgeted;
  const outcome = (row: Row) => {
    const told: Record<string, unknown> = {};
    for (const [name, index] of returns) told[name] = row[index];
    return told;
  };
  const shape = command.row === undefined ? null : planRow(context, selected, builder, command.row);
  if (!shape) return { prepared: (command.row === undefined ? builder : start().builder).build(label), isHeld, outcome, payload: null };
  return {
    prepared: builder.build(label),
    isHeld,
    outcome,
    payload(rows, run) {
      const state = new ShapeState();
      const value = shape(rows, run, state);
      run.produced += state.made;
      return value;
    },
  };
}

/** The payload over the row of a CTE; null when the selection needs more than that row. */
function planRow(context: PlanningContext, selected: Selected, builder: StatementBuilder, cte: string): Shape | null {
  const type = getNamedType(selected.field.type);
  if (!isObjectType(type) || !type.extensions.rows) return null;
  const compiler = new RootCompiler(context);
  const branch = new Branch(builder);
  compiler.branches.push(branch);
  builder.join(`left join ${cte} on true`);
  const joins = builder.joins;
  const present = builder.column(`${cte}.${rowsOf(type).key}`);
  const depth = { branch, keys: [], continued: false, level: null };
  const code = compiler.row({ alias: cte, steps: [], depth }, type, selected.below);
  if (builder.joins > joins || compiler.branches.length > 1) return null;
  branch.value = `row[${present}]===null?null:(state.made++,${code.text})`;
  return branch.shape(compiler.constants);
}

function commandScope(builder: StatementBuilder): Pick<CommandScope<never>, 'value' | 'now'> {
  let now: string | undefined;
  return {
    // `input` is what prepare made in this very run.
    value: (read, cast) => builder.param((run) => read(run.input as never, run) ?? null, cast),
    get now() {
      now ??= builder.param((run) => run.nowIso, 'timestamptz');
      return now;
    },
  };
}

function allowedIf(access: Access, context: PlanningContext, builder: StatementBuilder, scope: { readonly now: string }): string {
  if (access === 'public') return 'u.account_id is not null';
  const { always, whileCurrent } = plansAllowing(access, context.credential);
  const plans = (list: readonly string[]) => {
    // Codes of plans need no quotes; an array would be written as this text again for each run.
    const literal = `{${list.join(',')}}`;
    return `u.plan = any(${builder.param(() => literal, 'text[]')})`;
  };
  if (always.length > 0) return plans(always);
  return `${plans(whileCurrent)} and u.access_until > ${scope.now}`;
}
