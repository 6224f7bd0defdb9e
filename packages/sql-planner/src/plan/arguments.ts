import { type FieldNode, type GraphQLArgument, type GraphQLField, isNonNullType, type ValueNode } from 'graphql';
import { compileValue, type Variables } from '../documents/values.ts';
import type { Ports } from '../ports.ts';
import type { IdKind } from '../register.ts';
import type { ArgScope, ArgShape } from '../schema/declarations.ts';
import type { StatementBuilder } from '../statements/statement-builder.ts';

/** The arguments written at one place of a document: readable now (while planning) and for each request. */
export class FieldArguments implements ArgShape {
  readonly #definitions: ReadonlyMap<string, GraphQLArgument>;
  readonly #nodes: ReadonlyMap<string, ValueNode>;
  readonly #planned: Variables;
  readonly #ports: Ports;

  /**
   * `planned` are the variables of the request that the plan is made for; only what is in the plan's key may shape it.
   */
  constructor(ports: Ports, field: GraphQLField<unknown, unknown>, node: FieldNode, planned: Variables) {
    this.#ports = ports;
    this.#definitions = new Map(field.args.map((arg) => [arg.name, arg]));
    this.#nodes = new Map((node.arguments ?? []).map((arg) => [arg.name.value, arg.value]));
    this.#planned = planned;
  }

  /** The value in the request that is being planned. */
  current(name: string): unknown {
    return this.reader(name)(this.#planned);
  }

  /**
   * How to read the value of any request; undefined when absent. A field of an input object is called
   * `filter.language`.
   */
  reader(name: string): (variables: Variables) => unknown {
    const [argument = '', ...path] = name.split('.');
    const read = this.#argumentReader(argument);
    if (path.length === 0) return read;
    return (variables) =>
      path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), read(variables));
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

  /** How to read all of them as one object; throws where a variable brought null to a required argument. */
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
        if (value == null && required) throw this.#ports.errors.missingArgument(name);
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
        return builder.param(({ variables }) => read(variables) ?? null, cast);
      },
      read: (name, make, cast) => {
        const read = this.reader(name);
        return builder.param(({ variables, env }) => {
          const value = read(variables);
          return value == null ? null : make(value, name, env);
        }, cast);
      },
      compute: (read, cast) => {
        const values = this.readers();
        return builder.param(({ variables, env }) => read(values(variables), env) ?? null, cast);
      },
      id: (name, kinds) => this.#idParam(builder, name, kinds),
    };
  }

  #idParam(builder: StatementBuilder, name: string, kinds: readonly IdKind[]): string {
    const { ids } = this.#ports;
    const read = this.reader(name);
    return builder.param(({ variables }) => {
      const value = read(variables);
      return value == null ? null : ids.require(value, kinds, name).id;
    }, ids.keyType);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
