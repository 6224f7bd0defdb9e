import { t } from './i18n.ts';

/**
 * Client of the GraphQL endpoint. Requests send the id of a committed document, never a document, and authenticate
 * with the session cookie, never with an API key.
 */
export interface Operation<Result, Variables> {
  /** The id of the document in gql/generated/trusted-documents.json. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Never set: carries the types of the operation. */
  readonly types?: (variables: Variables) => Result;
}

interface WireError {
  readonly message: string;
  readonly extensions?: {
    code?: string;
    field?: string;
    suggestedFix?: string;
    documentation?: string;
    retryable?: boolean;
  };
}

/** An API error that the page can explain: message, suggested fix and documentation. */
export class ApiError extends Error {
  readonly code: string;
  readonly field: string | null;
  readonly suggestedFix: string | null;
  readonly documentation: string | null;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;

  constructor(error: WireError) {
    super(error.message);
    this.name = 'ApiError';
    this.code = error.extensions?.code ?? 'INTERNAL_SERVER_ERROR';
    this.field = error.extensions?.field ?? null;
    this.suggestedFix = error.extensions?.suggestedFix ?? null;
    this.documentation = error.extensions?.documentation ?? null;
    this.retryable = error.extensions?.retryable ?? false;
  }
}

/** The error for a request without a response, or with one that is not the API's. */
export const unreachable = (): ApiError =>
  new ApiError({
    message: t`The server could not be reached.`,
    extensions: {
      code: 'SERVICE_UNAVAILABLE',
      suggestedFix: t`Check your connection and try again.`,
      retryable: true,
    },
  });

/** Operations without variables need no second argument. */
export type Arguments<Variables> =
  Variables extends Record<string, never> ? [variables?: Variables] : [variables: Variables];

/** Runs an operation; throws ApiError. Queries go by GET, mutations by POST. */
export function api<Result, Variables>(
  operation: Operation<Result, Variables>,
  ...[variables]: Arguments<Variables>
): Promise<Result> {
  return request(operation, variables ?? {});
}

/** Runs a mutation that is executed once for a key, however often it is sent; throws ApiError. */
export function apiOnce<Result, Variables>(
  operation: Operation<Result, Variables>,
  key: string,
  variables: Variables,
): Promise<Result> {
  return request(operation, variables, { 'idempotency-key': key });
}

async function request<Result>(
  operation: Operation<Result, never>,
  variables: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const response = await send(operation, variables, headers).catch(() => {
    throw unreachable();
  });
  const body: { data?: Result | null; errors?: WireError[] } = await response.json().catch(() => ({}));
  const [error] = body.errors ?? [];
  if (error) throw new ApiError(error);
  if (!body.data) throw unreachable();
  return body.data;
}

function send(
  operation: Operation<unknown, never>,
  variables: unknown,
  more: Readonly<Record<string, string>>,
): Promise<Response> {
  const headers = { accept: 'application/json', ...more };
  if (operation.kind === 'query') {
    const search = new URLSearchParams({ documentId: operation.id, variables: JSON.stringify(variables) });
    return fetch(`/graphql?${search}`, { headers, credentials: 'same-origin' });
  }
  const body = JSON.stringify({ documentId: operation.id, operationName: operation.name, variables });
  return fetch('/graphql', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    credentials: 'same-origin',
    body,
  });
}
