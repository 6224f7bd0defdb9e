import { type FieldNode, type GraphQLArgument, type GraphQLField, isNonNullType, type ValueNode } from 'graphql';
import { AppError } from '../../kernel/errors.ts';
import type { DidKind } from '../did.ts';
import { MAX_PAGE_SIZE } from '../fields.ts';
import type { ArgScope, ArgShape, FieldCost } from './declarations.ts';
import type { StatementBuilder } from './statement-builder.ts';
import { compileValue, type Variables } from './values.ts';

/** The arguments written at one place of a document: readable now (while planning) and at each run. */
export class FieldArguments implements ArgShape {
  readonly #definitions: ReadonlyMap<string, GraphQLArgument>;
  readonly #nodes: ReadonlyMap<string, ValueNode>;
  readonly #planned: Variables;

  /** `planned` are the variables of the run that the plan is made for; only what is in the plan's key may shape it. */
  constructor(field: GraphQLField<unknown, unknown>, node: FieldNode, planned: Variables) {
    this.#definitions = new Map(field.args.map((arg) => [arg.name, arg]));
    this.#nodes = new Map((node.arguments ?? []).map((arg) => [arg.name.value, arg.value]));
    this.#planned = planned;
  }

  /** The value in the run that is being planned. */
  current(name: string): unknown {
    return this.reader(name)(this.#planned);
  }

  /** How to read the value at any run; undefined when absent. A field of an input object is called `filter.language`. */
  reader(name: string): (variables: Variables) => unknown {
    const [argument = '', ...path] = name.split('.');
    const read = this.#argumentReader(argument);
    if (path.length === 0) return read;
    return (variables) => path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), read(variables));
  }

  #argumentReader(name: string): (variables: Variables) => unknown {
    const definition = this.#definitions.get(name);
    if (!definition) throw new TypeError(`There is no argument ${name}`);
    const node = this.#nodes.get(name);
    const { defaultValue, type } = definition;
    if (!node) return () => defaultValue;
    const read = compileValue(node, type);
    if (defaultValue === undefined) return read;
    return (variables) => {
      const value = read(variables);
      return value === undefined ? defaultValue : value;
    };
  }

  /** How to read all of them as one object; throws FIELD_REQUIRED where a variable brought null to a required argument. */
  readers(): (variables: Variables) => Record<string, unknown> {
    const readers = [...this.#definitions.values()].map(({ name, type }) => ({
      name,
      required: isNonNullType(type),
      read: this.reader(name),
    }));
    return (variables) => {
      const values: Record<string, unknown> = {};
      for (const { name, required, read } of readers) {
        const value = read(variables);
        if (value == null && required) throw new AppError('FIELD_REQUIRED', `The argument ${name} must not be null.`, { field: name });
        if (value !== undefined) values[name] = value;
      }
      return values;
    };
  }

  given(name: string): boolean {
    return this.current(name) != null;
  }

  literal(name: string): unknown {
    return this.current(name);
  }

  /** The view of these arguments that declarations build SQL with. */
  scope(builder: StatementBuilder): ArgScope {
    return {
      given: (name) => this.given(name),
      literal: (name) => this.literal(name),
      param: (name, cast) => {
        const read = this.reader(name);
        return builder.param((run) => read(run.variables) ?? null, cast);
      },
      read: (name, make, cast) => {
        const read = this.reader(name);
        return builder.param((run) => {
          const value = read(run.variables);
          return value == null ? null : make(value, name, run);
        }, cast);
      },
      compute: (read, cast) => {
        const values = this.readers();
        return builder.param((run) => read(values(run.variables), run) ?? null, cast);
      },
      did: (name, kinds) => this.#didParam(builder, name, kinds),
    };
  }

  #didParam(builder: StatementBuilder, name: string, kinds: readonly DidKind[]): string {
    const read = this.reader(name);
    return builder.param((run) => {
      const value = read(run.variables);
      return value == null ? null : run.parseDid(value, kinds, name).id;
    }, 'uuid');
  }
}

/** The points that a field declares, with these arguments. */
export function pointsOf(cost: FieldCost | undefined, args: ArgShape): number {
  if (!cost) return 0;
  return cost.reduce((sum, part) => sum + ((part.if?.applies(args) ?? true) ? part.points : 0), 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Which part of a list is asked for. */
export interface Page {
  readonly size: number;
  /** From the start (first) or from the end (last). */
  readonly forward: boolean;
  readonly after: boolean;
  readonly before: boolean;
}

/** Reads first, after, last and before (Relay cursor connections, "Pagination algorithm"). */
export function readPage(args: FieldArguments, defaultSize: number): Page {
  const first = args.current('first');
  const last = args.current('last');
  if (first != null && last != null) {
    throw new AppError('INVALID_INPUT', 'A page is taken from the start or from the end of a list, not from both.', {
      field: 'last',
      suggestedFix: 'Send either first or last.',
    });
  }
  for (const [field, value] of Object.entries({ first, last })) {
    if (value == null || (typeof value === 'number' && value >= 1 && value <= MAX_PAGE_SIZE)) continue;
    throw new AppError('INVALID_INPUT', `${field} must be between 1 and ${MAX_PAGE_SIZE}.`, {
      field,
      suggestedFix: `Ask for at most ${MAX_PAGE_SIZE} entries and continue with ${field === 'first' ? 'after: pageInfo.endCursor' : 'before: pageInfo.startCursor'}.`,
    });
  }
  const size = Number(first ?? last ?? defaultSize);
  return { size, forward: last == null, after: args.current('after') != null, before: args.current('before') != null };
}
