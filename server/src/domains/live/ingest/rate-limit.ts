import { t } from '../../../kernel/languages/message.ts';
import { EncoderError } from './encoder-input.ts';

/** Of an encoder, over ten seconds. */
const MOST_BPS = 60_000_000;
const RATE_MS = 10_000;

/** What an encoder may send. */
export class RateLimit {
  #startedAtMs: number;
  #bytes = 0;

  constructor(nowMs: number) {
    this.#startedAtMs = nowMs;
  }

  /** @throws EncoderError where more comes than an encoder may send. */
  take(bytes: number, nowMs: number): void {
    if (nowMs - this.#startedAtMs > RATE_MS) [this.#startedAtMs, this.#bytes] = [nowMs, 0];
    this.#bytes += bytes;
    if (8_000 * this.#bytes > MOST_BPS * RATE_MS)
      throw new EncoderError(t`The encoder sends more than ${MOST_BPS / 1e6} Mbit/s. Lower its bit rate.`);
  }
}
