import { type AddressInfo, createServer, type Server } from 'node:net';

/** A server that listens on one or more addresses, all with the same port. */
export interface Listening {
  readonly port: number;
  /** Stops accepting connections on the additional addresses; resolves when the open ones are closed. */
  closeFurther(): Promise<void>;
}

/** System errors for an address the machine does not have, or without IPv6. */
const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * Listens on the first of `hosts`, and passes connections to the others to the same server (Node.js documentation:
 * event 'connection'). Port 0 is chosen by the system on the first. An additional address that this machine does not
 * have is skipped, and all addresses (`::`) mean 0.0.0.0 without IPv6. Throws when the first cannot be listened on.
 */
export async function listenOn(
  server: Server,
  port: number,
  hosts: readonly [string, ...string[]],
): Promise<Listening> {
  const [first, ...others] = hosts;
  const chosen = await listen(server, port, first).catch((error: unknown) => {
    if (first === '::' && isAbsent(error)) return listen(server, port, '0.0.0.0');
    throw error;
  });
  const further: Server[] = [];
  for (const host of others) {
    // Like the sockets of an HTTP server: the server decides when to end a half-closed connection.
    const twin = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
    try {
      await listen(twin, chosen, host);
      further.push(twin);
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
  return {
    port: chosen,
    closeFurther: async () => {
      await Promise.all(further.map((twin) => new Promise<void>((resolve) => twin.close(() => resolve()))));
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // A listening TCP server has an AddressInfo.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ABSENT.includes(String(error.code));
}
