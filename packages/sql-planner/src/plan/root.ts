import {
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
} from 'graphql';
import { propertyKey } from '../documents/response-keys.ts';
import { ShapeState } from '../rows/shape.ts';
import type { ConnectionPlan, OnePlan, PlannedType, RootPlan } from '../schema/declarations.ts';
import { FieldArguments } from './arguments.ts';
import { RootCompiler } from './compile.ts';
import { planNodes } from './nodes.ts';
import { abstractOf, type Code, type PlanningContext } from './position.ts';
import { projectionOf } from './project.ts';
import { buildBranches, type PlannedRead, shapeAll, shapedOf } from './read.ts';
import { collect, compositeOf, hasRepeatedParts, type Selected } from './selection.ts';

/** Plans a root field that reads rows: a row, a list, the viewer's own row, or objects by identifier. */
export function planRoot(context: PlanningContext, selected: Selected, plan: RootPlan): PlannedRead {
  const label = `Query.${selected.field.name}`;
  switch (plan.kind) {
    case 'one':
      return planOne(context, selected, plan, label);
    case 'connection':
      return planList(context, selected, plan, label);
    case 'embed':
      return single(context, selected, label, (compiler) =>
        compiler.row(compiler.start(), compositeOf(selected.field), selected.below),
      );
    case 'node':
    case 'nodes':
      return planNodes(context, selected, plan.kind);
    default:
      throw new TypeError(`${label} is no read`);
  }
}

/**
 * Plans the read of what a command or resolver returned. Null when there is nothing to read: the returned value is the
 * answer.
 */
export function planPayload(context: PlanningContext, selected: Selected): PlannedRead | null {
  const type = getNamedType(selected.field.type);
  const label = `payload.${selected.field.name}`;
  if (abstractOf(type))
    return single(context, selected, label, (compiler) => compiler.readById(compiler.start(false), selected, 'id'));
  if (!isObjectType(type)) return null;
  if (type.extensions.rows) {
    return (type.extensions.rows as PlannedType).table === null // set by Graph
      ? single(context, selected, label, (compiler) => compiler.row(compiler.start(false), type, selected.below))
      : single(context, selected, label, (compiler) => compiler.readById(compiler.start(false), selected, 'id'));
  }
  if (isListType(getNullableType(selected.field.type)) || !readsAnything(context, type, selected)) return null;
  return single(context, selected, label, (compiler) => compiler.row(compiler.start(false), type, selected.below));
}

function readsAnything(context: PlanningContext, type: GraphQLObjectType, selected: Selected): boolean {
  return [...collect(context, type, selected.below, propertyKey).values()].some(
    ({ field }) => (field.extensions.plan as { kind?: string } | undefined)?.kind === 'read',
  );
}

function planOne(context: PlanningContext, selected: Selected, plan: OnePlan, label: string): PlannedRead {
  const planned = single(context, selected, label, (compiler) => compiler.one(compiler.start(), selected, plan));
  const { missing } = plan;
  if (!missing) return planned;
  const { instead } = missing;
  const args = new FieldArguments(context.ports, selected.field, selected.node, context.variables);
  const field = instead !== undefined && args.given(instead) ? instead : missing.field;
  return orElse(planned, () => context.ports.errors.notFound(field));
}

function planList(context: PlanningContext, selected: Selected, plan: ConnectionPlan, label: string): PlannedRead {
  const planned = single(context, selected, label, (compiler) => compiler.connection(compiler.start(), selected, plan));
  const { denied } = plan;
  return denied ? orElse(planned, () => context.ports.errors.listDenied(denied.field)) : planned;
}

/** The read, with an error where it has no value. */
function orElse(planned: PlannedRead, error: () => Error): PlannedRead {
  return {
    ...planned,
    shape(rows, input) {
      const shaped = planned.shape(rows, input);
      return shaped.value === null ? { ...shaped, value: error() } : shaped;
    },
  };
}

function single(
  context: PlanningContext,
  selected: Selected,
  label: string,
  compile: (compiler: RootCompiler) => Code,
): PlannedRead {
  const type = getNamedType(selected.field.type);
  const isRepeated = isCompositeType(type) && hasRepeatedParts(context, type, selected.below);
  const compiler = new RootCompiler(context, isRepeated);
  const code = compile(compiler);
  const [main] = compiler.branches;
  if (main) main.value = code.text;
  const built = buildBranches(compiler, label);
  const project = isRepeated ? projectionOf(context, getNullableType(selected.field.type), selected.below) : null;
  return {
    statements: built.map(({ prepared }) => prepared),
    cost: code.cost,
    shape(rows, input) {
      const state = new ShapeState();
      const value = shapeAll(built, rows, input, state);
      return shapedOf(project ? project(value, state) : value, state);
    },
  };
}
