import { type ASTNode, GraphQLError, type GraphQLFormattedError, Source, type SourceLocation } from 'graphql';
import { AppError, type ErrorCode, errorExtensions } from '../../kernel/errors.ts';

/** An error of a GraphQL answer: message, path and the five extension fields (spec: "Errors"). */
export type RenderedError = GraphQLFormattedError;

/** What rendering needs to know of the request. */
export interface ErrorContext {
  readonly baseUrl: string;
  readonly requestId: string;
  /** Called with every error that is masked. */
  readonly report: (error: unknown) => void;
}

/** Faults of a document or its variables that one answer tells. */
export const MAX_ERRORS = 5;

/** One fault, as it is kept with a document: an error of GraphQL would keep the whole syntax tree. */
export interface DocumentError {
  readonly message: string;
  readonly locations?: readonly SourceLocation[] | undefined;
  readonly advice?: Advice | undefined;
}

/** Why a document is not run. */
export interface Faults {
  /** Without names of the schema that the document did not mention. */
  readonly errors: readonly DocumentError[];
  /** The same with suggestions ("Did you mean …"), which are dear to find and tell about the schema: for requests that proved themselves. */
  readonly suggesting?: (() => readonly DocumentError[]) | undefined;
}

/** The fault in an error, without what the error leads to. */
export function documentErrorOf(error: GraphQLError): DocumentError {
  const { message, locations } = error;
  return { message: shortened(message), locations, advice: error instanceof LimitError ? error.advice : undefined };
}

/** Faults of the document or the variables, found before anything ran. */
export function renderValidation(errors: readonly DocumentError[], context: ErrorContext): RenderedError[] {
  return errors.map((error) => {
    const fault = new AppError('GRAPHQL_VALIDATION_FAILED', shortened(error.message), error.advice ?? adviceFor(error.message));
    return {
      message: fault.message,
      ...(error.locations && error.locations.length > 0 ? { locations: error.locations } : {}),
      extensions: { ...errorExtensions(fault, context.baseUrl) },
    };
  });
}

/** Longest message of a fault, in UTF-16 units: GraphQL quotes values, names and literals in full. */
const MAX_MESSAGE = 500;

function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  // A character of two units is not cut in half.
  return `${message.slice(0, MAX_MESSAGE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The variable, or the part of it, that a coercion error is about; GraphQL says it only in words. */
function adviceFor(message: string): Advice {
  const match = /^Variable "\$(\w+)"(?: got invalid value .*? at "([\w.[\]]+)"[;.])?/s.exec(message);
  const field = match?.[2] ?? match?.[1];
  return field === undefined ? {} : { field };
}

/** A failure of a root field or of the whole request. Anything that is no AppError is masked. */
export function renderFailure(error: unknown, context: ErrorContext, path?: ReadonlyArray<string | number>): RenderedError {
  const known = knownError(error) ?? masked(error, context);
  return { message: known.message, ...(path ? { path } : {}), extensions: { ...errorExtensions(known, context.baseUrl) } };
}

/** An error met while the executor built the answer. */
export function renderExecution(error: GraphQLError, context: ErrorContext): RenderedError {
  return renderFailure(error.originalError ?? error, context, error.path);
}

/** The AppError in an error, if it is or wraps one. */
export function knownError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (error instanceof GraphQLError && error.originalError) return knownError(error.originalError);
  // Text with a NUL cannot be stored; nothing else produces this code (character_not_in_repertoire).
  if (error instanceof Error && 'code' in error && error.code === '22021') {
    return new AppError('INVALID_INPUT', 'A text contains a character that cannot be stored.', {
      suggestedFix: 'Remove NUL characters from the arguments.',
    });
  }
  return null;
}

export function codeOf(error: unknown): ErrorCode {
  return knownError(error)?.code ?? 'INTERNAL_SERVER_ERROR';
}

function masked(error: unknown, context: ErrorContext): AppError {
  context.report(error);
  return new AppError('INTERNAL_SERVER_ERROR', `Something went wrong on our side (request ${context.requestId}).`);
}

interface Advice {
  readonly suggestedFix?: string;
  readonly field?: string;
}

/** What to do about the faults that we find ourselves. */
const ADVICE = {
  general: {},
  tokens: { suggestedFix: 'Shorten the document: send values as variables and split it into several requests.' },
  aliases: { suggestedFix: 'Use fewer aliases, or split the document into several requests.' },
  directives: { suggestedFix: 'Use one @include or @skip at a field; combine conditions into one variable.' },
  nesting: { suggestedFix: 'Nest lists and objects less deeply; send them as variables of input types.' },
  operations: { suggestedFix: 'Send only the operation that is run.' },
  fragments: { suggestedFix: 'Send only the fragments that the operation uses, and put small ones into one.' },
  variables: { suggestedFix: 'Put values that belong together into one variable of an input type or a list.' },
  merging: { suggestedFix: 'Select each field once; fragments on the same object should not repeat the fields of others.' },
  length: { suggestedFix: 'Send long texts as variables, and leave comments out.' },
  depth: { suggestedFix: 'Select fewer levels, and read the objects further down with node(id) in another request.' },
  rootFields: { suggestedFix: 'Spread the root fields over several requests; nodes(ids) reads many objects as one root field.' },
  fields: { suggestedFix: 'Select fewer fields, or split the operation into several requests.' },
  cost: { suggestedFix: 'Ask for fewer entries per page with first or last, above all in lists within lists.' },
  operationName: { suggestedFix: 'Send the name of one of the operations in the document.', field: 'operationName' },
  documentId: { suggestedFix: 'Send the text of the document as "query" instead.', field: 'documentId' },
  query: { suggestedFix: 'Send the text of the document as "query".', field: 'query' },
  subscription: {
    suggestedFix: 'Send the same request with the header Accept: text/event-stream, and read the answer as server-sent events.',
  },
  mutationOverGet: { suggestedFix: 'Send the same request with POST, as JSON in the body.' },
} as const satisfies Record<string, Advice>;

/** A fault of the document that GraphQL itself knows nothing of. */
class LimitError extends GraphQLError {
  readonly advice: Advice;

  constructor(message: string, advice: Advice, node: ASTNode | undefined) {
    super(message, { nodes: node ?? null });
    this.advice = advice;
  }
}

/** A fault of the document, with the advice for its kind; `node` is its place, where it has one. */
export function documentError(message: string, kind: keyof typeof ADVICE = 'general', node?: ASTNode): GraphQLError {
  return new LimitError(message, ADVICE[kind], node);
}

/** Name shown for documents in GraphQL's own messages. */
export function sourceOf(text: string): Source {
  return new Source(text, 'GraphQL request');
}
