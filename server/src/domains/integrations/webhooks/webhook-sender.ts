import { newId } from '../../../kernel/ids.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import type { GuardedPost } from '../../../platform/fetch/guarded-post.ts';
import type { Logger } from '../../../platform/log.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { type ClaimedDelivery, claimDeliveries, claimDelivery, settleDelivery } from './deliveries.store.ts';
import { messageBody, messageHeaders } from './webhook-message.ts';
import { type AttemptResult, decideAfterAttempt } from './webhook-retries.ts';
import { openWebhookSecret } from './webhook-secret.ts';
import { disableWebhook } from './webhooks.store.ts';

/** Concurrent attempts per worker. */
const SLOTS = 64;
/** Longer than any attempt can last. */
const LEASE_MS = 60_000;
const EVERY_MS = 1_000;

export interface SenderOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secrets: Secrets;
  readonly post: GuardedPost;
  /** How often it polls for due attempts; default 1 s. */
  readonly everyMs?: number;
}

/**
 * Sends due deliveries outside any transaction: an attempt is claimed with a lease, made, and recorded if the lease is
 * still held. Other workers repeat the attempts of a killed one when their leases expire.
 */
export class WebhookSender {
  readonly #options: SenderOptions;
  readonly #running = new Set<Promise<void>>();
  readonly #looking: Repeated;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#looking = repeat(
      options.log,
      'cannot read webhook deliveries, will be retried',
      options.everyMs ?? EVERY_MS,
      async () => {
        await this.look();
        return false;
      },
    );
  }

  start(): void {
    this.#looking.start();
  }

  /** Waits for the attempts in progress. */
  async stop(): Promise<void> {
    await this.#looking.stop();
    await Promise.all(this.#running);
  }

  /** Claims due attempts and starts sending them; returns how many were started. */
  async look(): Promise<number> {
    const free = SLOTS - this.#running.size;
    if (free <= 0) return 0;
    const nowMs = this.#options.clock.now();
    const lease = newId(nowMs);
    const claimed = await claimDeliveries(this.#options.db, lease, iso(nowMs), iso(nowMs + LEASE_MS), free);
    for (const delivery of claimed) void this.#begin(delivery, lease);
    return claimed.length;
  }

  /**
   * Makes the first attempt of the delivery `id`, which `insert` writes, and waits until its result is recorded: at
   * most for the time limit of an attempt. An instance that is busy leaves the attempt to the workers.
   */
  async sendNow(id: string, insert: (tx: Transaction) => Promise<void>): Promise<void> {
    const { db, clock } = this.#options;
    const nowMs = clock.now();
    const lease = newId(nowMs);
    const claimed = await db.transaction(async (tx) => {
      await insert(tx);
      return this.#running.size < SLOTS ? claimDelivery(tx, lease, iso(nowMs), iso(nowMs + LEASE_MS), id) : null;
    });
    if (claimed) await this.#begin(claimed, lease);
  }

  /** Waits until every started attempt has been recorded. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #begin(delivery: ClaimedDelivery, lease: string): Promise<void> {
    const work = this.#attempt(delivery, lease)
      .catch((error: unknown) =>
        this.#options.log.warn(
          { error, delivery: delivery.id },
          'webhook delivery not recorded, its lease will expire',
        ),
      )
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
    return work;
  }

  async #attempt(delivery: ClaimedDelivery, lease: string): Promise<void> {
    const { db, clock, log } = this.#options;
    const result = await this.#send(delivery);
    const nowMs = clock.now();
    const past = {
      attempts: delivery.attempts,
      expiresAtMs: Date.parse(delivery.expiresAt),
      failures: delivery.failures,
      failingSinceMs: delivery.failingSince === null ? null : Date.parse(delivery.failingSince),
    };
    const decision = decideAfterAttempt(result, past, nowMs, Math.random());
    await settleDelivery(db, { id: delivery.id, lease }, decision, result, iso(nowMs));
    if (decision.kind !== 'failed' || decision.disable === null || delivery.isTest) return;
    log.info({ webhook: delivery.webhookId, reason: decision.disable }, 'webhook disabled');
    await disableWebhook(db, delivery.webhookId, decision.disable, iso(nowMs));
  }

  async #send(delivery: ClaimedDelivery): Promise<AttemptResult> {
    const { secrets, clock, post } = this.#options;
    const body = messageBody(delivery);
    const keys = openAll(secrets, [delivery.secret, delivery.previousSecret]);
    if (keys.length === 0) return { status: null, durationMs: 0, error: UNREADABLE_SECRET, retryAfterMs: null };
    const headers = messageHeaders(delivery.id, body, keys, clock.now());
    const { status, failure, retryAfter, durationMs } = await post.post(delivery.url, headers, body);
    return {
      status,
      durationMs,
      error: failure ?? errorOf(status),
      retryAfterMs: retryAfterMs(retryAfter, clock.now()),
    };
  }
}

const UNREADABLE_SECRET = 'The secret of this webhook was created under another SECRET_KEY: rotate it.';

/** The secrets that can be read. */
function openAll(secrets: Secrets, sealed: readonly (Buffer | null)[]): string[] {
  return sealed.flatMap((secret) => {
    try {
      return secret ? [openWebhookSecret(secrets, secret)] : [];
    } catch {
      return [];
    }
  });
}

function errorOf(status: number | null): string | null {
  if (status === null || (status >= 200 && status < 300)) return null;
  return (
    'The endpoint responded with status ' +
    `${status}${status >= 300 && status < 400 ? '; redirects are not followed' : ''}.`
  );
}

/** Retry-After in seconds or as a date (RFC 9110 section 10.2.3). */
function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
