import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  type SelectionSetNode,
  Source,
  type Token,
  TokenKind,
  type ValueNode,
} from 'graphql';
import { responseKey } from './response-keys.ts';

/** Response keys from a root field down to a field. */
export type FieldPath = readonly string[];

/**
 * The response path of the field that an error of a document is about: the innermost field around its place; for a
 * place in a fragment, as it is first used. An error about the operation as a whole is that of its first root field,
 * one about a variable that of the first field with it. Undefined where the place is in no field.
 */
export function pathOfError(document: DocumentNode, error: GraphQLError): FieldPath | undefined {
  const place = error.nodes?.[0]?.loc?.start ?? error.positions?.[0];
  if (place === undefined) return undefined;
  const definition = document.definitions.find(({ loc }) => loc && loc.start <= place && place < loc.end);
  if (definition?.kind === Kind.FRAGMENT_DEFINITION) {
    const base = new FieldWalk(document).fragments.get(definition.name.value);
    return base && [...base, ...pathWithin(definition.selectionSet, place)];
  }
  if (definition?.kind !== Kind.OPERATION_DEFINITION) return undefined;
  const path = pathWithin(definition.selectionSet, place);
  if (path.length > 0) return path;
  const [variable] = (definition.variableDefinitions ?? []).filter(
    ({ loc }) => loc && loc.start <= place && place < loc.end,
  );
  return pathOfVariable(document, definition, variable?.variable.name.value) ?? firstOf(definition);
}

/** The path of the first field of an operation with an argument or a directive that a variable is used in. */
export function pathOfVariable(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  name: string | undefined,
): FieldPath | undefined {
  return name === undefined ? undefined : new FieldWalk(document, operation).variables.get(name);
}

function firstOf({ selectionSet }: OperationDefinitionNode): FieldPath | undefined {
  const [first] = selectionSet.selections;
  return first?.kind === Kind.FIELD ? [responseKey(first)] : undefined;
}

/** Keys of the fields of a selection, one inside another, whose text has the place. */
function pathWithin({ selections }: SelectionSetNode, place: number): string[] {
  for (const selection of selections) {
    if (!selection.loc || place < selection.loc.start || place >= selection.loc.end) continue;
    if (selection.kind === Kind.FRAGMENT_SPREAD) return [];
    const below = selection.selectionSet ? pathWithin(selection.selectionSet, place) : [];
    return selection.kind === Kind.FIELD ? [responseKey(selection), ...below] : below;
  }
  return [];
}

/** Where fragments and variables are first used; every part of the document is looked at once. */
class FieldWalk {
  readonly fragments = new Map<string, FieldPath>();
  readonly variables = new Map<string, FieldPath>();
  readonly #definitions: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(document: DocumentNode, only?: OperationDefinitionNode) {
    const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.#definitions = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
    for (const definition of document.definitions)
      if (definition.kind === Kind.OPERATION_DEFINITION && (!only || definition === only))
        this.#walk(definition.selectionSet, []);
  }

  #walk({ selections }: SelectionSetNode, path: FieldPath): void {
    for (const selection of selections) {
      const here = selection.kind === Kind.FIELD ? [...path, responseKey(selection)] : path;
      this.#note(selection, here);
      if (selection.kind !== Kind.FRAGMENT_SPREAD) {
        if (selection.selectionSet) this.#walk(selection.selectionSet, here);
        continue;
      }
      const { value: name } = selection.name;
      const fragment = this.#definitions.get(name);
      if (!fragment || this.fragments.has(name)) continue;
      this.fragments.set(name, here);
      this.#walk(fragment.selectionSet, here);
    }
  }

  #note(selection: SelectionSetNode['selections'][number], path: FieldPath): void {
    const given = [
      ...(selection.kind === Kind.FIELD ? (selection.arguments ?? []) : []),
      ...(selection.directives ?? []).flatMap((directive) => directive.arguments ?? []),
    ];
    for (const { value } of given)
      for (const name of variablesIn(value)) if (!this.variables.has(name)) this.variables.set(name, path);
  }
}

function variablesIn(value: ValueNode): string[] {
  if (value.kind === Kind.VARIABLE) return [value.name.value];
  if (value.kind === Kind.LIST) return value.values.flatMap(variablesIn);
  if (value.kind === Kind.OBJECT) return value.fields.flatMap((field) => variablesIn(field.value));
  return [];
}

/** Tokens that are read to find the first field of a text that is not parsed. */
const MAX_TOKENS = 1_000;

/** The path of the first root field in the text of a document, which is not parsed; null without any. */
export function firstFieldIn(text: string): FieldPath | null {
  try {
    return firstField(new Lexer(new Source(text)));
  } catch {
    return null; // it is no GraphQL
  }
}

function firstField(lexer: Lexer): FieldPath | null {
  let depth = 0;
  let isFragment: boolean | null = null;
  for (let count = 0; count < MAX_TOKENS; count += 1) {
    const token: Token = lexer.advance();
    if (token.kind === TokenKind.EOF) return null;
    isFragment ??= token.value === 'fragment'; // the first word of a definition
    if (depth === 0 && token.kind === TokenKind.BRACE_L && !isFragment) {
      const name = lexer.advance();
      return name.kind === TokenKind.NAME ? [name.value] : null;
    }
    if (OPENING.has(token.kind)) depth += 1;
    if (CLOSING.has(token.kind)) depth -= 1;
    if (depth === 0 && token.kind === TokenKind.BRACE_R) isFragment = null;
  }
  return null;
}

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.PAREN_L, TokenKind.BRACKET_L]);
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.PAREN_R, TokenKind.BRACKET_R]);
