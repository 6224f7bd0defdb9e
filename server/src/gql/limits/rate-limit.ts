import { Lru } from '@reelgraph/sql-planner';

/** What a bucket holds and how fast it refills. */
export interface RateLimitOptions {
  readonly capacity: number;
  readonly refillPerSecond: number;
  /** Buckets kept; the least recently used are forgotten, which means full. */
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

  /** Points that can be spent now; negative after a first request that could not be refused. */
  available(key: string, nowMs: number): number {
    return this.#filled(key, nowMs).points;
  }

  /** Takes points; what a request turns out not to have used is given back with a negative number. */
  take(key: string, points: number, nowMs: number): number {
    const bucket = this.#filled(key, nowMs);
    bucket.points = Math.min(this.capacity, bucket.points - points);
    return bucket.points;
  }

  /** Whole seconds until `points` can be spent. */
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
