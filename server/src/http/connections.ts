import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { t } from '../kernel/languages/message.ts';
import { HttpError, restErrorBody } from './errors.ts';

/** Running requests by connection, to close idle connections and await the others. */
export class Connections {
  /** The process is about to stop: connections end after the request that they carry. */
  isEnding = false;
  /** No connection is accepted any more. */
  draining = false;
  readonly #idleMs: number;
  /** Open connections, each with its running response. */
  readonly #sockets = new Map<Socket, { response: ServerResponse | null }>();

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  accepted(socket: Socket): void {
    this.#sockets.set(socket, { response: null });
    socket.once('close', () => this.#sockets.delete(socket));
  }

  opened(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#sockets.get(request.socket);
    if (connection) connection.response = response;
    if (this.isEnding) response.shouldKeepAlive = false;
  }

  closed(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#sockets.get(request.socket);
    if (connection?.response === response) connection.response = null;
  }

  isAnswering(socket: Duplex): boolean {
    return Boolean(this.#sockets.get(socket as Socket)?.response); // a connection of this server is a Socket
  }

  /** The socket was idle for a while: close it, unless the client is waiting for the server. */
  idle(socket: Socket): void {
    const response = this.#sockets.get(socket)?.response;
    if (response?.req.complete && !response.headersSent) socket.setTimeout(this.#idleMs);
    else socket.destroy();
  }

  drain(server: Server, graceMs: number): Promise<void> {
    this.isEnding = true;
    this.draining = true;
    for (const [socket, { response }] of this.#sockets) {
      if (response && !response.headersSent) response.shouldKeepAlive = false;
      // Node closes connections that idle between requests, but not those without any request (browsers open them ahead
      // of time).
      if (socket.bytesRead === 0) socket.destroy();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** Responds to invalid HTTP requests: broken syntax, headers that are too large or never end. */
export function refuse(error: NodeJS.ErrnoException, socket: Duplex, connections: Connections, baseUrl: string): void {
  if (!socket.writable || connections.isAnswering(socket) || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const exception = new HttpError(
    status,
    'INVALID_INPUT',
    t`${STATUS_CODES[status] ?? status}: the request could not be parsed.`,
    {
      suggestedFix: t`Send a complete HTTP/1.1 request with headers of at most 16 KiB.`,
    },
  );
  const body = JSON.stringify(restErrorBody(exception, baseUrl, ''));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
