import type { Logger } from '../log.ts';
import { NotificationListener } from './notification-listener.ts';

export interface NotifiedPollerOptions {
  readonly url: string;
  /** The PostgreSQL channel; a plain identifier. */
  readonly channel: string;
  readonly log: Logger;
  /** How often to look without being notified. */
  readonly pollMs: number;
  /** Looks at what there is; answers true when there may be more, which is looked at at once. What it throws is logged, and tried again. */
  readonly look: () => Promise<boolean>;
}

/**
 * Looks when someone notifies a channel of PostgreSQL, and now and then besides: never twice at the same time, and once more for whoever
 * asks while it looks.
 */
export class NotifiedPoller {
  readonly #options: NotifiedPollerOptions;
  readonly #listener: NotificationListener;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  constructor(options: NotifiedPollerOptions) {
    const { url, channel, log } = options;
    this.#options = options;
    this.#listener = new NotificationListener({ url, channel, log, wake: () => this.wake() });
  }

  /** Looks for the first time when it can be notified, or after `pollMs`. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => this.wake(), this.#options.pollMs).unref();
    await this.#listener.start();
  }

  /** Looks now, or once more after the look in progress. */
  wake(): void {
    this.#again = !this.#stopped;
    this.#looking ??= this.#lookWhileAsked().finally(() => {
      this.#looking = null;
      // Asked for in the very moment in which the last look ended.
      if (this.#again) this.wake();
    });
  }

  /** Waits for the look in progress; there is none after it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#again = false;
    if (this.#timer) clearInterval(this.#timer);
    await this.#looking;
    await this.#listener.stop();
  }

  async #lookWhileAsked(): Promise<void> {
    const { log, channel, look } = this.#options;
    while (this.#again) {
      this.#again = false;
      try {
        if (await look()) this.#again = !this.#stopped;
      } catch (error) {
        log.warn({ error, channel }, 'news could not be read, will be tried again');
      }
    }
  }
}
