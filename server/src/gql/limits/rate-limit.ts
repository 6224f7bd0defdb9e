import { Lru } from '@reelgraph/sql-planner';

/** Capacity and refill rate of a bucket. */
export interface RateLimitOptions {
  readonly capacity: number;
  readonly refillPerSecond: number;
  /** Maximum number of buckets; the least recently used are dropped, which means full. */
  readonly maxBuckets?: number;
}

interface Bucket {
  points: number;
  atMs: number;
}

/** Token buckets by account, in the memory of this instance. */
export class RateLimiter {
  readonly capacity: number;
  readonly refillPerSecond: number;
  readonly #buckets: Lru<string, Bucket>;

  constructor(options: RateLimitOptions) {
    this.capacity = options.capacity;
    this.refillPerSecond = options.refillPerSecond;
    this.#buckets = new Lru(options.maxBuckets ?? 50_000);
  }

  /** Available points; negative after a first request that could not be refused. */
  available(key: string, nowMs: number): number {
    return this.#filled(key, nowMs).points;
  }

  /** Takes points; a negative number refunds unused points. */
  take(key: string, points: number, nowMs: number): number {
    const bucket = this.#filled(key, nowMs);
    bucket.points = Math.min(this.capacity, bucket.points - points);
    return bucket.points;
  }

  /** Whole seconds until `points` are available. */
  secondsUntil(key: string, points: number, nowMs: number): number {
    const lacking = Math.min(points, this.capacity) - this.available(key, nowMs);
    return lacking <= 0 ? 0 : Math.ceil(lacking / this.refillPerSecond);
  }

  #filled(key: string, nowMs: number): Bucket {
    const bucket = this.#buckets.get(key);
    if (!bucket) {
      const fresh = { points: this.capacity, atMs: nowMs };
      this.#buckets.set(key, fresh);
      return fresh;
    }
    if (nowMs > bucket.atMs) {
      bucket.points = Math.min(this.capacity, bucket.points + ((nowMs - bucket.atMs) / 1000) * this.refillPerSecond);
      bucket.atMs = nowMs;
    }
    return bucket;
  }
}
