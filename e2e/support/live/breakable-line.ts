import { connect, createServer, type Socket } from 'node:net';

/** The network between an encoder and the server. */
export interface BreakableLine {
  readonly port: number;
  /** Breaks all connections, and refuses others. */
  cut(): void;
  restore(): void;
  close(): void;
}

/** A port of this machine whose connections go on to another one. */
export async function openLine(to: number): Promise<BreakableLine> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((encoder) => {
    if (isCut) return void encoder.destroy();
    const target = connect(to, '127.0.0.1');
    for (const [socket, other] of [
      [encoder, target],
      [target, encoder],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut,
    restore: () => {
      isCut = false;
    },
    close() {
      cut();
      server.close();
    },
  };
}
