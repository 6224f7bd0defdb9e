import type { IncomingMessage } from 'node:http';
import { type DocumentNode, GraphQLError, type GraphQLFormattedError, GraphQLSchema, parse } from 'graphql';
import { type Context, makeServer, type Server, type SubscribePayload } from 'graphql-ws';
import type { Credential } from '../../../gql/viewer.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { bearerOf, type CredentialSource, credentialOf } from '../../credentials.ts';
import { graphqlErrorBody } from '../../errors.ts';
import type { Metrics } from '../../metrics.ts';
import type { Exchange } from '../../request-context.ts';
import { EndpointRequest } from '../endpoint-request.ts';
import { one, type StreamMessage } from '../event-streams.ts';
import { type GraphqlEngine, operationOf, outcomeOf } from '../graphql-endpoint.ts';
import type { StreamCapacity } from '../stream-capacity.ts';

export interface SocketProtocolOptions {
  readonly engine: GraphqlEngine;
  readonly credentials: CredentialSource;
  readonly capacity: StreamCapacity;
  readonly metrics: Metrics;
  readonly baseUrl: string;
  /** The context of one operation of a connection that this request opened. */
  readonly exchangeOf: (request: IncomingMessage) => Exchange;
}

/** What is known about one connection. */
export interface SocketConnection {
  readonly request: IncomingMessage;
  /** Undefined for the current version. */
  readonly version: string | undefined;
  /** Bytes of the message that is being read. */
  bytes: number;
  /** Set by connection_init. */
  credential: Credential | null;
  readonly operations: Map<SubscribePayload, Operation>;
  /** Called when the connection is closed. */
  readonly cleanup: (() => void)[];
  isClosed: boolean;
  /** Closes the connection, for the reason of the error. */
  readonly refuse: (error: unknown) => void;
}

interface Operation {
  readonly exchange: Exchange;
  release?: () => void;
}

type Payload = { readonly [name: string]: unknown } | undefined;
type SocketContext = Context<Payload, SocketConnection>;

/** Operations that one connection may wait for. */
const MAX_RUNNING = 100;
/** Time for connection_init. */
const INIT_MS = 10_000;
/** The library runs what it is given on a schema: here the engine has done so, and the root value is its result. */
const SCHEMA = new GraphQLSchema({});
const DOCUMENT: DocumentNode = parse('subscription { result }');

/**
 * The messages of a connection ("GraphQL over WebSocket Protocol", graphql-transport-ws), on the engine: each operation
 * is authorized, charged and answered as one that is sent over HTTP.
 */
export function socketProtocol(options: SocketProtocolOptions): Server<SocketConnection> {
  const protocol = new SocketProtocol(options);
  return makeServer<Payload, SocketConnection>({
    connectionInitWaitTimeout: INIT_MS,
    onConnect: (context) => protocol.connect(context),
    onSubscribe: async ({ extra }, _id, payload) => {
      const rootValue = await protocol.start(extra, payload);
      return rootValue ? { schema: SCHEMA, document: DOCUMENT, rootValue } : [new GraphQLError('refused')];
    },
    subscribe: ({ rootValue }) => rootValue as Answers, // from onSubscribe
    onNext: (_context, _id, _payload, _args, result) => result as object, // rendered by the engine
    onError: (_context, _id, payload, errors) => protocol.errorsOf(payload) ?? errors.map((error) => error.toJSON()),
    onComplete: ({ extra }, _id, payload) => protocol.end(extra, payload),
    onClose: ({ extra }) => protocol.close(extra),
  });
}

class SocketProtocol {
  readonly #options: SocketProtocolOptions;
  readonly #ownOrigin: string;
  /** The errors of operations that did not begin. */
  readonly #refusals = new WeakMap<SubscribePayload, readonly GraphQLFormattedError[]>();

  constructor(options: SocketProtocolOptions) {
    this.#options = options;
    this.#ownOrigin = new URL(options.baseUrl).origin;
  }

  /** connection_init: throws what closes the connection. */
  async connect({ extra: connection, connectionParams }: SocketContext): Promise<void> {
    const { engine, capacity } = this.#options;
    const credential = await this.#credentialOf(connection.request, connectionParams);
    const accountId = await engine.requireAccount(credential);
    connection.cleanup.push(
      capacity.claim(accountId),
      engine.watch(credential, () => connection.refuse(new AppError('UNAUTHENTICATED'))),
    );
    connection.credential = credential;
    if (connection.isClosed) this.close(connection);
  }

  /** As `{"authorization": "Bearer …"}` in connection_init, since browsers send no header; or as over HTTP. */
  async #credentialOf(request: IncomingMessage, parameters: Payload): Promise<Credential> {
    const { credentials } = this.#options;
    const sent = parameters?.['authorization'] ?? parameters?.['Authorization'];
    if (typeof sent === 'string') return credentials.findCredential(bearerOf(sent));
    const credential = await credentialOf(request, credentials, this.#ownOrigin);
    if (credential.kind !== 'anonymous') return credential;
    throw new AppError('UNAUTHENTICATED', t`The connection has no API key.`, {
      suggestedFix: t`Send {"authorization": "Bearer <API_KEY>"} as the payload of connection_init.`,
    });
  }

  /** subscribe: the results; null when it is refused, or ended meanwhile. */
  async start(connection: SocketConnection, payload: SubscribePayload): Promise<Answers | null> {
    const { engine, baseUrl, exchangeOf } = this.#options;
    const operation: Operation = { exchange: exchangeOf(connection.request) };
    const isFull = connection.operations.size >= MAX_RUNNING;
    connection.operations.set(payload, operation);
    try {
      if (isFull) throw tooMany();
      return await this.#run(connection, payload, operation);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const body = graphqlErrorBody(error, baseUrl, engine.noCost, operation.exchange.language);
      this.#refuse(connection, payload, body);
      return null;
    }
  }

  async #run(connection: SocketConnection, payload: SubscribePayload, operation: Operation): Promise<Answers | null> {
    const { engine, metrics, capacity } = this.#options;
    const { exchange } = operation;
    const startedAt = performance.now();
    const started = await engine.subscribe(requestOf(connection, payload, exchange));
    if (!connection.operations.has(payload)) return null;
    if (started.kind === 'stream') {
      operation.release = capacity.claim(started.accountId ?? '');
      return new Answers(started.messages, exchange);
    }
    const { result } = started;
    const name = result.failure === null ? operationOf(result) : 'refused';
    metrics.graphqlOperation(name, outcomeOf(result), (performance.now() - startedAt) / 1000);
    if (result.failure === null) return new Answers(one(result.body), exchange);
    this.#refuse(connection, payload, result.body);
    return null;
  }

  #refuse(connection: SocketConnection, payload: SubscribePayload, body: object): void {
    const { errors } = body as { errors: readonly GraphQLFormattedError[] }; // the request failed as a whole
    this.#refusals.set(payload, errors);
    this.end(connection, payload);
  }

  errorsOf(payload: SubscribePayload): readonly GraphQLFormattedError[] | undefined {
    return this.#refusals.get(payload);
  }

  /** Whatever an operation still does is stopped. */
  end({ operations }: SocketConnection, payload: SubscribePayload): void {
    const operation = operations.get(payload);
    operations.delete(payload);
    operation?.exchange.abandon();
    operation?.release?.();
  }

  close(connection: SocketConnection): void {
    connection.isClosed = true;
    for (const payload of connection.operations.keys()) this.end(connection, payload);
    for (const clean of connection.cleanup.splice(0)) clean();
  }
}

function requestOf(connection: SocketConnection, payload: SubscribePayload, exchange: Exchange): EndpointRequest {
  const { credential, bytes, version } = connection;
  if (credential === null) throw new TypeError('A connection has a credential before operations');
  const { query, operationName, variables } = payload;
  const parameters = {
    query,
    documentId: undefined,
    operationName: operationName ?? undefined,
    variables: variables ?? undefined,
    bytes,
    version,
  };
  return new EndpointRequest(parameters, credential, false, exchange, {});
}

/** The results of an operation. Ending them also ends a wait for the next one. */
class Answers implements AsyncIterableIterator<object> {
  readonly #messages: AsyncIterator<StreamMessage>;
  readonly #exchange: Exchange;

  constructor(messages: AsyncIterable<StreamMessage>, exchange: Exchange) {
    this.#messages = messages[Symbol.asyncIterator]();
    this.#exchange = exchange;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<object>> {
    const { done, value } = await this.#messages.next();
    return done ? { done, value: undefined } : { done: false, value: withCursor(value) };
  }

  async return(): Promise<IteratorResult<object>> {
    this.#exchange.abandon();
    await this.#messages.return?.();
    return { done: true, value: undefined };
  }
}

/** The cursor, which is the id of a server-sent event, as an extension of the result. */
function withCursor({ cursor, body }: StreamMessage): object {
  if (cursor === null) return body;
  const extensions = 'extensions' in body ? (body.extensions as object) : {};
  return { ...body, extensions: { ...extensions, cursor } };
}

function tooMany(): AppError {
  return new AppError('RATE_LIMIT_EXCEEDED', t`This connection waits for ${MAX_RUNNING} operations.`, {
    suggestedFix: t`Complete subscriptions that are not needed, and wait for answers before sending more.`,
    retryAfterSeconds: 1,
  });
}
