import { setTimeout as pause } from 'node:timers/promises';
import { type Text, t } from '../../../kernel/languages/message.ts';
import type { GuardedSockets } from '../../../platform/fetch/guarded-socket.ts';
import type { Platform } from '../../../platform/platform.ts';
import { openTargetKey } from './simulcast-key.ts';
import type { SimulcastMessage } from './simulcast-message.ts';
import type { EnabledTarget, TargetReport } from './simulcast-targets.store.ts';
import { type SimulcastSource, TargetConnection } from './target-connection.ts';
import { TOO_SLOW } from './target-failure.ts';

/** Before the first attempt that follows, and at most. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A target that was published so long, or took everything so long, is taken to be well. */
const WELL_MS = 30_000;

export interface TargetTools extends Pick<Platform, 'log' | 'secrets'> {
  readonly sockets: GuardedSockets;
}

/** What happens to a target. */
export interface TargetStatus {
  readonly state: TargetReport['state'];
  /** Why it is not published, or too slow; null for neither. */
  readonly error: Text | null;
  /** How often it could not be published, or no longer, each with all attempts that follow. */
  readonly outages: number;
  /** Why that was so the last time. */
  readonly lastFailure: Text | null;
}

/** Publishes what an encoder sends at one target, again and again until it is stopped. */
export class TargetPublisher {
  #target: EnabledTarget;
  readonly #tools: TargetTools;
  readonly #source: SimulcastSource;
  readonly #stopping = new AbortController();
  #connection: TargetConnection | null = null;
  #slow: NodeJS.Timeout | null = null;
  #status: TargetStatus = { state: 'CONNECTING', error: null, outages: 0, lastFailure: null };
  #isStopped = false;

  constructor(tools: TargetTools, target: EnabledTarget, source: SimulcastSource) {
    [this.#tools, this.#target, this.#source] = [tools, target, source];
    void this.#run();
  }

  get target(): EnabledTarget {
    return this.#target;
  }

  get status(): TargetStatus {
    return this.#status;
  }

  /** Takes other values of its row; false where it is published elsewhere by now, so that another one has to begin. */
  update(target: EnabledTarget): boolean {
    const { url, streamKey } = this.#target;
    if (target.url !== url || !target.streamKey.equals(streamKey)) return false;
    this.#target = target;
    return true;
  }

  push(message: SimulcastMessage): void {
    this.#connection?.push(message);
  }

  /** Ends the connection: with the word that nothing follows, or as when it breaks. */
  stop(hasEnded: boolean): void {
    this.#isStopped = true;
    this.#forgetSlow();
    if (hasEnded && this.#status.state === 'LIVE') this.#connection?.end();
    else this.#stopping.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !this.#isStopped; failures += 1) {
      const startedMs = performance.now();
      const failure = await this.#publish(signal);
      if (failure === null || this.#isStopped) return;
      if (this.#status.state === 'LIVE' && performance.now() - startedMs > WELL_MS) failures = 0;
      this.#failed(failure);
      const pauseMs = Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #publish(signal: AbortSignal): Promise<Text | null> {
    const { sockets } = this.#tools;
    const streamKey = this.#streamKey();
    if (streamKey === null) return t`Its stream key cannot be read any more. Enter it again.`;
    this.#connection = new TargetConnection({
      ...{ url: this.#target.url, streamKey, sockets, source: this.#source },
      onLive: () => {
        this.#status = { ...this.#status, state: 'LIVE', error: null };
      },
      onSlow: () => this.#isSlow(),
    });
    return this.#connection.run(signal);
  }

  /** Null where it was encrypted under another SECRET_KEY. */
  #streamKey(): string | null {
    try {
      return openTargetKey(this.#tools.secrets, this.#target.streamKey);
    } catch {
      return null;
    }
  }

  #failed(failure: Text): void {
    this.#forgetSlow();
    const { state, outages } = this.#status;
    const isNew = state !== 'RETRYING';
    this.#status = {
      ...{ state: 'RETRYING', error: failure, lastFailure: failure },
      outages: isNew ? outages + 1 : outages,
    };
    if (!isNew) return;
    const facts = { simulcastTargetId: this.#target.id, reason: String(failure) };
    this.#tools.log.info(facts, 'a broadcast cannot be published at a simulcast target, will be retried');
  }

  #isSlow(): void {
    if (this.#status.error !== TOO_SLOW) this.#status = { ...this.#status, error: TOO_SLOW };
    if (this.#slow) {
      this.#slow.refresh();
      return;
    }
    this.#slow = setTimeout(() => {
      this.#forgetSlow();
      this.#status = { ...this.#status, error: null };
    }, WELL_MS).unref();
  }

  #forgetSlow(): void {
    if (this.#slow) clearTimeout(this.#slow);
    this.#slow = null;
  }
}
