import { type Text, t } from '../../../kernel/languages/message.ts';
import { MAX_BROADCAST_BITRATE_BPS, type PlanLimits } from '../../../kernel/plans.ts';
import { EncoderError } from './encoder-input.ts';

/** Bit rates are measured over so long. */
const RATE_MS = 10_000;

/** What an encoder may send: what every plan admits, and once it is accepted that of the channel's owner. */
export class RateLimit {
  #startedAtMs: number;
  #bytes = 0;
  #limits: Pick<PlanLimits, 'name' | 'maxBroadcastBitrateBps'> | null = null;

  constructor(nowMs: number) {
    this.#startedAtMs = nowMs;
  }

  /** Follows a plan from now on. */
  follow(limits: Pick<PlanLimits, 'name' | 'maxBroadcastBitrateBps'>): void {
    this.#limits = limits;
  }

  /** @throws EncoderError where more comes than an encoder may send. */
  take(bytes: number, nowMs: number): void {
    if (nowMs - this.#startedAtMs > RATE_MS) [this.#startedAtMs, this.#bytes] = [nowMs, 0];
    this.#bytes += bytes;
    const mostBps = Math.min(MAX_BROADCAST_BITRATE_BPS, this.#limits?.maxBroadcastBitrateBps ?? Infinity);
    if (8_000 * this.#bytes > mostBps * RATE_MS) throw new EncoderError(this.#tooFast(mostBps));
  }

  #tooFast(mostBps: number): Text {
    const megabits = mostBps / 1e6;
    if (mostBps === MAX_BROADCAST_BITRATE_BPS || !this.#limits)
      return t`The encoder sends more than ${megabits} Mbit/s. Lower its bit rate.`;
    const { name } = this.#limits;
    return t`The encoder sends more than ${megabits} Mbit/s, which the ${name} plan of the channel's owner allows. Lower
      its bit rate, or choose a plan with a higher one.`;
  }
}
