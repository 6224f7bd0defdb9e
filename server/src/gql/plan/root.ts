import { type GraphQLObjectType, getNamedType, getNullableType, isInterfaceType, isListType, isObjectType } from 'graphql';
import { AppError } from '../../kernel/errors.ts';
import { DID_KINDS, parseDid } from '../did.ts';
import { MAX_PAGE_SIZE } from '../fields.ts';
import type { RequestContext } from '../request-context.ts';
import { FieldArguments } from './arguments.ts';
import { type PlanningContext, RootCompiler } from './compile.ts';
import type { ConnectionPlan, OnePlan, PlannedType, RootPlan } from './declarations.ts';
import { collect, compositeOf, type Selected } from './selection.ts';
import { type Row, type Shape, ShapeState } from './shape.ts';
import { type Prepared, VIEWER } from './statement-builder.ts';

/** A planned read: its statements, and how their rows become a value. */
export interface ReadPlanned {
  readonly statements: readonly Prepared[];
  readonly cost: number;
  /** `rows` are those of `statements`, in order. */
  value(rows: readonly (readonly Row[])[], run: RequestContext): unknown;
}

/** Plans a root field that reads rows: a row, a list, the viewer's own row, or objects by DID. */
export function planRoot(context: PlanningContext, selected: Selected, plan: RootPlan): ReadPlanned {
  const label = `Query.${selected.field.name}`;
  switch (plan.kind) {
    case 'one':
      return planOne(context, selected, plan, label);
    case 'connection':
      return planList(context, selected, plan, label);
    case 'embed':
      return single(context, label, (compiler) => compiler.row(compiler.start(), compositeOf(selected.field), selected.below));
    case 'node':
    case 'nodes':
      return planNodes(context, selected, plan.kind);
    default:
      throw new TypeError(`${label} is no read`);
  }
}

/**
 * Plans the read of what a command or resolver returned. Null when there is nothing to read: the returned value is
 * the answer.
 */
export function planPayload(context: PlanningContext, selected: Selected): ReadPlanned | null {
  const type = getNamedType(selected.field.type);
  const label = `payload.${selected.field.name}`;
  if (!isObjectType(type)) return null;
  if (type.extensions.rows) {
    return (type.extensions.rows as PlannedType).table === null // set by Graph
      ? single(context, label, (compiler) => compiler.row(compiler.start(false), type, selected.below))
      : single(context, label, (compiler) => compiler.readById(compiler.start(false), selected, 'id'));
  }
  if (isListType(getNullableType(selected.field.type)) || !readsAnything(context, type, selected)) return null;
  return single(context, label, (compiler) => compiler.row(compiler.start(false), type, selected.below));
}

function readsAnything(context: PlanningContext, type: GraphQLObjectType, selected: Selected): boolean {
  return [...collect(context, type, selected.below).values()].some(
    ({ field }) => (field.extensions.plan as { kind?: string } | undefined)?.kind === 'read',
  );
}

function planOne(context: PlanningContext, selected: Selected, plan: OnePlan, label: string): ReadPlanned {
  const planned = single(context, label, (compiler) => compiler.one(compiler.start(), selected, plan));
  const { missing } = plan;
  if (!missing) return planned;
  const { instead } = missing;
  const blamesOther =
    instead !== undefined && new FieldArguments(selected.field, selected.node, context.variables).current(instead) != null;
  const field = blamesOther ? instead : missing.field;
  return { ...planned, value: (rows, run) => planned.value(rows, run) ?? new AppError('RESOURCE_NOT_FOUND', undefined, { field }) };
}

function planList(context: PlanningContext, selected: Selected, plan: ConnectionPlan, label: string): ReadPlanned {
  const planned = single(context, label, (compiler) => compiler.connection(compiler.start(), selected, plan));
  const { denied } = plan;
  if (!denied) return planned;
  return { ...planned, value: (rows, run) => planned.value(rows, run) ?? notYours(denied.field) };
}

function notYours(field: string): AppError {
  return new AppError('UNAUTHORIZED', 'You may not read this list of that object, or there is no such object.', {
    field,
    suggestedFix: 'Check the identifier, and your role in the channel it names or belongs to.',
  });
}

function single(context: PlanningContext, label: string, compile: (compiler: RootCompiler) => { text: string; cost: number }): ReadPlanned {
  const compiler = new RootCompiler(context);
  const code = compile(compiler);
  const [main] = compiler.branches;
  if (main) main.value = code.text;
  const built = build(compiler, label);
  return { statements: built.map(({ prepared }) => prepared), cost: code.cost, value: (rows, run) => shapeAll(built, rows, run) };
}

function build(compiler: RootCompiler, label: string): Array<{ prepared: Prepared; shape: Shape }> {
  return compiler.branches.map((branch) => branch.build(label, compiler.constants));
}

function shapeAll(built: ReadonlyArray<{ shape: Shape }>, rows: readonly (readonly Row[])[], run: RequestContext): unknown {
  const state = new ShapeState();
  const value = built[0]?.shape(rows[0] ?? [], run, state);
  for (let index = 1; index < built.length; index += 1) built[index]?.shape(rows[index] ?? [], run, state);
  for (const connection of state.unfinished) connection.finish();
  run.produced += state.made;
  return value;
}

/** One chain of statements per kind of object asked for; the kinds are part of the plan's key. */
function planNodes(context: PlanningContext, selected: Selected, kind: 'node' | 'nodes'): ReadPlanned {
  const argument = kind === 'node' ? 'id' : 'ids';
  const args = new FieldArguments(selected.field, selected.node, context.variables);
  const read = args.reader(argument);
  const wanted = wantedIds(read(context.variables));
  const parts = entitiesOf(context, selected).flatMap(({ type, kinds, where }) => {
    if (!wanted.some((id) => kinds.some((name) => id.includes(`:${DID_KINDS[name]}/`)))) return [];
    const compiler = new RootCompiler(context);
    const idsOf = (run: RequestContext) =>
      wantedIds(read(run.variables)).flatMap((id) => {
        const did = parseDid(run.namespace, id);
        return did && kinds.includes(did.kind) ? [did.id] : [];
      });
    const at = compiler.byKeys(compiler.start(), type, (alias, builder) => {
      const scope = { t: VIEWER, viewer: VIEWER, param: builder.param.bind(builder) };
      return `${alias}.${(type.extensions.rows as PlannedType).key} = any(${builder.param(idsOf, 'uuid[]')}) and (${where(alias, scope)})`; // set by Graph
    });
    const code = compiler.row(at, type, selected.below, true);
    if (at.depth.level) at.depth.level.node = code.text;
    const built = build(compiler, `Query.${kind}`);
    return [{ kinds, built, cost: 1 + code.cost }];
  });
  const statements = parts.flatMap(({ built }) => built.map(({ prepared }) => prepared));
  const dearest = Math.max(1, ...parts.map(({ cost }) => cost));
  return {
    statements,
    cost: dearest * Math.max(1, wanted.length),
    value(rows, run) {
      let offset = 0;
      const found = parts.map(({ kinds, built }) => {
        const value = shapeAll(built, rows.slice(offset, offset + built.length), run);
        offset += built.length;
        return { kinds, objects: value as ReadonlyMap<string, unknown> }; // byKeys makes a Map
      });
      const objects = wantedIds(read(run.variables)).map((text) => {
        const did = run.parseDid(text, Object.keys(DID_KINDS) as Array<keyof typeof DID_KINDS>, argument); // Object.keys widens
        return found.find(({ kinds }) => kinds.includes(did.kind))?.objects.get(did.id) ?? null;
      });
      return kind === 'node' ? objects[0] : objects;
    },
  };
}

function wantedIds(value: unknown): string[] {
  const ids = Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [value].filter((id) => typeof id === 'string');
  if (ids.length > MAX_PAGE_SIZE) {
    throw new AppError('INVALID_INPUT', `At most ${MAX_PAGE_SIZE} objects can be read at once.`, {
      field: 'ids',
      suggestedFix: `Send the identifiers in groups of at most ${MAX_PAGE_SIZE}.`,
    });
  }
  return ids;
}

function entitiesOf(context: PlanningContext, selected: Selected) {
  const type = compositeOf(selected.field);
  const possible = isInterfaceType(type) ? context.schema.getPossibleTypes(type) : [];
  return possible.flatMap((candidate) => {
    const rows = candidate.extensions.rows as PlannedType | undefined; // set by Graph
    return rows?.node ? [{ type: candidate, ...rows.node }] : [];
  });
}
