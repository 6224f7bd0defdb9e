import { networkInterfaces } from 'node:os';
import { DEFAULT_PATH, findExecutable } from '../../../media/index.ts';
import { hostInUrl, hostOf } from '../../../platform/config/listen-hosts.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { type SrtInput, srtInputs } from '../inputs/live-inputs.store.ts';
import { SRT_PROGRAM, SrtListener, type SrtTools } from './srt-listener.ts';

/** How long an input that was changed by any process waits for its listener. */
const LOOK_MS = 1_000;

interface Options extends SrtTools {
  readonly platform: SrtTools['platform'] & Pick<Platform, 'db'>;
}

/** Receives SRT: a listener for each live input that has one of the ports. */
export class SrtServer {
  /** None without SRT_PORTS, and where srt-live-transmit is not installed. */
  readonly ports: readonly number[];
  readonly #options: Options;
  readonly #listeners = new Map<string, SrtListener>();
  readonly #look: Repeated;

  constructor(options: Options) {
    const { host, platform } = options;
    this.#options = { ...options, host: host === '::' && !hasIpv6() ? '0.0.0.0' : host };
    const { SRT_PORTS: ports = [] } = platform.config;
    const isInstalled = ports.length > 0 && findExecutable(SRT_PROGRAM, DEFAULT_PATH) !== null;
    if (ports.length > 0 && !isInstalled)
      platform.log.warn(`SRT is off: ${SRT_PROGRAM} is missing. Install srt-tools and start the server again`);
    this.ports = isInstalled ? ports : [];
    this.#look = repeat(platform.log, 'inputs of SRT could not be read, will be retried', LOOK_MS, async () => {
      await this.#follow(await srtInputs(platform.db, this.ports));
      return false;
    });
  }

  /** For encoders; null for a port that this server does not have. */
  addressOf(port: number): string | null {
    const { SRT_HOST, BASE_URL } = this.#options.platform.config;
    if (!this.ports.includes(port)) return null;
    const host = SRT_HOST ?? hostOf(BASE_URL);
    // Of the addresses of localhost, SRT has that of IPv4.
    const named = host === 'localhost' ? '127.0.0.1' : host;
    return `srt://${hostInUrl(named)}:${port}`;
  }

  start(): void {
    if (this.ports.length > 0) this.#look.start();
  }

  /** Ends connections. */
  async close(): Promise<void> {
    await this.#look.stop();
    await this.#follow([]);
  }

  async #follow(inputs: readonly SrtInput[]): Promise<void> {
    const ports = new Map(inputs.map(({ id, port }) => [id, port]));
    const gone = [...this.#listeners].filter(([id, { port }]) => ports.get(id) !== port);
    await Promise.all(gone.map(([, listener]) => listener.stop()));
    for (const [id] of gone) this.#listeners.delete(id);
    for (const input of inputs) {
      const listener = this.#listeners.get(input.id);
      if (listener) listener.update(input);
      else this.#listeners.set(input.id, new SrtListener(this.#options, input));
    }
  }
}

/** Whether this machine has an address of IPv6, without which no program listens on `::`. */
function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ family }) => family === 'IPv6'));
}
