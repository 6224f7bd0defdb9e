import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { NotificationListener } from '../db/notification-listener.ts';
import { withReconnect } from '../db/with-reconnect.ts';
import type { Logger } from '../log.ts';
import { type Repeated, repeat } from '../repeat.ts';
import { defaultInstance, INSTANCE_CHANNEL, type InstanceSettings, readInstance } from './instance-settings.ts';

/** A change that no notification tells of is seen so much later. */
const RENEW_MS = 30_000;

interface Options {
  readonly url: string;
  readonly db: Database;
  readonly config: Pick<Config, 'SIGN_UP'>;
  readonly log: Logger;
}

/** The settings of the server for this process: read at the start and whenever a process changes them. */
export class InstanceCache {
  readonly #options: Options;
  readonly #listener: NotificationListener;
  readonly #renewals: Repeated;
  #current: InstanceSettings;

  constructor(options: Options) {
    this.#options = options;
    this.#current = defaultInstance(options.config);
    const { url, log } = options;
    const renew = (): void =>
      void this.#renew().catch((error: unknown) => log.warn({ error }, 'settings could not be read again'));
    this.#listener = new NotificationListener({ url, log, channel: INSTANCE_CHANNEL, wake: renew });
    this.#renewals = repeat(log, 'settings could not be read, will be retried', RENEW_MS, async () => {
      await this.#renew();
      return false;
    });
  }

  get current(): InstanceSettings {
    return this.#current;
  }

  async start(): Promise<void> {
    await withReconnect(() => this.#renew(), { log: this.#options.log, step: 'settings of the server' });
    void this.#listener.start();
    this.#renewals.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#listener.stop(), this.#renewals.stop()]);
  }

  async #renew(): Promise<void> {
    this.#current = await readInstance(this.#options);
  }
}
