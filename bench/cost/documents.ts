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
import type { CostArguments } from './arguments.ts';
import { rootCasesFor } from './root-cases.ts';

/** A measured document. */
export interface CostCase {
  /** Root field, and the path of the measured field below it. */
  readonly field: string;
  readonly name: string;
  readonly query: string;
  /** Variables of the n-th request. */
  readonly variables?: (n: number) => object;
}

/** A placeholder that each request replaces by another name, so that the document is in no cache. */
export const FRESH = '__FRESH__';

/** Values of arguments that fields below the root require. */
const REQUIRED_ARGUMENTS: Readonly<Record<string, (places: CostArguments) => string>> = {
  metric: () => 'UNIQUE_VIEWERS',
  days: () => '90',
  id: ({ content }) => JSON.stringify(content),
  contentLrn: ({ content }) => JSON.stringify(content),
};
/** Pages of a root list: a single entry is charged least for finding the list, a full page for its rows. */
const PAGES = { 'first 1': 'first: 1', 'first 100': 'first: 100', 'last 1': 'last: 1' };
const LAST_WEEKS = 'range: LAST_90D';
/** The longest period that analytics accept. */
const DAY_MS = 86_400_000;
const THREE_YEARS =
  `range: CUSTOM, from: "${new Date(Date.now() - 1_099 * DAY_MS).toISOString()}", to: ` +
  `"${new Date().toISOString()}"`;
/** How many levels of objects are measured below a root field. */
const LEVELS = 4;

/**
 * Documents for every root field of Query: all its cases with small and full pages, and each field of the objects below
 * it. Throws if a root field has no cases.
 */
export function documentsFor(schema: GraphQLSchema, places: CostArguments): CostCase[] {
  const query = schema.getQueryType();
  if (!query) throw new Error('The schema has no queries.');
  const cases = rootCasesFor(places);
  const fields = Object.values(query.getFields());
  const missing = fields.filter(({ name }) => !cases[name]).map(({ name }) => name);
  const obsolete = Object.keys(cases).filter((name) => !query.getFields()[name]);
  if (missing.length + obsolete.length > 0)
    throw new Error(
      `bench/cost/root-cases.ts lacks cases of ${missing.join(', ') || 'nothing'}, ` +
        `and has cases of ${obsolete.join(', ') || 'nothing'} too many.`,
    );
  const walker = new Walker(schema, places);
  const own = fields.flatMap((field) => walker.root(field, cases[field.name] ?? {}));
  return [...own, ...walker.below(fields.map((field) => walker.everyday(field, cases[field.name] ?? {})))];
}

/** A composite field of a document, and everything that it can contain. */
interface Position {
  readonly field: GraphQLField<unknown, unknown>;
  readonly path: string;
  /** The document around a selection set of the field. */
  readonly around: (set: string) => string;
}

class Walker {
  readonly #schema: GraphQLSchema;
  readonly #places: CostArguments;
  /** Fields below the root that already have a document: `Type.field`. */
  readonly #seen = new Set<string>();

  constructor(schema: GraphQLSchema, places: CostArguments) {
    this.#schema = schema;
    this.#places = places;
  }

  root(field: GraphQLField<unknown, unknown>, cases: Readonly<Record<string, string>>): CostCase[] {
    const pages = isList(field) ? PAGES : { '': '' };
    return Object.entries(cases).flatMap(([name, args]) =>
      Object.entries(pages).map(([page, size]) => ({
        field: field.name,
        name: [name, page].filter(Boolean).join(', '),
        query: `{ ${call(field.name, [args, size])}${this.#whole(field)} }`,
      })),
    );
  }

  /** A root field with the arguments of its first case. */
  everyday(field: GraphQLField<unknown, unknown>, cases: Readonly<Record<string, string>>): Position {
    const [args = ''] = Object.values(cases);
    return {
      field,
      path: field.name,
      around: (set) => `{ ${call(field.name, [args, isList(field) ? 'first: 20' : ''])} ${set} }`,
    };
  }

  /** Each composite field of the objects at these places, level by level, where it first occurs. */
  below(places: readonly Position[], level = 1): CostCase[] {
    if (level > LEVELS) return [];
    const cases: CostCase[] = [];
    const next: Position[] = [];
    for (const place of places)
      for (const type of this.#objects(place.field))
        for (const child of Object.values(type.getFields())) {
          if (isLeafType(getNamedType(child.type)) && child.args.length === 0) continue;
          const name = `${type.name}.${child.name}`;
          if (this.#seen.has(name)) continue;
          this.#seen.add(name);
          cases.push(...this.#childCases(place, type, child));
          const [args = ''] = this.#arguments(name, child);
          const size = isList(child) ? 'first: 3' : '';
          next.push({
            field: child,
            path: `${place.path}.${child.name}`,
            around: (set) => inside(place, type, `${call(child.name, [args, size])} ${set}`),
          });
        }
    return [...cases, ...this.below(next, level + 1)];
  }

  #childCases(place: Position, type: GraphQLObjectType, child: GraphQLField<unknown, unknown>): CostCase[] {
    const pages = isList(child) ? { 'first 1': 'first: 1', 'first 10': 'first: 10' } : { '': '' };
    return this.#arguments(`${type.name}.${child.name}`, child).flatMap((args) =>
      Object.entries(pages).map(([page, size]) => ({
        field: `${place.path}.${child.name}`,
        name: [args.includes('CUSTOM') ? 'three years' : '', page].filter(Boolean).join(', '),
        query: inside(place, type, `${call(child.name, [args, size])}${this.#whole(child)}`),
      })),
    );
  }

  /** Arguments of a field: those that it requires, and the longest period besides a typical one. */
  #arguments(name: string, { args }: GraphQLField<unknown, unknown>): string[] {
    const required = args.filter(isRequired).map((arg) => `${arg.name}: ${this.#value(name, arg.name)}`);
    if (!args.some((arg) => arg.name === 'range')) return [required.join(', ')];
    return [LAST_WEEKS, THREE_YEARS].map((range) => [...required, range].join(', '));
  }

  #value(field: string, arg: string): string {
    const value = REQUIRED_ARGUMENTS[arg];
    if (!value) throw new Error(`bench/cost/documents.ts has no value for the argument ${arg} of ${field}.`);
    return value(this.#places);
  }

  /** The scalar fields of the objects in `field`. */
  #whole(field: GraphQLField<unknown, unknown>): string {
    const types = this.#objects(field);
    if (types.length === 0) return '';
    const sets = types.map((type) => typed(field, type, this.#leaves(type))).join(' ');
    return isList(field)
      ? ` { edges { cursor node { __typename ${sets} } } pageInfo ` +
          '{ hasNextPage hasPreviousPage startCursor endCursor } totalCount }'
      : ` { __typename ${sets} }`;
  }

  #leaves(type: GraphQLObjectType): string {
    return Object.values(type.getFields())
      .filter((field) => isLeafType(getNamedType(field.type)) && field.args.length === 0)
      .map(({ name }) => name)
      .join(' ');
  }

  /** Types of the objects in a field: of the entries if it is a list, and the first three if there are several. */
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

/** The document with a selection in the objects at a place. */
function inside({ field, around }: Position, type: GraphQLObjectType, selection: string): string {
  const set = typed(field, type, selection);
  return around(isList(field) ? `{ edges { node { ${set} } } }` : `{ ${set} }`);
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
