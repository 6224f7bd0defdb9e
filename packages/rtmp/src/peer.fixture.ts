import { type Amf0Value, readAmf0, writeAmf0 } from './amf0.ts';
import { ChunkReader } from './chunk-reader.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { MESSAGE } from './messages.ts';
import { PublishSession, type Refusal } from './session.ts';

export const KEYFRAME = Buffer.from('1701000000da', 'hex');

/** Bytes of a client: the handshake, and messages. */
export class Peer {
  readonly sent: Buffer[] = [];
  readonly events: string[] = [];
  readonly session: PublishSession;
  readonly #writer = new ChunkWriter();

  constructor(refusal: Refusal | null = null) {
    this.session = new PublishSession({
      send: (bytes) => void this.sent.push(bytes),
      onPublish: async ({ streamKey }) => {
        this.events.push(`publish ${streamKey}`);
        return refusal;
      },
      onVideo: (timestamp, { kind }) => void this.events.push(`video ${timestamp} ${kind}`),
      onAudio: (timestamp, { kind }) => void this.events.push(`audio ${timestamp} ${kind}`),
    });
  }

  async handshake(): Promise<void> {
    await this.session.push(Buffer.concat([Buffer.from([3]), Buffer.alloc(1536, 1)]));
    await this.session.push(Buffer.alloc(1536, 2));
  }

  send(type: number, payload: Buffer, timestamp = 0): Promise<boolean> {
    return this.session.push(this.#writer.write(4, { type, timestamp, streamId: 1, payload }));
  }

  command(...values: Amf0Value[]): Promise<boolean> {
    return this.send(MESSAGE.commandAmf0, writeAmf0(...values));
  }

  async publish(): Promise<void> {
    await this.handshake();
    await this.command('connect', 1, { app: 'live' });
    await this.command('createStream', 4, null);
    await this.command('publish', 5, null, 'a-key', 'live');
  }

  /** The commands that were sent to it. */
  answers(): Amf0Value[][] {
    const reader = new ChunkReader({ messageBytes: 10_000, chunkStreams: 8 });
    const messages = [...reader.read(Buffer.concat(this.sent).subarray(1 + 2 * 1536))];
    return messages.filter(({ type }) => type === MESSAGE.commandAmf0).map(({ payload }) => readAmf0(payload));
  }
}
