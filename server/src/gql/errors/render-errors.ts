import type { DocumentError } from '@reelgraph/sql-planner';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { appErrorOf } from '../../kernel/database-errors.ts';
import { AppError, type ErrorCode, errorExtensions } from '../../kernel/errors.ts';
import { localized } from '../../kernel/languages/catalogs.ts';
import type { Language } from '../../kernel/languages/languages.ts';
import { type Text, t } from '../../kernel/languages/message.ts';

/** An error of a GraphQL response: message, path and the extension fields (spec: "Errors"). */
export type RenderedError = GraphQLFormattedError;

/** Request data for rendering. */
export interface ErrorContext {
  readonly baseUrl: string;
  readonly requestId: string;
  readonly language: Language;
  /** Called with every masked error. */
  readonly report: (error: unknown) => void;
}

/** Errors of the document or the variables, before execution; with `path` where they are about no field. */
export function renderValidation(
  errors: readonly DocumentError[],
  context: ErrorContext,
  path: readonly string[],
): RenderedError[] {
  return errors.map(({ message, locations, advice, path: own = path }) => {
    const error = new AppError('GRAPHQL_VALIDATION_FAILED', message, { ...adviceOn(message), ...advice });
    return {
      message: localized(error.text, context.language),
      ...(locations && locations.length > 0 ? { locations } : {}),
      path: own,
      extensions: { ...errorExtensions(error, context.baseUrl, context.language) },
    };
  });
}

/** Advice on directives of other servers; undefined for other errors. */
function adviceOn(message: string): { readonly suggestedFix: Text } | undefined {
  if (!/^Unknown directive "@(defer|stream)"/.test(message)) return undefined;
  return {
    suggestedFix: t`Responses are sent whole: ask for this part in another operation, or follow it with a
      subscription.`,
  };
}

/** A failure of a root field or of the whole request. Errors other than AppError are masked. */
export function renderFailure(
  error: unknown,
  context: ErrorContext,
  path: ReadonlyArray<string | number>,
): RenderedError {
  const known = knownError(error) ?? masked(error, context);
  return {
    message: localized(known.text, context.language),
    path,
    extensions: { ...errorExtensions(known, context.baseUrl, context.language) },
  };
}

/** An error with its path in the response. */
export function renderExecution(error: GraphQLError, context: ErrorContext): RenderedError {
  return renderFailure(error.originalError ?? error, context, error.path ?? []);
}

/** The AppError in an error or its causes. */
export function knownError(error: unknown): AppError | null {
  return appErrorOf(error instanceof GraphQLError && error.originalError ? error.originalError : error);
}

export function codeOf(error: unknown): ErrorCode {
  return knownError(error)?.code ?? 'INTERNAL_SERVER_ERROR';
}

function masked(error: unknown, context: ErrorContext): AppError {
  context.report(error);
  return new AppError('INTERNAL_SERVER_ERROR', t`Something went wrong on our side (request ${context.requestId}).`);
}
