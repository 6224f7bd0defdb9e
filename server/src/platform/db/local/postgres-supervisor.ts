import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../log.ts';
import { isAlive, stopServer } from './postgres-process.ts';

const LOOK_MS = 250;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Keeps one server process running until it is stopped: a server that exits is restarted, with growing pauses while
 * that fails.
 */
export class PostgresSupervisor {
  readonly #start: () => Promise<number>;
  readonly #log: Pick<Logger, 'error' | 'warn'>;
  readonly #timer: NodeJS.Timeout;
  readonly #stopping = new AbortController();
  #pid: number;
  #restarting: Promise<void> | null = null;

  /** `start` starts the server where it was and returns its process once it answers. */
  constructor(pid: number, start: () => Promise<number>, log: Pick<Logger, 'error' | 'warn'>) {
    this.#pid = pid;
    this.#start = start;
    this.#log = log;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** Ends the supervision, then the server. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#restarting;
    await stopServer(this.#pid);
  }

  #look(): void {
    if (this.#restarting || isAlive(this.#pid)) return;
    this.#restarting = this.#restart().finally(() => {
      this.#restarting = null;
    });
  }

  async #restart(): Promise<void> {
    const { signal } = this.#stopping;
    const lostAt = performance.now();
    this.#log.error({ pid: this.#pid }, 'the local PostgreSQL exited, restarting it');
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        this.#pid = await this.#start();
        this.#log.warn(
          { pid: this.#pid, ms: Math.round(performance.now() - lostAt) },
          'the local PostgreSQL is running again',
        );
        return;
      } catch (error) {
        this.#log.error({ error }, 'the local PostgreSQL does not start, will be retried');
        await sleep(pauseMs, undefined, { signal }).catch(() => {}); // stopping ends the pause
      }
    }
  }
}
