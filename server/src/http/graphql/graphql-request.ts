import type { IncomingMessage } from 'node:http';
import type { Credential } from '../../gql/viewer.ts';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import { requireModestJson } from '../../platform/json-shape.ts';
import type { BodyLimits } from '../../platform/read-body.ts';
import { readJson } from '../body.ts';
import { HttpError } from '../errors.ts';
import type { Exchange } from '../request-context.ts';

const BODY: BodyLimits = { maxBytes: 1024 * 1024, timeoutMs: 15_000 };
/** Without a credential only trusted documents are allowed, whose requests are an id and a few variables. */
const ANONYMOUS_BODY: BodyLimits = {
  maxBytes: 16 * 1024,
  timeoutMs: 15_000,
  suggestedFix: t`Send an API key in the header "Authorization: Bearer <API_KEY>": without one only small requests are
    read.`,
};

/** Parameters of a request to the engine (GraphQL over HTTP, "Request Parameters"). */
export interface GraphqlParameters {
  readonly query: string | undefined;
  /** The id of a trusted document; our extension of the specification's parameters. */
  readonly documentId: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/** Parameters with the size of the request. */
export interface SizedParameters extends GraphqlParameters {
  /** Of the body, or of the address for GET. */
  readonly bytes: number;
  readonly version?: string | undefined;
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

/** The parameters with their size. The credential is checked first: without a valid one only small bodies are read. */
export async function parametersOf(
  request: IncomingMessage,
  exchange: Exchange,
  credential: Credential,
  isGet: boolean,
): Promise<SizedParameters> {
  if (isGet) return { ...parametersFromSearch(exchange.search), bytes: exchange.search.length };
  if (/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) throw filesRefused();
  const { value, bytes } = await readJson(request, credential.kind === 'anonymous' ? ANONYMOUS_BODY : BODY);
  return { ...parametersFromBody(value), bytes };
}

/** Files have their own requests, which continue after a lost connection. */
function filesRefused(): HttpError {
  return new HttpError(415, 'INVALID_INPUT', t`Files are not sent in requests of GraphQL.`, {
    suggestedFix: t`Open an upload with publishVideo or createContentAsset, and send the file to its endpoint.`,
    headers: { 'accept-post': 'application/json' },
  });
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
