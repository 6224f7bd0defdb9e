import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What a benchmark requests, over and over: each path in turn. */
export interface Requests {
  readonly paths: readonly string[];
  readonly range?: string;
  /** Of each response, as its length unless that is null; anything else ends the benchmark. */
  readonly status: number;
  readonly bytes: number | null;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const READ_BYTES = 256 * 1024;

/**
 * Sends `count` requests over `connections` kept connections and reads the responses in full. Written on sockets,
 * because the client shares the machine with what it measures.
 */
export async function send(url: string, requests: Requests, count: number, connections: number): Promise<void> {
  const { hostname, port } = new URL(url);
  let next = 0;
  const client = async () => {
    const socket = new Connection(hostname, Number(port), requests);
    for (let at = next++; at < count; at = next++)
      await socket.get(requests.paths[at % requests.paths.length] ?? '/', hostname);
    socket.close();
  };
  await Promise.all(Array.from({ length: connections }, client));
}

/** One kept connection with one request at a time. */
export class Connection {
  readonly #socket: Socket;
  readonly #requests: Requests;
  readonly #connected: Promise<unknown>;
  #head = '';
  /** Bytes of the body that have not arrived yet; null before the headers are complete. */
  #missing: number | null = null;
  #done: () => void = () => {};
  #fail: (error: Error) => void = () => {};

  constructor(host: string, port: number, requests: Requests) {
    this.#requests = requests;
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    const onread = {
      buffer,
      callback: (length: number) => {
        this.#received(buffer.subarray(0, length));
        return true;
      },
    };
    this.#socket = connect({ host, port, onread });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('The server closed the connection.')));
    this.#connected = once(this.#socket, 'connect');
  }

  async get(path: string, host: string): Promise<void> {
    await this.#connected;
    const range = this.#requests.range === undefined ? '' : `Range: ${this.#requests.range}\r\n`;
    await new Promise<void>((done, fail) => {
      [this.#done, this.#fail] = [done, fail];
      this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${range}\r\n`);
    });
  }

  close(): void {
    this.#fail = () => {};
    this.#socket.destroy();
  }

  #received(chunk: Buffer): void {
    if (this.#missing === null) {
      const end = chunk.indexOf(HEAD_END);
      this.#head += chunk.toString('latin1', 0, end === -1 ? chunk.length : end);
      if (end === -1) return;
      const { status, bytes } = this.#requests;
      const length = Number(/^content-length: (\d+)\r?$/im.exec(this.#head)?.[1]);
      const right = Number(this.#head.slice(9, 12)) === status && length === (bytes ?? length);
      if (!right) return void this.#socket.destroy(new Error(`Not the expected response: ${this.#head}`));
      this.#missing = length - (chunk.length - end - HEAD_END.length);
      this.#head = '';
    } else this.#missing -= chunk.length;
    if (this.#missing > 0) return;
    this.#missing = null;
    this.#done();
  }
}
