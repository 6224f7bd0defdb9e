import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Clock } from '../clock.ts';
import type { Secrets } from '../config/secret-key.ts';
import { beforeEachCommit, type Database, type Transaction } from '../db/database.ts';
import type { Call } from '../db/statement.ts';
import type { Logger } from '../log.ts';
import { type Repeated, repeat } from '../repeat.ts';
import {
  claimKey,
  findKey,
  type HoldId,
  markCommitted,
  releaseKey,
  renewLease,
  storeAnswer,
  sweepKeys,
} from './idempotency.store.ts';

/** How long a response is kept. */
export const KEPT_MS = 24 * 3_600_000;
/** A holder that has not renewed its lease for this long is considered dead. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** How long a request waits for a running request with the same key, and how often it checks. */
const WAIT_MS = 2_000;
const LOOK_MS = 100;
const SWEEP_MS = 600_000;

interface Tools {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly log: Logger;
}

/** Responses may contain secrets that are shown once. */
const SEALED_AS = 'idempotent-response';

/** The result of `claim`; described in the GraphQL engine. */
export type FoundClaim =
  | { readonly kind: 'held'; readonly hold: KeyHold }
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'running' | 'lost' | 'different' };

/** Idempotency keys in PostgreSQL, shared by all instances. */
export class StoredIdempotencyKeys {
  readonly #tools: Tools;
  readonly #sweeping: Repeated;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#sweeping = repeat(tools.log, 'old idempotency keys were not removed, will be retried', SWEEP_MS, () =>
      this.#sweepSome(),
    );
  }

  /** Claims a key for a request of the account; waits up to two seconds while the same request is running. */
  async claim(accountId: string, key: string, fingerprint: Buffer, signal: AbortSignal): Promise<FoundClaim> {
    const { db, clock, secrets } = this.#tools;
    const waitUntil = performance.now() + WAIT_MS;
    for (;;) {
      const nowMs = clock.now();
      const id: HoldId = { accountId, key, token: newId(nowMs) };
      const times = { leaseUntil: iso(nowMs + LEASE_MS), now: iso(nowMs), forgottenBefore: iso(nowMs - KEPT_MS) };
      if (await claimKey(db, id, { fingerprint, ...times }))
        return { kind: 'held', hold: new KeyHold(this.#tools, id) };
      const row = await findKey(db, accountId, key);
      if (row && !row.fingerprint.equals(fingerprint)) return { kind: 'different' };
      if (row?.response != null) return { kind: 'answered', answer: secrets.open(SEALED_AS, row.response) };
      if (row?.committed && Date.parse(row.leaseUntil) <= nowMs) return { kind: 'lost' };
      if (performance.now() >= waitUntil || signal.aborted) return { kind: 'running' };
      await wait(LOOK_MS);
    }
  }

  /** Periodically removes keys older than a day; on workers. */
  startWork(): void {
    this.#sweeping.start();
  }

  /** Removes all keys that are older than a day. */
  async sweep(): Promise<void> {
    while (await this.#sweepSome());
  }

  /** Stops, and waits for the sweep in progress. */
  close(): Promise<void> {
    return this.#sweeping.stop();
  }

  async #sweepSome(): Promise<boolean> {
    return (await sweepKeys(this.#tools.db, iso(this.#tools.clock.now() - KEPT_MS))) > 0;
  }
}

/** A claim that this process holds. It is renewed until it ends. */
export class KeyHold {
  committed = false;
  readonly db: { together(calls: readonly Call[]): Promise<unknown[][][]> };
  readonly #tools: Tools;
  readonly #id: HoldId;
  readonly #timer: NodeJS.Timeout;
  #answered = false;

  constructor(tools: Tools, id: HoldId) {
    this.#tools = tools;
    this.#id = id;
    this.db = { together: (calls) => tools.db.transaction((tx) => tx.together(calls)) };
    this.#timer = setInterval(() => void this.#renew(), RENEW_MS).unref();
  }

  /** Runs `work`: every transaction in it, at any depth, is marked when it commits. */
  during<T>(work: () => Promise<T>): Promise<T> {
    return beforeEachCommit((tx) => this.#mark(tx), work);
  }

  async answered(result: string): Promise<void> {
    clearInterval(this.#timer);
    this.#answered = true;
    const { db, secrets } = this.#tools;
    await storeAnswer(db, this.#id, secrets.seal(SEALED_AS, result));
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await releaseKey(this.#tools.db, this.#id);
  }

  /** Work that continues after a timeout cannot commit once the claim is released or taken over. */
  async #mark(tx: Transaction): Promise<void> {
    if (this.#answered) return;
    if (!(await markCommitted(tx, this.#id))) {
      throw new AppError('SERVICE_UNAVAILABLE', t`The request lost its idempotency key to a later one.`, {
        retryAfterSeconds: 1,
      });
    }
    this.committed = true;
  }

  async #renew(): Promise<void> {
    const { db, clock, log } = this.#tools;
    await renewLease(db, this.#id, iso(clock.now() + LEASE_MS)).catch((error: unknown) =>
      log.warn({ error }, 'an idempotency key was not renewed'),
    );
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
