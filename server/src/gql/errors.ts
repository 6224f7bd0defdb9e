import { GraphQLError, type GraphQLFormattedError, Source } from 'graphql';
import { AppError, type ErrorCode, errorExtensions } from '../kernel/errors.ts';

/** An error of a GraphQL answer: message, path and the five extension fields (spec: "Errors"). */
export type RenderedError = GraphQLFormattedError;

/** What rendering needs to know of the request. */
export interface ErrorContext {
  readonly baseUrl: string;
  readonly requestId: string;
  /** Called with every error that is masked. */
  readonly report: (error: unknown) => void;
}

/** Faults of the document or the variables, found before anything ran. */
export function renderValidation(errors: readonly GraphQLError[], context: ErrorContext): RenderedError[] {
  return errors.map((error) => {
    const field = fieldOf(error.message);
    const fault = new AppError('GRAPHQL_VALIDATION_FAILED', error.message, field === undefined ? {} : { field });
    return {
      message: error.message,
      ...(error.locations && error.locations.length > 0 ? { locations: error.locations } : {}),
      extensions: { ...errorExtensions(fault, context.baseUrl) },
    };
  });
}

/** The variable, or the part of it, that a coercion error is about; GraphQL says it only in words. */
function fieldOf(message: string): string | undefined {
  const match = /^Variable "\$(\w+)"(?: got invalid value .*? at "([\w.[\]]+)"[;.])?/s.exec(message);
  return match?.[2] ?? match?.[1];
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

/** A validation error without a place in the document. */
export function documentFault(message: string): GraphQLError {
  return new GraphQLError(message);
}

/** Name shown for documents in GraphQL's own messages. */
export function sourceOf(text: string): Source {
  return new Source(text, 'GraphQL request');
}
