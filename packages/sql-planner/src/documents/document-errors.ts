import { type ASTNode, GraphQLError, Source, type SourceLocation } from 'graphql';

/** Errors of a document or its variables that one response lists. */
export const MAX_ERRORS = 5;

/** The suggested fix of an error. */
export interface Advice {
  readonly suggestedFix?: string;
  readonly field?: string;
}

/** A cached error of a document: a GraphQLError would keep the whole syntax tree. */
export interface DocumentError {
  readonly message: string;
  readonly locations?: readonly SourceLocation[] | undefined;
  /** Of the field in the response that it is about; undefined where it is about none. */
  readonly path?: readonly string[] | undefined;
  readonly advice: Advice;
}

/** Why a document is not executed. */
export interface DocumentErrors {
  /** Without names of the schema that the document does not mention. */
  readonly errors: readonly DocumentError[];
  /**
   * The same with suggestions ("Did you mean …"), which are expensive to find and describe the schema: for requests
   * that proved themselves.
   */
  readonly suggesting?: (() => readonly DocumentError[]) | undefined;
}

/** An error of the document beyond GraphQL's own. */
class LimitError extends GraphQLError {
  readonly advice: Advice;

  constructor(message: string, advice: Advice, node: ASTNode | undefined) {
    super(message, { nodes: node ?? null });
    this.advice = advice;
  }
}

/** An error of the document with advice; `node` is its place, where it has one. */
export function limitError(message: string, advice: Advice = {}, node?: ASTNode): GraphQLError {
  return new LimitError(message, advice, node);
}

/** The error without references to the syntax tree. */
export function documentErrorOf(error: GraphQLError, path?: readonly string[]): DocumentError {
  const { message, locations } = error;
  return {
    message: shortened(message),
    locations,
    path,
    advice: error instanceof LimitError ? error.advice : variableIn(message),
  };
}

/** Longest message, in UTF-16 units: GraphQL quotes values, names and literals in full. */
const MAX_MESSAGE = 500;

function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  // A character of two units is not cut in half.
  return `${message.slice(0, MAX_MESSAGE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The variable, or the part of it, that a coercion error is about; GraphQL says it only in words. */
function variableIn(message: string): Advice {
  const match = /^Variable "\$(\w+)"(?: got invalid value .*? at "([\w.[\]]+)"[;.])?/s.exec(message);
  const field = match?.[2] ?? match?.[1];
  if (field === undefined) return {};
  const inner = INNER.exec(message)?.[1];
  return { field: inner === undefined ? field : `${field}.${inner}` };
}

/** The field of an input that is missing or unknown. */
const INNER =
  /; Field "(\w+)" (?:of required type "[\w[\]!]+" was not provided|is not defined by type "\w+")\.(?: Did you mean [^.]*\?)?$/;

/** Name shown for documents in GraphQL's own messages. */
export function sourceOf(text: string): Source {
  return new Source(text, 'GraphQL request');
}
