import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from '../../gql/request-context.ts';
import type { GraphqlRequest, Reader } from '../../gql/requests.ts';
import type { Credential } from '../../gql/viewer.ts';
import type { Exchange } from '../request-context.ts';
import type { SizedParameters } from './graphql-request.ts';

/** The engine's view of a request. The address and the signal are created lazily. */
export class EndpointRequest implements GraphqlRequest {
  readonly query: string | undefined;
  readonly documentId: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly version: string | undefined;
  readonly credential: Credential;
  readonly bytes: number;
  readonly queriesOnly: boolean;
  readonly requestId: string;
  readonly lastEventId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly #exchange: Exchange;

  constructor(
    parameters: SizedParameters,
    credential: Credential,
    queriesOnly: boolean,
    exchange: Exchange,
    headers: IncomingHttpHeaders,
  ) {
    this.query = parameters.query;
    this.documentId = parameters.documentId;
    this.operationName = parameters.operationName;
    this.variables = parameters.variables;
    this.version = parameters.version;
    this.credential = credential;
    this.bytes = parameters.bytes;
    this.queriesOnly = queriesOnly;
    this.requestId = exchange.requestId;
    // Node joins repeated headers with a comma and a space, which is neither a cursor nor a key.
    this.lastEventId = single(headers['last-event-id']) || undefined; // empty: nothing was read yet
    this.idempotencyKey = single(headers['idempotency-key']);
    this.#exchange = exchange;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  get clientAddress(): string {
    return this.#exchange.clientAddress;
  }

  get reader(): Reader {
    return this.#exchange;
  }

  get client(): Client {
    return this.#exchange.client;
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
