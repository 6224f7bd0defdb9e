import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Pieces that are passed on at once: a fifteenth of a second at 1 Mbit/s. */
const PIECE_BYTES = 8 * 1024;

/** A proxy for a browser, which passes the bytes of uploads on at a steady rate. */
export interface SlowUploads {
  /** For the option `proxy` of a browser context. */
  readonly server: string;
  /** Bytes of uploads that were passed on until a Unix time in milliseconds. */
  sentAt(unixMs: number): number;
  /** When the last one was passed on, Unix milliseconds. */
  readonly lastAtMs: number;
  close(): Promise<void>;
}

/** Chromium throttles uploads itself, but sends them in bursts. */
export async function slowUploads(bytesPerSecond: number): Promise<SlowUploads> {
  const passed: { readonly atMs: number; readonly bytes: number }[] = [];
  let sum = 0;
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { hostname, port, pathname, search } = new URL(request.url ?? '');
    const { method = 'GET', headers } = request;
    const forward = send({ hostname, port, path: pathname + search, method, headers });
    forward.on('error', () => response.destroy());
    response.once('close', () => forward.destroy());
    forward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    if (method !== 'PATCH') return void request.pipe(forward);
    const [startedAtMs, before] = [Date.now(), sum];
    for await (const chunk of request as AsyncIterable<Buffer>)
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        const dueMs = startedAtMs + (1_000 * (sum - before)) / bytesPerSecond;
        await sleep(Math.max(0, dueMs - Date.now()));
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        forward.write(piece);
        sum += piece.length;
        passed.push({ atMs: Date.now(), bytes: sum });
      }
    forward.end();
  };
  const proxy = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  // Requests of the test itself.
  proxy.on('connect', ({ url = '' }, socket, head) => {
    const { hostname, port } = new URL(`http://${url}`);
    const tunnel = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      tunnel.write(head);
      tunnel.pipe(socket).pipe(tunnel);
    });
    tunnel.on('error', () => socket.destroy());
    socket.on('error', () => tunnel.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    server: `http://127.0.0.1:${port}`,
    sentAt: (unixMs) => passed.findLast(({ atMs }) => atMs <= unixMs)?.bytes ?? 0,
    get lastAtMs() {
      return passed.at(-1)?.atMs ?? 0;
    },
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
