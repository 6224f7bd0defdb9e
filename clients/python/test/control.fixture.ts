import { createServer, type IncomingMessage, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { until } from '../../../server/src/testing/until.ts';
import type { Fault, Seen } from '../../typescript/test/faulty-proxy.fixture.ts';
import type { TestPlatform } from '../../typescript/test/platform.fixture.ts';

/** Which requests a fault is for: those with all of these properties. */
interface Match {
  readonly method?: string;
  readonly notMethod?: string;
  readonly accept?: string;
}

interface Order {
  /** `arrived: true` breaks the connection once the platform has received more bytes of an upload. */
  readonly fault: Omit<Fault, 'arrived'> & { readonly arrived?: boolean };
  readonly match?: Match;
  /** How many requests; 1 by default. */
  readonly times?: number;
}

/** Lets a test in another process control the network between it and the platform: one command for each path. */
export class ControlServer {
  readonly #server: Server;
  readonly #platform: TestPlatform;
  /** Received bytes that were seen last. */
  #kept = 0;

  private constructor(platform: TestPlatform) {
    this.#platform = platform;
    this.#server = createServer(async (request, response) => {
      try {
        const result = await this.#run(request);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result ?? null));
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
    });
  }

  static async start(platform: TestPlatform): Promise<ControlServer> {
    const control = new ControlServer(platform);
    await new Promise<void>((resolve) => control.#server.listen(0, '127.0.0.1', resolve));
    return control;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #run(request: IncomingMessage): Promise<unknown> {
    const { proxy } = this.#platform;
    switch (request.url) {
      case '/next':
        return this.#next((await json(request)) as Order); // written by test/support.py
      case '/take':
        return proxy.take();
      case '/open':
        return proxy.open;
      case '/break':
        return proxy.breakAll();
      case '/reset':
        return proxy.reset();
      case '/account':
        return this.#platform.account();
      default:
        throw new Error(`There is no command ${request.url}`);
    }
  }

  #next({ fault, match = {}, times = 1 }: Order): void {
    this.#kept = this.#platform.receivedBytes();
    const arrived = async () => {
      await until(() => this.#platform.receivedBytes() > this.#kept, 'Nothing arrives.');
      this.#kept = this.#platform.receivedBytes();
    };
    const { arrived: isAwaited, ...rest } = fault;
    const whole = (isAwaited ? { ...rest, arrived } : rest) as Fault; // written by test/support.py
    for (let n = 0; n < times; n += 1) this.#platform.proxy.next(whole, (seen) => fits(seen, match));
  }
}

function fits({ method, headers }: Seen, match: Match): boolean {
  return (
    (match.method === undefined || match.method === method) &&
    (match.notMethod === undefined || match.notMethod !== method) &&
    (match.accept === undefined || match.accept === headers.accept)
  );
}
