import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import { type RequestOptions, request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { WebSocket } from 'ws';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A client of 127.0.0.1 at an address of its own: of a proxy with a certificate, or of the platform itself. */
export class TestClient {
  /** The loopback address from which it connects. */
  readonly address: string;
  readonly #port: number;
  /** PEM; null for plain HTTP. */
  readonly #certificate: string | null;

  constructor(port: number, certificate: string | null, address = '127.0.0.9') {
    this.#port = port;
    this.#certificate = certificate;
    this.address = address;
  }

  /** A request whose body is sent by the caller. */
  open(path: string, { method = 'GET', headers = {} }: Omit<Asked, 'body'> = {}) {
    const named = { host: `localhost:${this.#port}`, ...headers };
    const options: RequestOptions = { ...this.#target(), path, method, headers: named, localAddress: this.address };
    return this.#certificate === null ? request(options) : requestTls(options);
  }

  async ask(path: string, { body, ...asked }: Asked = {}): Promise<Answer> {
    const sent = this.open(path, asked);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
  }

  /** The status over HTTP/2, and the protocol that the server chose. */
  async askHttp2(path: string): Promise<{ status: number; protocol: string | undefined }> {
    const session = connectHttp2(`https://localhost:${this.#port}`, {
      ca: this.#certificate ?? '',
      createConnection: () => connectTls({ ...this.#target(), ALPNProtocols: ['h2'] }),
    });
    try {
      const stream = session.request({ [constants.HTTP2_HEADER_PATH]: path });
      const [headers] = await once(stream, 'response');
      stream.resume();
      await once(stream, 'end');
      return { status: headers[constants.HTTP2_HEADER_STATUS], protocol: session.alpnProtocol };
    } finally {
      session.close();
    }
  }

  webSocket(path: string, protocol: string, headers: Readonly<Record<string, string>>): WebSocket {
    const options = { ca: this.#certificate ?? '', localAddress: this.address, headers };
    return new WebSocket(`wss://localhost:${this.#port}${path}`, protocol, options);
  }

  /** The first bytes that a server of encoders answers to `bytes`, with TLS or without. */
  async exchangeBytes(port: number, bytes: Buffer, isEncrypted: boolean): Promise<Buffer> {
    const target = { ...this.#target(), port };
    const socket = isEncrypted ? connectTls(target) : connect(target);
    try {
      socket.write(bytes);
      const [answer] = await once(socket, 'data');
      return answer;
    } finally {
      socket.destroy();
    }
  }

  #target() {
    const tls = this.#certificate === null ? {} : { ca: this.#certificate, servername: 'localhost' };
    return { host: '127.0.0.1', port: this.#port, ...tls };
  }
}
