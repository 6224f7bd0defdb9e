import {
  type GraphQLCompositeType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { composeCommand } from '../command/compose-command.ts';
import { responseKey } from '../documents/response-keys.ts';
import type { ViewerScope } from '../ports.ts';
import type { Access } from '../register.ts';
import { Branch } from '../rows/branch.ts';
import { objectLiteral } from '../rows/object-literal.ts';
import { type Shape, type Shaped, type ShapeInput, ShapeState } from '../rows/shape.ts';
import type { StatementCommand, TargetScope } from '../schema/commands.ts';
import type { FieldPlan, MutationPlan } from '../schema/declarations.ts';
import type { Row } from '../statements/sql.ts';
import { type Prepared, StatementBuilder, VIEWER } from '../statements/statement-builder.ts';
import type { GivenValue, PlannedInput } from './command-variants.ts';
import { RootCompiler } from './compile.ts';
import { abstractOf, type PlanningContext, rowsOf } from './position.ts';
import { shapedOf } from './read.ts';
import { collect, hasRepeatedParts, type Selected } from './selection.ts';

/** A statement command for the values that one input gives, ready to be sent. */
export interface PlannedCommand {
  readonly prepared: Prepared;
  readonly shapedBy: readonly GivenValue[];
  /** Whether nothing was done because the precondition is not met. */
  isUnmet(row: Row): boolean;
  /** The returned facts of the target, by name. */
  outcome(row: Row): Record<string, unknown>;
  /** Where the statement also reads the payload: its value, null when nothing was changed. */
  readonly payload: ((rows: readonly Row[], input: ShapeInput) => Shaped) | null;
  /** For commands that read long texts: the same question without the writes, asked before they are read. */
  readonly permission: CommandPermission | null;
}

/** Whether a command would be executed. */
export type CommandPermission = Pick<PlannedCommand, 'prepared' | 'isUnmet' | 'outcome'>;

/** What a mutation declares of its command. */
type CommandPlan = Pick<MutationPlan, 'extras' | 'main'> & { readonly command: StatementCommand<never, never> };

/**
 * Puts the command's CTEs behind `viewer` and `allowed`; column 0 is the packed viewer. When the command returns whole
 * rows of the payload's table and the selection needs nothing beyond that row, the payload is read of it: another
 * statement would have to see the change, and one is cheaper than two.
 */
export function planCommand(
  context: PlanningContext,
  selected: Selected,
  access: Access,
  { command, extras, main }: CommandPlan,
  input: PlannedInput,
): PlannedCommand {
  const label = `Mutation.${selected.field.name}`;
  const { ports, credential } = context;
  const precondition = ports.permissions.precondition(extras, credential);
  const start = (composing = command) => {
    const builder = new StatementBuilder(ports.viewer, credential);
    builder.column(`${VIEWER}.packed`);
    const { scope, shapedBy } = commandScope(builder, input);
    const allowed = ports.permissions.condition(access, credential, viewerScope(builder, scope));
    const met =
      precondition === null
        ? ''
        : ` and ((${precondition}) or ${builder.param((input) => input.isPreconditionMet, 'boolean')})`;
    builder.cte('allowed', `(select u.* from viewer u where ${allowed}${met})`);
    const composed = composeCommand(composing, scope, ports.policies);
    for (const [name, sql] of composed.ctes) builder.cte(name, `(${sql})`);
    builder.join('left join target on true');
    const unmet = met === '' ? null : builder.column(`(select not (${met.slice(' and '.length)}) from viewer u)`);
    const returns = composed.returns.map(([name, sql]) => [name, builder.column(sql)] as const);
    const isUnmet = (row: Row) => unmet !== null && row[unmet] === true;
    const outcome = (row: Row) => {
      const facts: Record<string, unknown> = {};
      for (const [name, index] of returns) facts[name] = row[index];
      return facts;
    };
    return { builder, shapedBy, isUnmet, outcome };
  };
  const { builder, shapedBy, isUnmet, outcome } = start();
  const permission = command.parse ? permissionOf(start({ ...command, writes: () => ({}), ensures: [] }), label) : null;
  const shape = command.row === undefined ? null : planRow(context, selected, builder, { cte: command.row, main });
  if (!shape)
    return {
      prepared: (command.row === undefined ? builder : start().builder).build(label),
      isUnmet,
      outcome,
      payload: null,
      permission,
      shapedBy,
    };
  return {
    prepared: builder.build(label),
    isUnmet,
    outcome,
    permission,
    shapedBy,
    payload(rows, input) {
      const state = new ShapeState();
      return shapedOf(shape(rows, input, state), state);
    },
  };
}

function permissionOf(
  { builder, ...answer }: Omit<CommandPermission, 'prepared'> & { readonly builder: StatementBuilder },
  label: string,
): CommandPermission {
  return { ...answer, prepared: builder.build(`${label}.permission`) };
}

/** The payload over the row of a CTE; null when the selection needs more than that row. */
function planRow(
  context: PlanningContext,
  selected: Selected,
  builder: StatementBuilder,
  { cte, main }: { readonly cte: string; readonly main: (() => string) | undefined },
): Shape | null {
  const answer = getNamedType(selected.field.type);
  if (!isCompositeType(answer) || hasRepeatedParts(context, answer, selected.below)) return null;
  const found = rowIn(context, answer, selected, main);
  if (!found) return null;
  const { type, below, around } = found;
  const compiler = new RootCompiler(context, false);
  const branch = new Branch(builder);
  compiler.branches.push(branch);
  builder.join(`left join ${cte} on true`);
  const { relations } = builder;
  const present = builder.column(`${cte}.${rowsOf(type).key}`);
  const depth = { branch, builder, keys: [], continued: false, level: null };
  const code = compiler.row({ alias: cte, steps: [], depth }, type, below);
  if (builder.relations > relations || compiler.branches.length > 1) return null;
  branch.value = `row[${present}]===null?null:(state.points++,${around(code.text)})`;
  return branch.shape(compiler.constants);
}

/** A selection of one entity. */
interface RowSelection {
  readonly type: GraphQLCompositeType;
  readonly below: readonly SelectionSetNode[];
  /** Code for the answer with the entity, which `text` is code for. */
  readonly around: (text: string) => string;
}

/** The entity whose row the command returns: the answer itself, or its first field, if nothing else is selected. */
function rowIn(
  context: PlanningContext,
  answer: GraphQLCompositeType,
  selected: Selected,
  main: (() => string) | undefined,
): RowSelection | null {
  const { below } = selected;
  if (hasRows(answer)) return { type: answer, below, around: (text) => text };
  if (!isObjectType(answer) || !main) return null;
  const fields = [...collect(context, answer, below, responseKey)];
  const [read, ...others] = fields.filter(([, { field }]) => field !== TypeNameMetaFieldDef);
  if (!read || others.length > 0) return null;
  const [name, { field, below: inner }] = read;
  if (field.name !== main()) return null;
  const type = getNamedType(field.type);
  const { kind } = field.extensions.plan as FieldPlan; // set by Graph
  if (kind !== 'read' || !hasRows(type)) return null;
  const around = (text: string) =>
    objectLiteral(fields.map(([key]) => [key, key === name ? text : JSON.stringify(answer.name)]));
  return { type, below: inner, around };
}

function hasRows(type: GraphQLNamedType): type is GraphQLObjectType | GraphQLInterfaceType {
  return isObjectType(type) ? type.extensions.rows !== undefined : isInterfaceType(type) && !!abstractOf(type);
}

/** Parameters for the SQL of a command, and what it asks about its input. */
function commandScope(
  builder: StatementBuilder,
  input: PlannedInput,
): { scope: Pick<TargetScope<never>, 'value' | 'isGiven' | 'now' | 'credential'>; shapedBy: GivenValue[] } {
  let now: string | undefined;
  const shapedBy: GivenValue[] = [];
  const scope = {
    credential: builder.credential,
    // `prepared` is what prepare made for this very statement.
    value: (read: GivenValue, cast?: string) =>
      builder.param(({ prepared, env }) => read(prepared as never, env) ?? null, cast),
    isGiven(read: GivenValue) {
      shapedBy.push(read);
      return input.has(read);
    },
    get now() {
      now ??= builder.param((given) => given.now, 'timestamptz');
      return now;
    },
  };
  return { scope, shapedBy };
}

/** Reading `now` makes a placeholder, and PostgreSQL refuses one that nothing uses. */
function viewerScope(builder: StatementBuilder, scope: { readonly now: string }): ViewerScope {
  return {
    viewer: 'u',
    get now() {
      return scope.now;
    },
    constant: (value, cast) => builder.param(() => value, cast),
  };
}
