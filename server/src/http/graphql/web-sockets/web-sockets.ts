import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, handleProtocols, type Server } from 'graphql-ws';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { appErrorOf } from '../../../kernel/database-errors.ts';
import { AppError, type ErrorCode } from '../../../kernel/errors.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import { t } from '../../../kernel/languages/message.ts';
import { requireModestJson } from '../../../platform/json-shape.ts';
import type { Logger } from '../../../platform/log.ts';
import { refuseKeyInAddress } from '../../credentials.ts';
import type { Exchange } from '../../request-context.ts';
import type { StreamLimits } from '../event-streams.ts';
import { graphqlRoute, versionInAddress } from '../version-choice.ts';
import { type SocketConnection, type SocketProtocolOptions, socketProtocol } from './socket-protocol.ts';

export interface WebSocketOptions extends SocketProtocolOptions {
  readonly limits: StreamLimits;
  /** The version that a request asks for. Throws if there is none such. */
  readonly choose: (request: IncomingMessage, address: string | null) => string;
  readonly currentVersion: string;
  /** Called for each connection; the returned function when it is closed. */
  readonly track: (request: IncomingMessage, exchange: Exchange) => () => void;
  readonly log: Logger;
}

/** As for bodies of requests. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Bytes of the reason of a close (RFC 6455 section 5.5). */
const MAX_REASON_BYTES = 123;
/** RFC 6455 section 7.4.1, and its registry: clients connect again. */
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;
/** The error of the library for a message that only servers send. */
const UNEXPECTED = /^Unexpected message/;

/** What closes a connection, by the error; others are faults of ours. */
const CLOSE_CODES: Partial<Record<ErrorCode, number>> = {
  UNAUTHENTICATED: CloseCode.Forbidden,
  TOKEN_EXPIRED: CloseCode.Forbidden,
  UNAUTHORIZED: CloseCode.Forbidden,
  INVALID_INPUT: CloseCode.BadRequest,
  RATE_LIMIT_EXCEEDED: TRY_AGAIN_LATER,
  SERVICE_UNAVAILABLE: TRY_AGAIN_LATER,
};

/** WebSocket connections to the GraphQL endpoint (RFC 6455; subprotocol graphql-transport-ws). */
export class WebSockets {
  readonly #options: WebSocketOptions;
  readonly #protocol: Server<SocketConnection>;
  /** Messages are not compressed: an inflated one could be a thousand times as large as what was sent. */
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols,
  });

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#protocol = socketProtocol(options);
  }

  /** Whether the request opens a connection. All others are answered as requests, so also those with an error. */
  accepts(request: IncomingMessage): boolean {
    if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket') return false;
    const { path, search } = this.#options.exchangeOf(request);
    const version = versionInAddress(path);
    if (version === undefined) return false;
    try {
      refuseKeyInAddress(search);
      this.#options.choose(request, version);
      return true;
    } catch {
      return false;
    }
  }

  /** Takes over the socket of a request that `accepts` has accepted. */
  open(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { exchangeOf, choose, currentVersion, track } = this.#options;
    const exchange = exchangeOf(request);
    const address = versionInAddress(exchange.path) ?? null;
    exchange.route = graphqlRoute(address);
    const chosen = choose(request, address);
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      opened.once('close', track(request, exchange));
      this.#serve(opened, request, exchange, chosen === currentVersion ? undefined : chosen);
    });
  }

  /** Asks every client to connect to another instance. */
  close(): void {
    for (const socket of this.#server.clients) socket.close(GOING_AWAY, 'Going away');
  }

  /** Ends the connections whose clients have not closed them. */
  terminate(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  #serve(socket: WebSocket, request: IncomingMessage, exchange: Exchange, version: string | undefined): void {
    const refuse = (error: unknown) => this.#refuse(socket, exchange, error);
    const connection: SocketConnection = {
      ...{ request, version, refuse, bytes: 0, credential: null, isClosed: false },
      operations: new Map(),
      cleanup: [this.#keepAlive(socket)],
    };
    const closed = this.#protocol.opened(
      {
        protocol: socket.protocol,
        send: (data) => this.#send(socket, data),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (read) =>
          void socket.on('message', (data: RawData, isBinary: boolean) => {
            receive(connection, data, isBinary, read).catch(refuse);
          }),
      },
      connection,
    );
    // A frame that breaks the protocol; 'close' follows.
    socket.on('error', () => {});
    socket.once('close', (code: number, reason: Buffer) => void closed(code, reason.toString()).catch(refuse));
  }

  /** Resolves when the client's system has taken the message; one that reads nothing for long is disconnected. */
  #send(socket: WebSocket, data: string): Promise<void> {
    if (socket.readyState !== socket.OPEN) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => socket.terminate(), this.#options.limits.slowMs);
      // An error means that the connection is gone; 'close' follows.
      socket.send(data, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Pings, and disconnects a client that has not answered the last one. */
  #keepAlive(socket: WebSocket): () => void {
    let answered = true;
    socket.on('pong', () => {
      answered = true;
    });
    const timer = setInterval(() => {
      if (!answered) return socket.terminate();
      answered = false;
      socket.ping();
    }, this.#options.limits.heartbeatMs);
    return () => clearInterval(timer);
  }

  #refuse(socket: WebSocket, exchange: Exchange, thrown: unknown): void {
    const error = appErrorOf(thrown);
    const code = error && CLOSE_CODES[error.code];
    if (error && code) socket.close(code, reasonOf(`${error.code}: ${localized(error.text, exchange.language)}`));
    else if (thrown instanceof Error && UNEXPECTED.test(thrown.message))
      socket.close(CloseCode.BadRequest, reasonOf(thrown.message));
    else {
      this.#options.log.error({ requestId: exchange.requestId, error: thrown }, 'WebSocket connection failed');
      socket.close(CloseCode.InternalServerError, `INTERNAL_SERVER_ERROR: ${exchange.requestId}`);
    }
  }
}

/** The library reads a message, and an operation's options, before it waits for anything. */
async function receive(
  connection: SocketConnection,
  data: RawData,
  isBinary: boolean,
  read: (message: string) => Promise<void>,
): Promise<void> {
  if (isBinary || !Buffer.isBuffer(data)) throw new AppError('INVALID_INPUT', t`Messages are texts with JSON.`);
  requireModestJson(data);
  connection.bytes = data.length;
  await read(data.toString());
}

/** The text, cut between characters to what a close frame can hold. */
function reasonOf(text: string): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(MAX_REASON_BYTES)).read);
}
