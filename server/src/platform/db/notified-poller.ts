import type { Logger } from '../log.ts';
import { NotificationListener } from './notification-listener.ts';

export interface NotifiedPollerOptions {
  readonly url: string;
  /** The PostgreSQL channel; a plain identifier. */
  readonly channel: string;
  readonly log: Logger;
  /** How often to poll without a notification. */
  readonly pollMs: number;
  /** Reads what is new; returns true when there may be more, which is read at once. Errors are logged and retried. */
  readonly look: () => Promise<boolean>;
}

/**
 * Polls when a PostgreSQL channel is notified, and periodically: never twice at the same time, and once more when a
 * notification arrives during a run.
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

  /** Polls for the first time once it can be notified, or after `pollMs`. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => this.wake(), this.#options.pollMs).unref();
    await this.#listener.start();
  }

  /** Polls now, or once more after the run in progress. */
  wake(): void {
    this.#again = !this.#stopped;
    this.#looking ??= this.#lookWhileAsked().finally(() => {
      this.#looking = null;
      // Requested just as the last run ended.
      if (this.#again) this.wake();
    });
  }

  /** Stops, and waits for the run in progress. */
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
        log.warn({ error, channel }, 'notified changes could not be read, will be retried');
      }
    }
  }
}
