import pg from 'pg';
import type { Logger } from '../log.ts';
import { EVENTS_CHANNEL } from './event-log.store.ts';

const RECONNECT_MS = 1_000;

/**
 * Is woken when someone appends to the event log. NOTIFY only shortens the wait: its listener must poll too, for statements that
 * insert by themselves and for the time this connection is down.
 */
export class LogListener {
  readonly #options: { readonly url: string; readonly log: Logger; readonly wake: () => void };
  #client: pg.Client | null = null;
  #reconnect: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(options: { readonly url: string; readonly log: Logger; readonly wake: () => void }) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (this.#stopped) return;
    const { url, log, wake } = this.#options;
    const client = new pg.Client({ connectionString: url, application_name: 'reelgraph events', keepAlive: true });
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
      await client.query(`listen ${EVENTS_CHANNEL}`);
    } catch (error) {
      log.warn({ error }, 'cannot listen to the event log, polling');
      again();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#reconnect) clearTimeout(this.#reconnect);
    await this.#client?.end().catch(() => {});
  }
}
