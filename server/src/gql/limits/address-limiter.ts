import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import type { Text } from '../../kernel/languages/message.ts';
import { type LimitHeaders, limitHeaders } from '../../kernel/service-limits.ts';
import { RateLimiter } from './rate-limit.ts';

interface AddressRate {
  /** In RateLimit headers. */
  readonly name: string;
  /** Points of an address, and how many are restored a second. */
  readonly capacity: number;
  readonly refillPerSecond: number;
  /** Error message and fix when they are used up. */
  readonly message: Text;
  readonly suggestedFix: Text;
}

/**
 * A rate limit per client address on this instance, for endpoints without an account. Buckets are keyed by a hash of
 * the address with a secret that exists only in this process: addresses are not stored.
 */
export class AddressLimiter {
  readonly #rate: AddressRate;
  readonly #limiter: RateLimiter;
  readonly #salt = createSecretKey(randomBytes(32));

  constructor(rate: AddressRate) {
    this.#rate = rate;
    this.#limiter = new RateLimiter(rate);
  }

  /** Takes points; the headers tell what is left. Throws RATE_LIMIT_EXCEEDED when the address has fewer points. */
  take(address: string, points: number, nowMs: number): LimitHeaders {
    const key = createHmac('sha256', this.#salt).update(address).digest('base64url');
    if (this.#limiter.available(key, nowMs) < points) {
      throw new AppError('RATE_LIMIT_EXCEEDED', this.#rate.message, {
        retryAfterSeconds: this.#limiter.secondsUntil(key, points, nowMs),
        suggestedFix: this.#rate.suggestedFix,
        headers: { ...this.#headers(key, nowMs) },
      });
    }
    this.#limiter.take(key, points, nowMs);
    return this.#headers(key, nowMs);
  }

  #headers(key: string, nowMs: number): LimitHeaders {
    const { name, capacity, refillPerSecond } = this.#rate;
    const remaining = this.#limiter.available(key, nowMs);
    const [windowSeconds, resetSeconds] = [capacity / refillPerSecond, (capacity - remaining) / refillPerSecond];
    return limitHeaders([{ name, quota: capacity, windowSeconds, remaining, resetSeconds }]);
  }
}
