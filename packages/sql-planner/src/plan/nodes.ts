import { type GraphQLSchema, isInterfaceType } from 'graphql';
import { ShapeState } from '../rows/shape.ts';
import type { PlannedType } from '../schema/declarations.ts';
import { MAX_PAGE_SIZE } from '../schema/fields.ts';
import { VIEWER } from '../statements/statement-builder.ts';
import { FieldArguments } from './arguments.ts';
import { RootCompiler } from './compile.ts';
import { type PlanningContext, scopeOf } from './position.ts';
import { projectionOf } from './project.ts';
import { buildBranches, type PlannedRead, shapeAll, shapedOf } from './read.ts';
import { compositeOf, hasRepeatedParts, type Selected } from './selection.ts';

/** One chain of statements per kind of object that is requested; the kinds are part of the plan's key. */
export function planNodes(context: PlanningContext, selected: Selected, kind: 'node' | 'nodes'): PlannedRead {
  const { ids, errors } = context.ports;
  const argument = kind === 'node' ? 'id' : 'ids';
  const read = new FieldArguments(context.ports, selected.field, selected.node, context.variables).reader(argument);
  const textsOf = (variables: PlanningContext['variables']) => {
    const value = read(variables);
    const texts = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'string');
    if (texts.length <= MAX_PAGE_SIZE) return texts;
    throw errors.invalidArgument(`At most ${MAX_PAGE_SIZE} objects can be read at once.`, {
      field: 'ids',
      suggestedFix: `Send the identifiers in groups of at most ${MAX_PAGE_SIZE}.`,
    });
  };
  const requested = textsOf(context.variables);
  const present = new Set(requested.map((text) => ids.kindOf(text)));
  const parts = entitiesOf(context, selected).flatMap(({ type, key, node: { kinds, where } }) => {
    if (!kinds.some((name) => present.has(name))) return [];
    const isRepeated = hasRepeatedParts(context, type, selected.below);
    const compiler = new RootCompiler(context, isRepeated);
    const at = compiler.byKeys(compiler.start(), type, (alias, builder) => {
      const scope = scopeOf(builder, VIEWER);
      const keys = builder.param(
        ({ variables }) => textsOf(variables).flatMap((text) => keyOf(text) ?? []),
        `${ids.keyType}[]`,
      );
      return `${alias}.${key} = any(${keys}) and (${where(alias, scope)})`;
    });
    const keyOf = (text: string) => {
      const found = ids.parse(text);
      return found && kinds.includes(found.kind) ? found.id : null;
    };
    const code = compiler.row(at, type, selected.below, true);
    if (at.depth.level) at.depth.level.entry = code.text;
    const project = isRepeated ? projectionOf(context, compositeOf(selected.field), selected.below) : null;
    return [{ kinds, project, built: buildBranches(compiler, `Query.${kind}`), cost: 1 + code.cost }];
  });
  const highest = Math.max(1, ...parts.map(({ cost }) => cost));
  return {
    statements: parts.flatMap(({ built }) => built.map(({ prepared }) => prepared)),
    cost: highest * Math.max(1, requested.length),
    shape(rows, input) {
      const state = new ShapeState();
      let points = 0;
      let isComplete = true;
      let offset = 0;
      const found = parts.map(({ kinds, project, built }) => {
        const part = new ShapeState();
        // byKeys makes a Map.
        const objects = shapeAll(built, rows.slice(offset, offset + built.length), input, part) as ReadonlyMap<
          string,
          unknown
        >;
        offset += built.length;
        points += part.points;
        isComplete &&= part.isComplete;
        return { kinds, project, objects };
      });
      const objects = textsOf(input.variables).map((text) => {
        // One of many that is none does not take the others with it.
        const parsed = kind === 'node' ? ids.require(text, null, argument) : ids.parse(text);
        if (!parsed) return null;
        const part = found.find(({ kinds }) => kinds.includes(parsed.kind));
        const object = part?.objects.get(parsed.id) ?? null;
        return part?.project ? part.project(object, state) : object;
      });
      const shaped = shapedOf(kind === 'node' ? objects[0] : objects, state);
      return { value: shaped.value, points, isComplete: isComplete && shaped.isComplete };
    },
  };
}

/** Names of the types of objects that `node(id)` returns. */
export function nodeTypes(schema: GraphQLSchema): ReadonlySet<string> {
  const types = Object.values(schema.getTypeMap());
  const isNode = ({ extensions }: (typeof types)[number]) => (extensions.rows as PlannedType | undefined)?.node;
  return new Set(types.filter(isNode).map(({ name }) => name));
}

function entitiesOf(context: PlanningContext, selected: Selected) {
  const type = compositeOf(selected.field);
  const possible = isInterfaceType(type) ? context.schema.getPossibleTypes(type) : [];
  return possible.flatMap((candidate) => {
    const rows = candidate.extensions.rows as PlannedType | undefined; // set by Graph
    return rows?.node ? [{ type: candidate, key: rows.key, node: rows.node }] : [];
  });
}
