import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { textInputs } from '../../server/src/gql/index.ts';
import { TEXT_ARGUMENTS } from '../../server/src/gql/limits/text-arguments.ts';
import type { CostArguments } from './arguments.ts';

/** A request with a text at one place. */
export interface BodyCase {
  /** Coordinate of the argument or input field. */
  readonly name: string;
  /** Characters that reach its reader at most. */
  readonly most: number;
  /** The root field. */
  readonly field: string;
  readonly query: string;
  readonly variables: (text: string) => Readonly<Record<string, unknown>>;
}

/** What arguments name, besides what the read cases do. */
export interface BodyArguments extends CostArguments {
  readonly captions: string;
}

type Input = GraphQLArgument | GraphQLInputField;

/** Values of texts that have to be well formed for a command to go on. */
const SAMPLES: Readonly<Record<string, string>> = {
  ...{ language: 'en', from: 'en', to: 'de', filename: 'a.mp4', handle: 'a_handle', username: 'nobody' },
  ...{ email: 'a@example.com', url: 'https://example.com/', permissions: 'content:read' },
  ...{ sessionId: '0190a6f0-0000-7000-8000-000000000001', query: '{ features { edges { node { id } } } }' },
};
/** Scalars that are no texts. */
const SCALARS: Readonly<Record<string, unknown>> = {
  ...{ Int: 1, Float: 1, BigInt: 1, Long: 1, Boolean: true, JSON: {}, ID: '1', URL: 'https://example.com/a.mp4' },
  ...{ DateTime: new Date().toISOString(), Date: new Date().toISOString().slice(0, 10), IngestionID: 'none' },
};
/** Cursors are read by one function everywhere; these stand for all. */
const CURSORS = ['Query.contents.after', 'Query.contents.before', 'Query.events.after'];
/** Below the root, by coordinate: the selection around the field. */
const BELOW: Readonly<Record<string, (call: string) => string>> = {
  'Channel.contents.query': (call) => `channel(id: $id) { ${call} { totalCount } }`,
  'Channel.playlists.title': (call) => `channel(id: $id) { ${call} { totalCount } }`,
};

/** Whether an argument is measured by another one of its kind: a cursor, or one of a stream. */
export function isMeasuredElsewhere(coordinate: string): boolean {
  const name = coordinate.split('.').at(-1) ?? '';
  return (
    coordinate.startsWith('Subscription.') || (['after', 'before'].includes(name) && !CURSORS.includes(coordinate))
  );
}

/** A request for every text of the schema. Throws for one that no root field reaches. */
export function bodiesFor(schema: GraphQLSchema, places: BodyArguments): BodyCase[] {
  const coordinates = [...textInputs(schema).keys()].filter((coordinate) => !isMeasuredElsewhere(coordinate));
  const reached = new Map<string, BodyCase>();
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(root?.getFields() ?? {}))
      for (const argument of field.args)
        for (const path of textPaths(argument, `${root?.name}.${field.name}`)) {
          if (reached.has(path.coordinate) || isMeasuredElsewhere(path.coordinate)) continue;
          const kind = root === schema.getMutationType() ? 'mutation' : 'query';
          const types = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
          const values = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
          const type = getNamedType(field.type);
          reached.set(path.coordinate, {
            ...{ name: path.coordinate, most: mostOf(path.coordinate), field: field.name },
            query: `${kind} (${types}) { ${field.name}(${values})${isLeafType(type) ? '' : ' { __typename }'} }`,
            variables: (text) => argumentsOf(field.args, path.names, { field: field.name, text, places }),
          });
        }
  for (const [coordinate, around] of Object.entries(BELOW)) {
    const [, field = '', name = ''] = coordinate.split('.');
    reached.set(coordinate, {
      ...{ name: coordinate, most: mostOf(coordinate), field: 'channel' },
      query: `query ($id: DID!, $text: String) { ${around(`${field}(${name}: $text)`)} }`,
      variables: (text) => ({ id: places.channel, text }),
    });
  }
  const missing = coordinates.filter((coordinate) => !reached.has(coordinate));
  if (missing.length > 0) throw new Error(`bench/cost/bodies.ts reaches no ${missing.join(', ')}.`);
  return coordinates.flatMap((coordinate) => reached.get(coordinate) ?? []);
}

function mostOf(coordinate: string): number {
  const name = coordinate.split('.').at(-1) ?? '';
  const most = (TEXT_ARGUMENTS[coordinate] ?? TEXT_ARGUMENTS[name])?.most;
  if (most === undefined) throw new Error(`${coordinate} has no declared size.`);
  return most;
}

interface TextPath {
  readonly coordinate: string;
  readonly names: readonly string[];
}

/** The texts below an argument. */
function textPaths(input: Input, owner: string, open: readonly string[] = []): TextPath[] {
  const type = getNamedType(input.type);
  if (!isInputObjectType(type))
    return ['String', 'JSON', 'URL', 'ID'].includes(type.name)
      ? [{ coordinate: `${owner}.${input.name}`, names: [input.name] }]
      : [];
  if (open.includes(type.name)) return [];
  return Object.values(type.getFields()).flatMap((field) =>
    textPaths(field, type.name, [...open, type.name]).map(({ coordinate, names }) => ({
      coordinate,
      names: [input.name, ...names],
    })),
  );
}

interface Filling {
  readonly field: string;
  readonly text: string;
  readonly places: BodyArguments;
}

/** The required ones, and the text at the path. */
function argumentsOf(inputs: readonly Input[], path: readonly string[], filling: Filling): Record<string, unknown> {
  const [next, ...rest] = path;
  const wanted = inputs.filter(({ name, type }) => isNonNullType(type) || name === next);
  return Object.fromEntries(
    wanted.map(({ name, type }) => [name, valueAt(type, name, name === next ? rest : null, filling)]),
  );
}

/** A value of a type; `path` leads to the text in it, null where there is none. */
function valueAt(type: GraphQLInputType, name: string, path: readonly string[] | null, filling: Filling): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [valueAt(nullable.ofType, name, path, filling)];
  if (isInputObjectType(nullable)) return argumentsOf(Object.values(nullable.getFields()), path ?? [], filling);
  if (path) return nullable.toString() === 'JSON' ? { text: filling.text } : filling.text;
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (nullable.toString() === 'DID') return identifierFor(name, filling);
  if (nullable.toString() === 'String') return SAMPLES[name] ?? 'x';
  return SCALARS[nullable.toString()];
}

function identifierFor(name: string, { field, places }: Filling): string {
  if (name === 'channel') return places.channel;
  if (name === 'id' && /captions/i.test(field) && field.startsWith('update')) return places.captions;
  if (name === 'id' && /playlist/i.test(field)) return places.playlist;
  if (name === 'id' && /comment$/i.test(field)) return places.comment;
  if (name === 'id' && /channel$/i.test(field)) return places.channel;
  return places.own[0] ?? places.content;
}
