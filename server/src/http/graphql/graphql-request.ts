import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import { requireModestJson } from '../../platform/json-shape.ts';

/** Parameters of a request to the engine (GraphQL over HTTP, "Request Parameters"). */
export interface GraphqlParameters {
  readonly query: string | undefined;
  /** The id of a trusted document; our extension of the specification's parameters. */
  readonly documentId: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/** Several requests in one, which is refused: each of them gets the error, as links that make batches expect. */
export class BatchRefused extends AppError {
  readonly count: number;

  constructor(count: number) {
    super('INVALID_INPUT', t`Several operations in one request (batching) are not supported.`, {
      suggestedFix: t`Send one JSON object; select several root fields in one operation instead, with aliases where
        they repeat.`,
    });
    this.count = count;
  }
}

/**
 * Reads the parameters of a POST body. Members the specification does not define are ignored. Throws FIELD_REQUIRED
 * and INVALID_INPUT with the member in `field`.
 */
export function parametersFromBody(body: unknown): GraphqlParameters {
  if (Array.isArray(body)) throw new BatchRefused(body.length);
  if (!isObject(body)) {
    throw new AppError('INVALID_INPUT', t`The body is not a JSON object.`, {
      suggestedFix: t`Send {"query": "…", "variables": {…}}.`,
    });
  }
  return parameters(body);
}

/**
 * Reads the parameters of a GET address, where variables and extensions are JSON texts. Throws as parametersFromBody.
 */
export function parametersFromSearch(search: string): GraphqlParameters {
  const given = new URLSearchParams(search);
  return parameters({
    query: given.get('query'),
    documentId: given.get('documentId'),
    operationName: given.get('operationName') || null,
    variables: jsonOf(given.get('variables'), 'variables'),
    extensions: jsonOf(given.get('extensions'), 'extensions'),
  });
}

function parameters(given: Record<string, unknown>): GraphqlParameters {
  const query = text(given.query, 'query');
  const documentId = text(given.documentId, 'documentId');
  const operationName = text(given.operationName, 'operationName');
  const variables = object(given.variables, 'variables');
  const extensions = object(given.extensions, 'extensions');
  if (query === undefined && documentId === undefined) {
    if (isObject(extensions?.['persistedQuery'])) throw persistedQueryNotSupported();
    throw new AppError('FIELD_REQUIRED', t`The request has no GraphQL document.`, {
      field: 'query',
      suggestedFix: t`Send the document as the string "query": {"query": "{ verifyConnection { authenticated } }"}.`,
    });
  }
  return { query, documentId, operationName, variables };
}

/** The message by which links of automatic persisted queries know that they have to send documents. */
const NOT_SUPPORTED = t`PersistedQueryNotSupported`;

function persistedQueryNotSupported(): AppError {
  return new AppError('INVALID_INPUT', NOT_SUPPORTED, {
    field: 'extensions.persistedQuery',
    suggestedFix: t`Send the text of the document as "query".`,
  });
}

function text(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new AppError('INVALID_INPUT', t`"${field}" is not a string.`, {
    field,
    suggestedFix: t`Send "${field}" as a JSON string.`,
  });
}

function object(value: unknown, field: string): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  throw new AppError('INVALID_INPUT', t`"${field}" is not a JSON object.`, {
    field,
    suggestedFix: t`Send "${field}" as an object, for example {"id": "…"}, not as a string or list.`,
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonOf(value: string | null, field: string): unknown {
  if (value === null || value === '') return null;
  requireModestJson(Buffer.from(value));
  try {
    return JSON.parse(value);
  } catch (cause) {
    throw new AppError('INVALID_INPUT', t`The parameter "${field}" is not valid JSON.`, {
      field,
      suggestedFix: t`Send ${field} as percent-encoded JSON.`,
      cause,
    });
  }
}
