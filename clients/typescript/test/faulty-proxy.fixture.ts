import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http';
import { connect } from 'node:net';
import { type Duplex, Transform } from 'node:stream';
import { until } from '../../../server/src/testing/until.ts';

/** What the proxy does to one request. */
export type Fault =
  /** The connection breaks before the platform receives the request. */
  | { readonly kind: 'lost request' }
  /** The platform handles the request, and its response is lost. */
  | { readonly kind: 'lost response' }
  /**
   * The connection breaks after this many bytes of the request's body: at once, or when `arrived` resolves because the
   * platform has them.
   */
  | { readonly kind: 'broken body'; readonly afterBytes: number; readonly arrived?: () => Promise<unknown> }
  /** The connection breaks after this many bytes of the response. */
  | { readonly kind: 'broken response'; readonly afterBytes: number }
  /** A proxy in front of the platform responds. */
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** The request gets no response. */
  | { readonly kind: 'silence' };

/** A request that the proxy received. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly atMs: number;
}

/** The network between a client and the platform: an HTTP proxy that applies the configured fault to a request. */
export class FaultyProxy {
  readonly seen: Seen[] = [];
  /** For the next matching requests, in order. */
  readonly #faults: { readonly matches: (seen: Seen) => boolean; readonly fault: Fault }[] = [];
  readonly #server: Server;
  /** Port of the platform; set before the first request. */
  target = 0;
  /** Responses of faults that were sent whole. */
  answered = 0;
  /** Responses that have not ended, and those of them that are streams of events. */
  open = 0;
  openStreams = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
    this.#server.on('upgrade', (request, socket) => this.#tunnel(request, socket));
  }

  static async start(): Promise<FaultyProxy> {
    const proxy = new FaultyProxy();
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  /** Applies this fault to the next matching request. */
  next(fault: Fault, matches: (seen: Seen) => boolean = () => true): void {
    this.#faults.push({ fault, matches });
  }

  /** Requests since the last call. */
  take(): Seen[] {
    return this.seen.splice(0);
  }

  /** Between tests: a request may end before it reaches the proxy, and its fault would apply to the next test. */
  reset(): void {
    this.#faults.length = 0;
    this.seen.length = 0;
  }

  /** Resolves when the proxy has received this many requests with the method since `take`. */
  async came(method: string, count: number): Promise<void> {
    const requests = () => this.seen.filter((seen) => seen.method === method).length;
    await until(() => requests() >= count, `${count} ${method} did not come.`);
  }

  /** Closes every connection. */
  breakAll(): void {
    this.#server.closeAllConnections();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** A WebSocket, as it is: without faults. */
  #tunnel({ method, url, rawHeaders }: IncomingMessage, socket: Duplex): void {
    const onward = connect(this.target, '127.0.0.1');
    const headers = rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`));
    onward.write(`${method} ${url} HTTP/1.1\r\n${headers.join('')}\r\n`);
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, atMs: Date.now() };
    this.seen.push(seen);
    const streams = seen.headers.accept === 'text/event-stream' ? 1 : 0;
    this.open += 1;
    this.openStreams += streams;
    response.on('close', () => {
      this.open -= 1;
      this.openStreams -= streams;
    });
    const at = this.#faults.findIndex(({ matches }) => matches(seen));
    const fault = at < 0 ? null : (this.#faults.splice(at, 1)[0]?.fault ?? null);
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'lost request') return void request.socket.destroy();
    if (fault?.kind === 'response') {
      request.resume();
      response.on('finish', () => {
        this.answered += 1;
      });
      response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
      return;
    }
    this.#forward(request, response, fault);
  }

  #forward(request: IncomingMessage, response: ServerResponse, fault: Fault | null): void {
    const { method, url: path, headers } = request;
    const forwarded = send({ host: '127.0.0.1', port: this.target, method, path, headers }, (incoming) => {
      if (fault?.kind === 'lost response') {
        incoming.resume().on('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      response.flushHeaders();
      if (fault?.kind === 'broken response')
        incoming.pipe(limited(fault.afterBytes, () => request.socket.destroy())).pipe(response);
      else incoming.pipe(response);
    });
    forwarded.on('error', () => request.socket.destroy());
    response.on('close', () => forwarded.destroy());
    if (fault?.kind !== 'broken body') return void request.pipe(forwarded);
    const broken = async () => {
      // The forwarded bytes are sent before both ends close.
      await fault.arrived?.();
      forwarded.destroy();
      request.socket.destroy();
    };
    request.pipe(limited(fault.afterBytes, () => void broken())).pipe(forwarded);
  }
}

/** Passes this many bytes, then calls back and drops the rest. */
function limited(bytes: number, over: () => void): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const part = chunk.subarray(0, left);
      const ends = left > 0 && chunk.length >= left;
      left -= part.length;
      done(null, part);
      if (ends) over();
    },
  });
}
