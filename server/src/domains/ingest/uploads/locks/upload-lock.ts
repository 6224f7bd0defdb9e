import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server';
import { AppError } from '../../../../kernel/errors.ts';
import { t } from '../../../../kernel/languages/message.ts';
import type { Database } from '../../../../platform/db/database.ts';
import { releaseLease, renewLease, takeLease, wantLease } from './upload-leases.store.ts';

const LEASE_SECONDS = 10;
const RENEW_MS = 2_000;
const TRY_AGAIN_MS = 200;
const PATIENCE_MS = 25_000;

interface Holder {
  readonly requestRelease: RequestRelease;
  readonly released: Promise<void>;
}

/**
 * One request at a time per upload. Within a process a newer request takes over quickly, as the protocol requires for
 * silently lost connections; between instances a lease in the database does the same within seconds.
 */
export class UploadLocker implements Locker {
  readonly #db: Database;
  readonly #holders = new Map<string, Holder>();
  readonly #writes = new Map<string, Promise<unknown>>();

  constructor(db: Database) {
    this.#db = db;
  }

  newLock(id: string): Lock {
    let release: (() => Promise<void>) | null = null;
    return {
      lock: async (signal, requestRelease) => {
        release = await this.#acquire(id, signal, requestRelease);
      },
      unlock: async () => {
        const held = release;
        release = null;
        await held?.();
      },
    };
  }

  /**
   * Does `work` while no other request works on the upload. A newer request that wants the upload calls
   * `requestRelease`, and waits for the end of `work`.
   * @throws AppError SERVICE_UNAVAILABLE when the upload is not free in time, or `signal` is aborted.
   */
  async hold<T>(id: string, signal: AbortSignal, work: () => Promise<T>, requestRelease = () => {}): Promise<T> {
    const lock = this.newLock(id);
    await lock.lock(signal, requestRelease).catch((error: unknown) => {
      throw error === ERRORS.ERR_LOCK_TIMEOUT ? takenOver() : error;
    });
    try {
      return await work();
    } finally {
      await lock.unlock();
    }
  }

  /** A write that may continue after its request was aborted; the lock is held until it ends. */
  async whileWriting<T>(id: string, write: Promise<T>): Promise<T> {
    this.#writes.set(id, write);
    try {
      return await write;
    } finally {
      this.#writes.delete(id);
    }
  }

  async #acquire(id: string, signal: AbortSignal, requestRelease: RequestRelease): Promise<() => Promise<void>> {
    const deadline = Date.now() + PATIENCE_MS;
    for (let holder = this.#holders.get(id); holder; holder = this.#holders.get(id)) {
      await holder.requestRelease();
      await Promise.race([holder.released, sleep(TRY_AGAIN_MS)]);
      if (signal.aborted || Date.now() > deadline) throw ERRORS.ERR_LOCK_TIMEOUT;
    }
    const { promise: released, resolve } = Promise.withResolvers<void>();
    this.#holders.set(id, { requestRelease, released });
    const letGo = () => {
      this.#holders.delete(id);
      resolve();
    };
    try {
      const owner = await this.#takeLease(id, signal, deadline);
      const renewing = setInterval(() => void this.#renew(id, owner, requestRelease), RENEW_MS);
      return async () => {
        await this.#writes.get(id)?.catch(() => {});
        clearInterval(renewing);
        await releaseLease(this.#db, id, owner).finally(letGo);
      };
    } catch (error) {
      letGo();
      throw error;
    }
  }

  async #takeLease(id: string, signal: AbortSignal, deadline: number): Promise<string> {
    const owner = randomUUID();
    while (!(await takeLease(this.#db, id, owner, LEASE_SECONDS))) {
      if (signal.aborted || Date.now() > deadline) throw ERRORS.ERR_LOCK_TIMEOUT;
      await wantLease(this.#db, id);
      await sleep(TRY_AGAIN_MS);
    }
    return owner;
  }

  async #renew(id: string, owner: string, requestRelease: RequestRelease): Promise<void> {
    // A short database outage does not end the upload; the lease outlasts several renewals.
    const outcome = await renewLease(this.#db, id, owner, LEASE_SECONDS).catch(() => 'held' as const);
    if (outcome !== 'held') await requestRelease();
  }
}

/** The error of a request that another one has replaced. */
export function takenOver(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', t`Another request is working on this upload.`, {
    suggestedFix: t`Send one request at a time; a newer one takes over from an older one. Then send the whole file
      again with PUT.`,
    retryAfterSeconds: 1,
  });
}
