import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type PublishRequest, PublishSession, type Refusal } from '@reelgraph/rtmp';

/** What a target is sent. */
export interface Arrival {
  readonly what: 'metadata' | 'picture config' | 'keyframe' | 'picture' | 'sound config' | 'sound' | 'end';
  readonly timestamp: number;
}

/** A stream that was published at a receiver. */
export interface ReceivedStream {
  readonly request: PublishRequest;
  readonly arrivals: Arrival[];
  /** Whether the publisher has said that nothing follows. */
  hasEnded: boolean;
  isClosed: boolean;
}

export interface ReceiverOptions {
  /** Why nobody may publish. */
  readonly refusal?: (request: PublishRequest) => Refusal | null;
  /** Whether connections are accepted and nothing is read. */
  readonly hangs?: boolean;
  /** Resets the first stream after so many pictures. */
  readonly resetAfter?: number;
}

/** A server of somebody else, at which streams are published. */
export class Receiver {
  readonly streams: ReceivedStream[] = [];
  connections = 0;
  readonly #options: ReceiverOptions;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => void this.#take(socket));

  private constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  static async open(options: ReceiverOptions = {}): Promise<Receiver> {
    const receiver = new Receiver(options);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `rtmp://127.0.0.1:${(this.#server.address() as AddressInfo).port}/app`;
  }

  /** The newest stream. */
  get stream(): ReceivedStream | undefined {
    return this.streams.at(-1);
  }

  /** Stops reading, or goes on. */
  set isPaused(isPaused: boolean) {
    for (const socket of this.#sockets)
      if (isPaused) socket.pause();
      else socket.resume();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #take(socket: Socket): Promise<void> {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    if (this.#options.hangs) return;
    let stream: ReceivedStream | null = null;
    const note = (what: Arrival['what'], timestamp: number): void => {
      stream?.arrivals.push({ what, timestamp });
      const pictures = stream?.arrivals.filter((arrival) => /^(keyframe|picture)$/.test(arrival.what)).length ?? 0;
      if (this.streams.length === 1 && pictures === this.#options.resetAfter) socket.resetAndDestroy();
    };
    const session = new PublishSession({
      send: (bytes) => void socket.write(bytes),
      onPublish: async (request) => {
        const refusal = this.#options.refusal?.(request) ?? null;
        if (refusal !== null) return refusal;
        stream = { request, arrivals: [], hasEnded: false, isClosed: false };
        this.streams.push(stream);
        return null;
      },
      onMetadata: () => note('metadata', 0),
      onVideo: (timestamp, tag) => {
        if (tag.kind === 'frame') note(tag.isKeyframe ? 'keyframe' : 'picture', timestamp);
        else note(tag.kind === 'config' ? 'picture config' : 'end', timestamp);
      },
      onAudio: (timestamp, { kind }) => note(kind === 'config' ? 'sound config' : 'sound', timestamp),
    });
    let work = Promise.resolve();
    socket.on('data', (bytes: Buffer) => {
      work = work.then(async () => {
        if (await session.push(bytes)) return;
        if (stream) stream.hasEnded = true;
        socket.end();
      });
      work.catch(() => socket.destroy());
    });
    socket.on('close', () => {
      if (stream) stream.isClosed = true;
    });
  }
}
