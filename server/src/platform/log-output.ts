import { write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DestinationStream } from 'pino';

/** Where log lines go. Requests never wait for it: lines are buffered in memory and written in few large writes. */
export interface LogOutput extends DestinationStream {
  /** Resolves when all lines so far are written; for a normal exit. */
  flush(): Promise<void>;
  /**
   * Writes what is pending, waiting at most a second for a slow reader; for the `exit` event, after which nothing else
   * runs.
   */
  flushSync(): void;
}

export interface LogOutputOptions {
  /** The longest a line waits for others, in milliseconds; default 200. */
  readonly holdMs?: number;
  /** Lines beyond this many characters in memory are dropped and counted, for a reader that stalls; default 32 Mi. */
  readonly maxLength?: number;
}

const FULL_LENGTH = 16 * 1024;
const RETRY_MS = 50;
const LAST_WAIT_MS = 1_000;

/** Opens the output on a file descriptor; default 1, standard output. */
export function openLogOutput(fd = 1, options: LogOutputOptions = {}): LogOutput {
  return new BatchedOutput(fd, options);
}

const writeTo = promisify(write);

class BatchedOutput implements LogOutput {
  readonly #fd: number;
  readonly #holdMs: number;
  readonly #maxLength: number;
  #lines: string[] = [];
  #length = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;

  constructor(fd: number, { holdMs = 200, maxLength = 32 * 1024 ** 2 }: LogOutputOptions) {
    this.#fd = fd;
    this.#holdMs = holdMs;
    this.#maxLength = maxLength;
  }

  write(line: string): void {
    if (this.#length + line.length > this.#maxLength) {
      this.#dropped += 1;
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= FULL_LENGTH) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), this.#holdMs).unref();
  }

  async flush(): Promise<void> {
    while (this.#writing || this.#lines.length > 0) {
      this.#start();
      await this.#writing;
    }
  }

  flushSync(): void {
    const deadline = Date.now() + LAST_WAIT_MS;
    let bytes = this.#take();
    while (bytes.length > 0) {
      try {
        bytes = bytes.subarray(writeSync(this.#fd, bytes));
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }

  #start(): void {
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = null;
      // A line may have been added after the last check.
      if (this.#lines.length > 0) this.#start();
    });
  }

  async #drain(): Promise<void> {
    while (this.#lines.length > 0) await this.#send(this.#take());
  }

  /**
   * Waits for a slow reader; when the reader is gone (EPIPE) or the disk is full, the lines are lost and the platform
   * continues.
   */
  async #send(bytes: Buffer): Promise<void> {
    for (let sent = 0; sent < bytes.length; ) {
      try {
        sent += (await writeTo(this.#fd, bytes, sent)).bytesWritten;
      } catch (error) {
        if (!isBusy(error)) return;
        await sleep(RETRY_MS);
      }
    }
  }

  #take(): Buffer {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const text = this.#lines.join('') + this.#complaint();
    this.#lines = [];
    this.#length = 0;
    this.#dropped = 0;
    return Buffer.from(text);
  }

  #complaint(): string {
    if (this.#dropped === 0) return '';
    const fields = {
      level: 'warn',
      time: new Date().toISOString(),
      dropped: this.#dropped,
      msg: 'log lines dropped: their reader is too slow',
    };
    return `${JSON.stringify(fields)}\n`;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}
