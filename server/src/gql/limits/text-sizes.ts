import { hasLongText, LONG_TEXT, type Operation, type Variables } from '@reelgraph/sql-planner';
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  TypeInfo,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';

type Input = GraphQLArgument | GraphQLInputField;

/** Scalars whose values are texts of any length. Identifiers and instants have forms of their own, and are short. */
const TEXTS: ReadonlySet<string> = new Set(['String', 'JSON', 'URL', 'ID']);
const EXTENSION = 'mostCharacters';

/** Arguments and input fields that hold texts, by their coordinates in the schema. */
export function textInputs(schema: GraphQLSchema): Map<string, Input> {
  const found = new Map<string, Input>();
  const add = (owner: string, inputs: readonly Input[]) => {
    for (const input of inputs)
      if (TEXTS.has(getNamedType(input.type).name)) found.set(`${owner}.${input.name}`, input);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isInputObjectType(type)) add(type.name, Object.values(type.getFields()));
    else if ('getFields' in type)
      for (const field of Object.values(type.getFields()))
        if ('args' in field) add(`${type.name}.${field.name}`, field.args);
  }
  return found;
}

/**
 * Declares the most characters that reach the reader of each text of the schema. `sizes` are by coordinate, or by the
 * name of the argument where all of this name have the same.
 * @throws TypeError for a text without a size, and a size without a text.
 */
export function declareTextSizes(schema: GraphQLSchema, sizes: Readonly<Record<string, number>>): void {
  const inputs = textInputs(schema);
  const used = new Set<string>();
  for (const [coordinate, input] of inputs) {
    const key = Object.hasOwn(sizes, coordinate) ? coordinate : input.name;
    const most = Object.hasOwn(sizes, key) ? sizes[key] : undefined;
    if (most === undefined) throw new TypeError(`Declare the most characters of ${coordinate} (text-arguments.ts)`);
    used.add(key);
    input.extensions = { ...input.extensions, [EXTENSION]: most };
  }
  const unused = Object.keys(sizes).filter((key) => !used.has(key));
  if (unused.length > 0) throw new TypeError(`There are no arguments ${unused.join(', ')} (text-arguments.ts)`);
}

/** The most characters of a text of the schema. */
export function mostCharactersOf(input: Input): number {
  const most = input.extensions[EXTENSION];
  return typeof most === 'number' ? most : LONG_TEXT;
}

/**
 * Refuses texts that are longer than their readers take, before anything reads them.
 * @throws TextTooLong
 */
export function requireTextSizes(operation: Operation, variables: Variables, document: string): void {
  if (document.length <= LONG_TEXT && !hasLongText(variables)) return;
  const types = new TypeInfo(operation.schema);
  visit(
    operation.document,
    visitWithTypeInfo(types, {
      Argument(node) {
        const argument = types.getArgument();
        if (argument)
          requireSize(valueFromAST(node.value, argument.type, variables), argument, argument.type, argument.name);
        return false;
      },
    }),
  );
}

function requireSize(value: unknown, input: Input, type: GraphQLInputType, field: string): void {
  if (value === null || value === undefined) return;
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value)) {
    for (const [index, entry] of value.entries()) requireSize(entry, input, nullable.ofType, `${field}.${index}`);
  } else if (isInputObjectType(nullable)) {
    const members = value as Readonly<Record<string, unknown>>; // coerced
    for (const inner of Object.values(nullable.getFields()))
      requireSize(members[inner.name], inner, inner.type, `${field}.${inner.name}`);
  } else if (isLeafType(nullable)) {
    const length = typeof value === 'string' ? value.length : hasLongText(value) ? JSON.stringify(value).length : 0;
    const most = mostCharactersOf(input);
    if (length > most) throw new TextTooLong(field, length, most);
  }
}

/** A text has more characters than its reader takes. */
export class TextTooLong extends AppError {
  constructor(field: string, length: number, most: number) {
    super('INVALID_INPUT', t`${field} has ${length} characters; the limit is ${most}.`, {
      field,
      suggestedFix: t`Shorten ${field} to at most ${most} characters.`,
    });
  }
}
