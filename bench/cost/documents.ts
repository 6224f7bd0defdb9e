import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Places } from '../scale/cases.ts';
import { rootCasesFor } from './root-cases.ts';

/** A document that is measured. */
export interface CostCase {
  /** Root field, and the path of the field below it that is looked at. */
  readonly field: string;
  readonly name: string;
  readonly query: string;
}

/** Values of arguments that fields below the root require. */
const REQUIRED_ARGUMENTS: Readonly<Record<string, (places: Places) => string>> = {
  range: () => 'LAST_90D',
  metric: () => 'VIEWS',
  id: ({ content }) => JSON.stringify(content),
  contentLrn: ({ content }) => JSON.stringify(content),
};
/** Pages of a root list: single entries pay least for finding the list, full ones pay for their rows. */
const PAGES = { 'first 1': 'first: 1', 'first 100': 'first: 100', 'last 1': 'last: 1' };
/** How many levels of objects are looked at below a root field. */
const LEVELS = 4;

/**
 * Documents of every root field of Query: all its cases with small and full pages, and each field of objects below it by itself.
 * Throws where a root field has no cases.
 */
export function documentsFor(schema: GraphQLSchema, places: Places): CostCase[] {
  const query = schema.getQueryType();
  if (!query) throw new Error('The schema has no queries.');
  const cases = rootCasesFor(places);
  const fields = Object.values(query.getFields());
  const missing = fields.filter(({ name }) => !cases[name]).map(({ name }) => name);
  const gone = Object.keys(cases).filter((name) => !query.getFields()[name]);
  if (missing.length + gone.length > 0)
    throw new Error(
      `bench/cost/root-cases.ts lacks cases of ${missing.join(', ') || 'nothing'}, and has cases of ${gone.join(', ') || 'nothing'} too many.`,
    );
  const walker = new Walker(schema, places);
  return fields.flatMap((field) => walker.root(field, cases[field.name] ?? {}));
}

class Walker {
  readonly #schema: GraphQLSchema;
  readonly #places: Places;
  /** Fields below the root that were looked at already: `Type.field`. */
  readonly #seen = new Set<string>();

  constructor(schema: GraphQLSchema, places: Places) {
    this.#schema = schema;
    this.#places = places;
  }

  root(field: GraphQLField<unknown, unknown>, cases: Readonly<Record<string, string>>): CostCase[] {
    const pages = isList(field) ? PAGES : { '': '' };
    const own = Object.entries(cases).flatMap(([name, args]) =>
      Object.entries(pages).map(([page, size]) => ({
        field: field.name,
        name: [name, page].filter(Boolean).join(', '),
        query: `{ ${call(field.name, [args, size])}${this.#whole(field)} }`,
      })),
    );
    const [everyday = ''] = Object.values(cases);
    const below = this.#below(
      field,
      (selection) => `{ ${call(field.name, [everyday, isList(field) ? 'first: 20' : ''])} ${selection} }`,
      field.name,
      1,
    );
    return [...own, ...below];
  }

  /** Each composite field of the objects that `field` holds, by itself. */
  #below(field: GraphQLField<unknown, unknown>, wrap: (selection: string) => string, path: string, level: number): CostCase[] {
    if (level > LEVELS) return [];
    return this.#objects(field).flatMap((type) =>
      Object.values(type.getFields()).flatMap((child) => {
        if (isLeafType(getNamedType(child.type)) && child.args.length === 0) return [];
        const name = `${type.name}.${child.name}`;
        if (this.#seen.has(name)) return [];
        this.#seen.add(name);
        const inside = (selection: string) => {
          const set = isList(field) ? `{ edges { node { ${typed(field, type, selection)} } } }` : `{ ${typed(field, type, selection)} }`;
          return wrap(set);
        };
        const args = [...child.args].filter(isRequired).map(({ name: arg }) => `${arg}: ${this.#value(name, arg)}`);
        if (child.args.some(({ name: arg }) => arg === 'range') && !args.some((arg) => arg.startsWith('range')))
          args.push('range: LAST_90D');
        const at = `${path}.${child.name}`;
        const pages = isList(child) ? { 'first 1': 'first: 1', 'first 10': 'first: 10' } : { '': '' };
        const own = Object.entries(pages).map(([page, size]) => ({
          field: at,
          name: page,
          query: inside(`${call(child.name, [...args, size])}${this.#whole(child)}`),
        }));
        return [
          ...own,
          ...this.#below(child, (set) => inside(`${call(child.name, [...args, isList(child) ? 'first: 3' : ''])} ${set}`), at, level + 1),
        ];
      }),
    );
  }

  #value(field: string, arg: string): string {
    const value = REQUIRED_ARGUMENTS[arg];
    if (!value) throw new Error(`bench/cost/documents.ts has no value for the argument ${arg} of ${field}.`);
    return value(this.#places);
  }

  /** All that `field` holds without going further down. */
  #whole(field: GraphQLField<unknown, unknown>): string {
    const types = this.#objects(field);
    if (types.length === 0) return '';
    const sets = types.map((type) => typed(field, type, this.#leaves(type))).join(' ');
    return isList(field)
      ? ` { edges { cursor node { __typename ${sets} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount }`
      : ` { __typename ${sets} }`;
  }

  #leaves(type: GraphQLObjectType): string {
    return Object.values(type.getFields())
      .filter((field) => isLeafType(getNamedType(field.type)) && field.args.length === 0)
      .map(({ name }) => name)
      .join(' ');
  }

  /** Types of the objects that a field holds: those of the entries where it is a list, the first three where there are several. */
  #objects(field: GraphQLField<unknown, unknown>): readonly GraphQLObjectType[] {
    const type = getNamedType(isList(field) ? nodeOf(field) : field.type);
    if (isObjectType(type)) return [type];
    return isInterfaceType(type) ? this.#schema.getPossibleTypes(type).slice(0, 3) : [];
  }
}

function call(name: string, args: readonly string[]): string {
  const given = args.filter(Boolean);
  return given.length > 0 ? `${name}(${given.join(', ')})` : name;
}

/** A selection on one of several types. */
function typed(field: GraphQLField<unknown, unknown>, type: GraphQLObjectType, selection: string): string {
  const declared = getNamedType(isList(field) ? nodeOf(field) : field.type);
  if (selection === '') return '__typename';
  return declared === type ? selection : `... on ${type.name} { ${selection} }`;
}

function isRequired({ type, defaultValue }: { type: unknown; defaultValue?: unknown }): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

function isList(field: GraphQLField<unknown, unknown>): boolean {
  return getNamedType(field.type).name.endsWith('Connection');
}

function nodeOf(field: GraphQLField<unknown, unknown>) {
  const connection = getNamedType(field.type);
  const edges = isObjectType(connection) ? connection.getFields().edges : undefined;
  const edge = edges && getNamedType(edges.type);
  const node = isObjectType(edge) ? edge.getFields().node : undefined;
  if (!node) throw new Error(`${connection.name} has no entries.`);
  return node.type;
}
