import pg from 'pg';
import type { Logger } from '../log.ts';

const RECONNECT_MS = 1_000;

export interface NotificationListenerOptions {
  readonly url: string;
  /** The PostgreSQL channel; a plain identifier. */
  readonly channel: string;
  readonly log: Logger;
  readonly wake: () => void;
}

/**
 * Listens to a PostgreSQL notification channel. NOTIFY only shortens the wait: listeners must poll too, for changes
 * without a notification and for the time this connection is down.
 */
export class NotificationListener {
  readonly #options: NotificationListenerOptions;
  #client: pg.Client | null = null;
  #reconnect: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(options: NotificationListenerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (this.#stopped) return;
    const { url, channel, log, wake } = this.#options;
    const client = new pg.Client({ connectionString: url, application_name: channel, keepAlive: true });
    const again = (): void => {
      if (this.#client !== client) return;
      this.#client = null;
      if (!this.#stopped) this.#reconnect = setTimeout(() => void this.start(), RECONNECT_MS);
    };
    this.#client = client;
    client.on('error', again);
    client.on('end', again);
    client.on('notification', wake);
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      wake(); // notifications sent before the listener was ready
    } catch (error) {
      log.warn({ error, channel }, 'cannot listen to the database, polling');
      again();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#reconnect) clearTimeout(this.#reconnect);
    await this.#client?.end().catch(() => {});
  }
}
