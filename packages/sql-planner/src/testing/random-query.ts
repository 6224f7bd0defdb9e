import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** Whole numbers below a limit: the same seed gives the same queries. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export interface RandomQuery {
  readonly text: string;
  readonly variables: Record<string, unknown>;
}

/** Generates valid queries for the read fields of the example schema. */
export class QueryMaker {
  readonly #schema: GraphQLSchema;
  readonly #random: (below: number) => number;
  readonly #ids: readonly string[];
  #fragments: string[] = [];
  #variables: Record<string, unknown> = {};
  #definitions: string[] = [];
  #names = 0;

  constructor(schema: GraphQLSchema, ids: readonly string[], random: (below: number) => number) {
    this.#schema = schema;
    this.#ids = ids;
    this.#random = random;
  }

  make(): RandomQuery {
    this.#fragments = [];
    this.#variables = {};
    this.#definitions = [];
    this.#names = 0;
    const roots = ['me', 'makers', 'things', 'node', 'nodes'];
    const type = this.#schema.getQueryType();
    if (!type) throw new Error('no query type');
    const parts = Array.from({ length: 1 + this.#random(2) }, (_, index) => {
      const field = type.getFields()[roots[this.#random(roots.length)] ?? 'me'];
      return field ? `r${index}: ${this.#field(field, 0)}` : '';
    });
    const head = this.#definitions.length > 0 ? `query Q(${this.#definitions.join(', ')})` : 'query Q';
    return { text: `${head} { ${parts.join(' ')} }\n${this.#fragments.join('\n')}`, variables: this.#variables };
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const named = getNamedType(field.type);
    const below = isLeafType(named) ? '' : ` ${this.#set(named, depth + 1)}`;
    return `${field.name}${this.#args(field)}${this.#directive()}${below}`;
  }

  #set(type: GraphQLNamedType, depth: number): string {
    if (isInterfaceType(type) && this.#random(3) > 0) {
      const parts = this.#schema
        .getPossibleTypes(type)
        .map((possible) => `... on ${possible.name} ${this.#fields(possible, depth)}`);
      const common = this.#random(2) === 0 ? '__typename' : `... on ${type.name} ${this.#fields(type, depth)}`;
      return `{ ${common} ${parts.join(' ')} }`;
    }
    if (!isObjectType(type) && !isInterfaceType(type)) throw new Error(`${type.name} has no fields`);
    return this.#fields(type, depth);
  }

  #fields(type: GraphQLObjectType | GraphQLInterfaceType, depth: number): string {
    const fields = Object.values(type.getFields()).filter((field) => depth < 7 || isLeafType(getNamedType(field.type)));
    const structural = fields.filter((field) => ['edges', 'node'].includes(field.name));
    const chosen = [
      ...structural,
      ...Array.from({ length: 1 + this.#random(3) }, () => fields[this.#random(fields.length)]),
    ].filter((field) => field !== undefined);
    const parts = chosen.map((field) => this.#wrapped(type, field, depth));
    return `{ ${parts.length > 0 ? parts.join(' ') : '__typename'} __typename }`;
  }

  /** As a plain field, with an alias, or in a fragment. Aliases are unique, so that fields never conflict. */
  #wrapped(
    type: GraphQLObjectType | GraphQLInterfaceType,
    field: GraphQLField<unknown, unknown>,
    depth: number,
  ): string {
    this.#names += 1;
    const number = this.#names;
    const alias = `${field.name}_${number}: `;
    const text = `${field.args.length > 0 || this.#random(4) === 0 ? alias : ''}${this.#field(field, depth)}`;
    const way = this.#random(10);
    if (way === 0) return `... on ${type.name}${this.#directive()} { ${text} }`;
    if (way > 1) return text;
    const name = `F${number}`;
    this.#fragments.push(`fragment ${name} on ${type.name} { ${text} }`);
    return `...${name}${this.#directive()}`;
  }

  #directive(): string {
    const way = this.#random(14);
    if (way > 1) return '';
    const name = this.#variable('Boolean!', this.#random(2) === 1);
    return way === 0 ? ` @include(if: ${name})` : ` @skip(if: ${name})`;
  }

  #args(field: GraphQLField<unknown, unknown>): string {
    const args: string[] = [];
    for (const arg of field.args) {
      if (arg.name === 'first' || arg.name === 'last' || arg.name === 'after' || arg.name === 'before') continue;
      if (!isNonNullType(arg.type) && this.#random(2) === 0) continue;
      args.push(`${arg.name}: ${this.#value(arg.name)}`);
    }
    if (field.args.some((arg) => arg.name === 'first')) {
      const size = 1 + this.#random(3);
      args.push(
        `${this.#random(3) === 0 ? 'last' : 'first'}: ${this.#random(3) === 0 ? this.#variable('Int', size) : size}`,
      );
    }
    return args.length > 0 ? `(${args.join(', ')})` : '';
  }

  #value(name: string): string {
    const id = () => this.#ids[this.#random(this.#ids.length)] ?? '';
    if (name === 'ids') return this.#variable('[GlobalId!]!', [id(), id(), id()]);
    if (name === 'id') return this.#random(2) === 0 ? this.#variable('GlobalId!', id()) : JSON.stringify(id());
    if (name === 'kind')
      return this.#random(2) === 0 ? 'Tool' : this.#variable('ThingKind', this.#random(2) === 0 ? 'Book' : null);
    if (name === 'like') return this.#variable('String', this.#random(2) === 0 ? '.1' : null);
    return name === 'times' ? '3' : 'null';
  }

  #variable(type: string, value: unknown): string {
    const name = `v${this.#definitions.length}`;
    this.#definitions.push(`$${name}: ${type}`);
    this.#variables[name] = value;
    return `$${name}`;
  }
}
