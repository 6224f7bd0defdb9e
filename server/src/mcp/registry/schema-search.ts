import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  printType,
} from 'graphql';
import { firstSentence } from './json-schema.ts';
import { wordsOf } from './words.ts';

/** A match in the schema: `Query.search`, `Content`, `Content.likes`. */
export interface SchemaHit {
  readonly name: string;
  /** Its definition in the schema, with its description as a comment. */
  readonly definition: string;
}

interface Entry extends SchemaHit {
  readonly words: ReadonlySet<string>;
  /** Names weigh more than descriptions, operations more than fields of types. */
  readonly nameWords: ReadonlySet<string>;
  readonly isOperation: boolean;
}

const indexes = new WeakMap<GraphQLSchema, readonly Entry[]>();

/** The definitions that match the words of `query` best: at most `limit`, best first. An exact name comes first. */
export function findInSchema(schema: GraphQLSchema, query: string, limit: number): SchemaHit[] {
  let entries = indexes.get(schema);
  if (!entries) {
    entries = entriesOf(schema);
    indexes.set(schema, entries);
  }
  const wanted = wordsOf(query);
  const exact = query.trim().toLowerCase();
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, wanted, exact) }))
    .filter(({ score }) => score > 0)
    .sort(
      (a, b) =>
        b.score - a.score || a.entry.name.length - b.entry.name.length || (a.entry.name < b.entry.name ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ entry: { name, definition } }) => ({ name, definition }));
}

function scoreOf({ name, nameWords, words, isOperation }: Entry, wanted: ReadonlySet<string>, exact: string): number {
  const lower = name.toLowerCase();
  if (lower === exact || lower.endsWith(`.${exact}`))
    return 1_000 + (isOperation ? 100 : 0) + (lower === exact ? 200 : 0);
  let score = 0;
  for (const word of wanted) score += nameWords.has(word) ? 10 : words.has(word) ? 2 : 0;
  return score === 0 ? 0 : score + (isOperation ? 3 : 0);
}

function entriesOf(schema: GraphQLSchema): Entry[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__') || /(Connection|Edge)$/.test(type.name)) return [];
    const isRoot = roots.some((root) => root === type);
    const fields =
      isObjectType(type) || isInterfaceType(type)
        ? Object.values(type.getFields()).map((field) =>
            entryOf(`${type.name}.${field.name}`, fieldDefinition(type, field), field.description, isRoot),
          )
        : [];
    return isRoot ? fields : [entryOf(type.name, typeDefinition(type), type.description, false), ...fields];
  });
}

function entryOf(
  name: string,
  definition: string,
  description: string | null | undefined,
  isOperation: boolean,
): Entry {
  const nameWords = wordsOf(name);
  return { name, definition, nameWords, words: wordsOf(`${name} ${description ?? ''}`), isOperation };
}

/** Input types in full; output types with the names of their fields, which can be searched. */
function typeDefinition(type: GraphQLNamedType): string {
  if (isInputObjectType(type) || isEnumType(type)) return printType(type);
  const comment = type.description ? `# ${firstSentence(type.description)}\n` : '';
  if (!isObjectType(type) && !isInterfaceType(type)) return `${comment}${String(type)}`;
  const fields = Object.values(type.getFields()).map((field) => `  ${signature(field)}`);
  return `${comment}type ${type.name} {\n${fields.join('\n')}\n}`;
}

function fieldDefinition(type: GraphQLNamedType, field: GraphQLField<unknown, unknown>): string {
  const comment = field.description ? `# ${field.description.replaceAll(/\s+/g, ' ')}\n` : '';
  const args = field.args
    .filter(({ description }) => description)
    .map((arg) => `# ${arg.name}: ${firstSentence(arg.description ?? '')}\n`);
  return `${comment}${args.join('')}${type.name}.${signature(field)}`;
}

function signature({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const list = args.map((arg: GraphQLArgument) => `${arg.name}: ${String(arg.type)}`).join(', ');
  return `${name}${list === '' ? '' : `(${list})`}: ${String(type)}`;
}
