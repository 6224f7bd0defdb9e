import {
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/**
 * What the client selects of each type that no file in clients/typescript/operations speaks of. Each type becomes one
 * fragment of its own name:
 *
 * - of every object or interface, the fields that are values and need no argument;
 * - of a connection, totalCount, pageInfo and edges with cursor and node;
 * - of payloads and parts, what they hold, whole; of entities, nodes only by a fragment `<Type>Ref`, where there is
 * one.
 */
export class DefaultSelections {
  readonly #written: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #entities: ReadonlySet<string>;
  readonly #generated = new Map<string, string>();

  /** `entities` are the types with an identity. */
  constructor(written: ReadonlyMap<string, FragmentDefinitionNode>, entities: ReadonlySet<string>) {
    this.#written = written;
    this.#entities = entities;
  }

  /** Texts of the fragments that were generated, in name order. */
  get fragments(): string[] {
    return [...this.#generated].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }

  /** ` { ...Type }`, or '' for a type of values. */
  of(type: GraphQLNamedType): string {
    if (isLeafType(type)) return '';
    this.need(type);
    return ` { ...${type.name} }`;
  }

  /** Generates the fragment of a type, if none was written. */
  need(type: GraphQLNamedType): void {
    if (this.#written.has(type.name) || this.#generated.has(type.name)) return;
    this.#generated.set(type.name, ''); // types refer to each other
    if (!hasFields(type)) throw new Error(`clients/typescript/operations has no fragment ${type.name}`);
    this.#generated.set(type.name, `fragment ${type.name} on ${type.name} { ${this.#object(type)} }`);
  }

  #object(type: WithFields): string {
    if (type.name.endsWith('Connection')) return this.#connection(type);
    const isEntity = this.#entities.has(type.name);
    const fields = Object.values(type.getFields()).map((field) => this.#field(field, isEntity));
    return fields.filter((text) => text !== null).join(' ');
  }

  #field(field: GraphQLField<unknown, unknown>, ofEntity: boolean): string | null {
    const type = getNamedType(field.type);
    if (!isSelected(field)) return null;
    if (isLeafType(type)) return field.name;
    if (!hasFields(type) || !Object.values(type.getFields()).some(isSelected)) return null;
    const isNode = type.getInterfaces().some(({ name }) => name === 'Node');
    if (ofEntity && isNode) return this.#written.has(`${type.name}Ref`) ? `${field.name} { ...${type.name}Ref }` : null;
    return `${field.name}${this.of(type)}`;
  }

  #connection(type: WithFields): string {
    const fields = type.getFields();
    const edge = getNamedType(fields.edges?.type);
    const node = isObjectType(edge) ? getNamedType(edge.getFields().node?.type) : undefined;
    const info = getNamedType(fields.pageInfo?.type);
    if (!node || !info) throw new Error(`${type.name} is no connection`);
    return `totalCount pageInfo${this.of(info)} edges { cursor node${this.of(node)} }`;
  }
}

type WithFields = GraphQLObjectType | GraphQLInterfaceType;

function hasFields(type: GraphQLNamedType): type is WithFields {
  return isObjectType(type) || isInterfaceType(type);
}

/** Lists, and objects with arguments, are not selected by default. */
function isSelected({ type, args }: GraphQLField<unknown, unknown>): boolean {
  const named = getNamedType(type);
  return isLeafType(named) ? !args.some(isRequiredArgument) : args.length === 0 && !named.name.endsWith('Connection');
}
