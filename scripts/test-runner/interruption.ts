import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, stopServer } from '../../server/src/platform/db/local/postgres-process.ts';
import { isPostgres, read, signalTo } from './processes.ts';

/** Exit statuses of programs that were ended by a signal. */
const STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** How long processes may take to end by themselves. */
const GRACE_MS = 5_000;
const LOOK_MS = 20;

/**
 * The end of the checks by a signal, or because the program that started them is gone: every process that they have
 * started is ended, so that none of them outlives this one.
 */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #started = new Set<number>();
  #status = 0;
  #ended: Promise<void> = Promise.resolve();

  constructor() {
    for (const [signal, status] of Object.entries(STATUS)) process.on(signal, () => this.#begin(status));
    process.on('disconnect', () => this.#begin(STATUS.SIGHUP));
  }

  /** Aborted when the checks are to end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Exits with the status of the signal if there was one, when no process is left. */
  async exitIfInterrupted(): Promise<void> {
    if (!this.signal.aborted) return;
    await this.#ended;
    // Servers of tests; that of the runner stops by itself.
    for (const pid of this.#started) if (isAlive(pid) && isPostgres(pid)) await stopServer(pid);
    process.exit(this.#status);
  }

  #begin(status: number): void {
    if (this.signal.aborted) return;
    this.#status = status;
    this.#look();
    this.#controller.abort();
    this.#ended = this.#endProcesses();
  }

  /** PostgreSQL is not among them: it is to write its data, and its sessions end with it. */
  async #endProcesses(): Promise<void> {
    const deadline = performance.now() + GRACE_MS;
    for (;;) {
      this.#look();
      const left = [...this.#started].filter((pid) => isAlive(pid) && !isPostgres(pid));
      if (left.length === 0) return;
      for (const pid of left) signalTo(pid, performance.now() > deadline ? 'SIGKILL' : 'SIGTERM');
      await sleep(LOOK_MS);
    }
  }

  /** Notes what this process and those it has started have started since; without /proc it is unknown. */
  #look(): void {
    const children = childrenByParent();
    const waiting = [process.pid, ...this.#started];
    for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop())
      for (const pid of children.get(parent) ?? [])
        if (!this.#started.has(pid)) {
          this.#started.add(pid);
          waiting.push(pid);
        }
  }
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  if (!existsSync('/proc/self/stat')) return children;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = Number(read(`/proc/${entry}/stat`).split(') ').pop()?.split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  return children;
}
