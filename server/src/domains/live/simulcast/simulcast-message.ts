/** A message of picture or sound, the same one for all targets. */
export interface SimulcastMessage {
  readonly track: 'video' | 'audio';
  /** Milliseconds since the encoder began. */
  readonly atMs: number;
  /** Whether what follows can be decoded without what came before. */
  readonly isKeyframe: boolean;
  readonly bytes: Buffer;
}

/** What may wait for one target. */
const MOST_BYTES = 8 * 1024 ** 2;
const MOST_MS = 5_000;

/** Messages that wait until a target takes them: at most five seconds and eight megabytes. */
export class MessageQueue {
  #messages: SimulcastMessage[] = [];
  #bytes = 0;

  /** False where it is full: then nothing waits any more, and the next message to take is a keyframe. */
  push(message: SimulcastMessage): boolean {
    const [first] = this.#messages;
    this.#messages.push(message);
    this.#bytes += message.bytes.length;
    if (first === undefined || (this.#bytes <= MOST_BYTES && message.atMs - first.atMs <= MOST_MS)) return true;
    [this.#messages, this.#bytes] = [[], 0];
    return false;
  }

  /** The oldest one; null where nothing waits. */
  shift(): SimulcastMessage | null {
    const message = this.#messages.shift();
    if (message === undefined) return null;
    this.#bytes -= message.bytes.length;
    return message;
  }
}
