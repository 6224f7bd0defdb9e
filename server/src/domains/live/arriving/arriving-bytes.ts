import type { ReceivingStore } from '../../../platform/storage/receiving-store.ts';

/** Waiting to be taken, in memory. */
const MOST_QUEUED_BYTES = 8 * 1024 ** 2;
/** Read from the store at a time. */
const READ_BYTES = 1024 ** 2;

/** Bytes that are not in memory cannot be read from the store before all have arrived. */
export class LostBytesError extends Error {}

/**
 * The bytes of an upload, in order, as fast as they are taken. They are never waited for by those who add them: what
 * does not fit into memory is read from the store.
 */
export class ArrivingBytes {
  readonly #receiving: Pick<ReceivingStore, 'read'>;
  readonly #key: string;
  readonly #idleMs: number;
  readonly #queue: Buffer[] = [];
  #queuedBytes = 0;
  /** Of the next byte that is taken. */
  #position = 0;
  /** Bytes before it are stored. */
  #stored = 0;
  #hasEnded = false;
  #isStopped = false;
  #wake: (() => void) | null = null;
  #changes = 0;

  /** Without new bytes for `idleMs`, there are none until `ArrivingBytes` is made again. */
  constructor(receiving: Pick<ReceivingStore, 'read'>, key: string, idleMs: number) {
    [this.#receiving, this.#key, this.#idleMs] = [receiving, key, idleMs];
  }

  /** Whether there are any. */
  get hasBegun(): boolean {
    return this.#position + this.#queuedBytes + this.#stored > 0;
  }

  /** Whether all that there will be were taken. */
  get isWhole(): boolean {
    return this.#hasEnded && !this.#isStopped && this.#queuedBytes === 0 && this.#position >= this.#stored;
  }

  /** Bytes that arrive at an offset; those before it are stored. Some may have come before. */
  push(bytes: Buffer, offset: number): void {
    this.#stored = offset;
    const end = this.#position + this.#queuedBytes;
    const isNext = offset <= end && offset + bytes.length > end;
    if (isNext && this.#queuedBytes + bytes.length <= MOST_QUEUED_BYTES) {
      const rest = bytes.subarray(end - offset);
      this.#queue.push(rest);
      this.#queuedBytes += rest.length;
    }
    this.#changed();
  }

  /** So many bytes are stored. */
  stored(bytes: number): void {
    this.#stored = bytes;
    this.#changed();
  }

  /** No more come. */
  end(): void {
    this.#hasEnded = true;
    this.#changed();
  }

  /** No more are taken. */
  stop(): void {
    this.#isStopped = true;
    this.#changed();
  }

  /** @throws LostBytesError where bytes are neither in memory nor can be read. */
  async *chunks(): AsyncGenerator<Buffer> {
    while (!this.#isStopped) {
      const [before, hadEnded] = [this.#changes, this.#hasEnded];
      const bytes = await this.#next();
      if (bytes) yield bytes;
      else if (hadEnded || !(await this.#changedSince(before))) return;
    }
  }

  /** Null where none are there now. */
  async #next(): Promise<Buffer | null> {
    const queued = this.#queue.shift();
    if (queued) {
      this.#queuedBytes -= queued.length;
      this.#position += queued.length;
      return queued;
    }
    const length = Math.min(READ_BYTES, this.#stored - this.#position);
    if (length <= 0) return null;
    if (!this.#receiving.read) throw new LostBytesError();
    const bytes = await this.#receiving.read(this.#key, this.#position, length);
    this.#position += bytes.length;
    return bytes.length > 0 ? bytes : null;
  }

  #changed(): void {
    this.#changes += 1;
    this.#wake?.();
  }

  /** False where nothing changes for too long. */
  async #changedSince(before: number): Promise<boolean> {
    if (this.#changes !== before) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), this.#idleMs);
    this.#wake = () => resolve(true);
    const hasChanged = await promise;
    this.#wake = null;
    clearTimeout(timer);
    return hasChanged;
  }
}
