import { AppError } from '../kernel/errors.ts';
import type { Limits } from './cost.ts';
import type { GraphqlRequest } from './engine.ts';
import { Lru } from './lru.ts';
import { RateLimiter } from './rate-limit.ts';
import type { Viewer } from './viewer.ts';

/** Points held back for a request while it runs. */
export interface Reservation {
  /** Charges what was used and gives the rest back; returns what is left. */
  settle(viewer: Viewer | null, actual: number): number;
  release(): void;
}

/**
 * The buckets of accounts, and of client addresses where a request is anonymous. Which account a credential belongs
 * to is known only after its first request, because the statement that reads the data also checks the credential;
 * that request is charged afterwards, later ones are refused before they reach the database.
 */
export class Quota {
  readonly #limiter: RateLimiter;
  readonly #accounts = new Lru<string, string>(50_000);

  constructor(limits: Limits) {
    this.#limiter = new RateLimiter({ capacity: limits.bucketCapacity, refillPerSecond: limits.bucketRefillPerSecond });
  }

  of(accountId: string, nowMs: number): { limit: number; remaining: number; restoreRate: number; resetAtMs: number } {
    const { capacity, refillPerSecond } = this.#limiter;
    const points = this.#limiter.available(accountId, nowMs);
    return {
      limit: capacity,
      remaining: Math.floor(points),
      restoreRate: refillPerSecond,
      resetAtMs: nowMs + Math.ceil(((capacity - points) / refillPerSecond) * 1000),
    };
  }

  availableTo(request: GraphqlRequest, nowMs: number): number {
    const bucket = this.#bucketOf(request);
    return bucket === undefined ? this.#limiter.capacity : Math.floor(this.#limiter.available(bucket, nowMs));
  }

  /** Throws RATE_LIMIT_EXCEEDED when a known bucket is empty, before the document is even looked at. */
  check(request: GraphqlRequest, nowMs: number): void {
    this.#require(this.#bucketOf(request), 1, nowMs);
  }

  /** Throws RATE_LIMIT_EXCEEDED when the bucket does not hold `points`. */
  reserve(request: GraphqlRequest, points: number, nowMs: number): Reservation {
    const bucket = this.#bucketOf(request);
    this.#require(bucket, points, nowMs);
    if (bucket !== undefined) this.#limiter.take(bucket, points, nowMs);
    return {
      settle: (viewer, actual) => {
        const owner = viewer?.accountId ?? bucket;
        if (owner === undefined) return this.#limiter.capacity;
        if (viewer) this.#learn(request, viewer);
        if (bucket !== undefined && bucket !== owner) this.#limiter.take(bucket, -points, nowMs);
        return Math.floor(this.#limiter.take(owner, bucket === owner ? actual - points : actual, nowMs));
      },
      release: () => {
        if (bucket !== undefined) this.#limiter.take(bucket, -points, nowMs);
      },
    };
  }

  #require(bucket: string | undefined, points: number, nowMs: number): void {
    const wait = bucket === undefined ? 0 : this.#limiter.secondsUntil(bucket, points, nowMs);
    if (bucket === undefined || wait === 0) return;
    const left = Math.max(0, Math.floor(this.#limiter.available(bucket, nowMs)));
    throw new AppError('RATE_LIMIT_EXCEEDED', `This operation costs up to ${points} points and ${left} are available.`, {
      retryAfterSeconds: wait,
      suggestedFix: `Wait ${wait} s, then repeat the request; asking for fewer entries per page costs less.`,
    });
  }

  #bucketOf(request: GraphqlRequest): string | undefined {
    const { credential } = request;
    if (credential.kind === 'anonymous') return `anonymous ${request.clientAddress ?? ''}`;
    return this.#accounts.get(credentialId(request));
  }

  #learn(request: GraphqlRequest, viewer: Viewer): void {
    const id = credentialId(request);
    if (this.#accounts.get(id) !== viewer.accountId) this.#accounts.set(id, viewer.accountId);
  }
}

function credentialId({ credential }: GraphqlRequest): string {
  if (credential.kind === 'key') return credential.lookupHash.toString('latin1');
  return credential.kind === 'session' ? `session ${credential.token}` : '';
}
