import type { Platform } from '../../../platform/platform.ts';
import type { Broadcast } from '../broadcasts/broadcasts.store.ts';
import { chargeBroadcast, type MinutesBalance } from './charge-broadcast.ts';
import { MINUTE_MS } from './live-quota.policy.ts';

/** What is received is counted in steps of so much. */
const STEP_MS = 10_000;

/** Counts what this process receives of a broadcast. What it could not note counts with the next step. */
export class BroadcastMeter {
  readonly #tools: Pick<Platform, 'db' | 'clock' | 'log'>;
  readonly #broadcast: Pick<Broadcast, 'id' | 'channelId'>;
  #uncountedMs = 0;
  #charging: Promise<MinutesBalance | null> | null = null;
  #leftMs: number | null = null;

  constructor(tools: Pick<Platform, 'db' | 'clock' | 'log'>, broadcast: Pick<Broadcast, 'id' | 'channelId'>) {
    [this.#tools, this.#broadcast] = [tools, broadcast];
  }

  /** A segment was stored. */
  add(seconds: number): void {
    this.#uncountedMs += 1_000 * seconds;
  }

  /** Whether a step is complete. */
  get isDue(): boolean {
    return this.#uncountedMs >= STEP_MS;
  }

  /** What is left this month, in whole minutes; null before that is known. */
  get minutesLeft(): number | null {
    return this.#leftMs === null ? null : Math.ceil(this.#leftMs / MINUTE_MS);
  }

  /** Notes what was received; what is left, or null where nothing was, or it could not be noted. */
  async charge(): Promise<MinutesBalance | null> {
    await this.#charging;
    this.#charging = this.#charge();
    return this.#charging;
  }

  async #charge(): Promise<MinutesBalance | null> {
    const durationMs = Math.round(this.#uncountedMs);
    if (durationMs === 0) return null;
    this.#uncountedMs -= durationMs;
    try {
      const balance = await chargeBroadcast(this.#tools, this.#broadcast, durationMs);
      this.#leftMs = balance?.leftMs ?? null;
      return balance;
    } catch (error) {
      this.#uncountedMs += durationMs;
      this.#tools.log.warn({ error, broadcastId: this.#broadcast.id }, 'minutes of a broadcast are not counted yet');
      return null;
    }
  }
}
