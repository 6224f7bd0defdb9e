import { Lru } from '@reelgraph/sql-planner';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Credential, Viewer } from '../viewer.ts';
import { RateLimiter } from './rate-limit.ts';
import type { Limits } from './request-cost.ts';

/** Work of the platform itself has limits of its own. */
const UNLIMITED = { capacity: Number.POSITIVE_INFINITY, refillPerSecond: Number.POSITIVE_INFINITY, maxBuckets: 1 };

/**
 * The buckets of accounts, and of client addresses for anonymous requests. The account of a credential is known only
 * after its first request, because the statement that reads the data also checks the credential; that request is
 * charged afterwards, later ones are refused before they reach the database.
 */
export class Quota {
  readonly #limiter: RateLimiter;
  readonly #unlimited = new RateLimiter(UNLIMITED);
  /** Account by credential. */
  readonly #accounts = new Lru<string, string>(50_000);

  constructor(limits: Limits) {
    this.#limiter = new RateLimiter({ capacity: limits.bucketCapacity, refillPerSecond: limits.bucketRefillPerSecond });
  }

  of(accountId: string, nowMs: number): { limit: number; remaining: number; restoreRate: number; resetAtMs: number } {
    const { capacity, refillPerSecond } = this.#limiter;
    const points = this.#limiter.available(accountId, nowMs);
    const resetAtMs = nowMs + Math.ceil(((capacity - points) / refillPerSecond) * 1000);
    return { limit: capacity, remaining: Math.floor(points), restoreRate: refillPerSecond, resetAtMs };
  }

  /** The bucket and credential that a request is charged to. */
  payer(sender: Sender, nowMs: number): Payer {
    return new Payer(sender.unmetered ? this.#unlimited : this.#limiter, this.#accounts, sender, nowMs);
  }
}

/** The sender of a request. */
interface Sender {
  readonly credential: Credential;
  readonly clientAddress?: string | undefined;
  readonly unmetered?: boolean | undefined;
}

/** The bucket of a request. */
export class Payer {
  readonly #limiter: RateLimiter;
  readonly #accounts: Lru<string, string>;
  readonly #nowMs: number;
  /** Identifies the credential; undefined when anonymous. */
  readonly #credentialId: string | undefined;
  /** Undefined for an unseen credential. */
  readonly #bucket: string | undefined;
  #held = 0;
  #requested = 0;
  #charged = 0;

  constructor(limiter: RateLimiter, accounts: Lru<string, string>, sender: Sender, nowMs: number) {
    this.#limiter = limiter;
    this.#accounts = accounts;
    this.#nowMs = nowMs;
    this.#credentialId = credentialId(sender.credential);
    this.#bucket =
      this.#credentialId === undefined ? `anonymous ${sender.clientAddress ?? ''}` : accounts.get(this.#credentialId);
  }

  /** The most points that the request was going to use. */
  get requested(): number {
    return this.#requested;
  }

  /** The points that were charged for it. */
  get charged(): number {
    return this.#charged;
  }

  available(): number {
    return this.#bucket === undefined
      ? this.#limiter.capacity
      : Math.floor(this.#limiter.available(this.#bucket, this.#nowMs));
  }

  /** Throws RATE_LIMIT_EXCEEDED when the bucket is known and has fewer than `points`. */
  require(points: number): void {
    if (this.#bucket === undefined) return;
    const wait = this.#limiter.secondsUntil(this.#bucket, points, this.#nowMs);
    if (wait === 0) return;
    throw new AppError(
      'RATE_LIMIT_EXCEEDED',
      t`This operation costs up to ${points} points and ${Math.max(0, this.available())} are available.`,
      {
        retryAfterSeconds: wait,
        suggestedFix: t`Wait ${wait} s, then repeat the request; asking for fewer entries per page costs less.`,
      },
    );
  }

  /** Takes `points` while the request runs. Throws as {@link Payer.require}. */
  hold(points: number): void {
    this.require(points);
    this.#requested = points;
    if (this.#bucket === undefined) return;
    this.#limiter.take(this.#bucket, points, this.#nowMs);
    this.#held += points;
  }

  /** Replaces the held points with the used ones; returns the rest. */
  settle(viewer: Viewer | null, used: number): number {
    const owner = viewer?.accountId ?? this.#bucket;
    if (owner === undefined) return this.#limiter.capacity;
    if (viewer && this.#credentialId !== undefined && this.#bucket !== owner)
      this.#accounts.set(this.#credentialId, owner);
    if (this.#bucket !== owner) this.release();
    this.#charged = used;
    const left = this.#limiter.take(owner, used - this.#held, this.#nowMs);
    this.#held = 0;
    return Math.floor(left);
  }

  /** Releases the held points. */
  release(): void {
    if (this.#bucket !== undefined) this.#limiter.take(this.#bucket, -this.#held, this.#nowMs);
    this.#held = 0;
  }
}

function credentialId(credential: Credential): string | undefined {
  if (credential.kind === 'key' || credential.kind === 'token')
    return credential.id ?? credential.lookupHash.toString('latin1');
  if (credential.kind === 'oauth') return `oauth ${credential.tokenHash}`;
  return credential.kind === 'session' ? `session ${credential.token}` : undefined;
}
