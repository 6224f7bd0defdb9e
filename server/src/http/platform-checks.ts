import { newId } from '../kernel/ids.ts';
import { checkDatabase, checkMigrations } from '../platform/db/readiness.ts';
import type { Platform } from '../platform/platform.ts';
import type { ReadinessCheck } from './health.ts';

const STORE_KEPT_MS = 10_000;

/** What every instance needs: the database, its schema, and an object store that takes bytes. */
export function platformChecks({ db, store }: Pick<Platform, 'db' | 'store'>): ReadinessCheck[] {
  const probe = `health/${newId()}`;
  return [
    { name: 'database', check: () => checkDatabase(db) },
    { name: 'migrations', check: () => checkMigrations(db) },
    {
      name: 'objectStore',
      // A written object costs money in some stores, so that a success holds for a while.
      check: succeedAtMostEvery(STORE_KEPT_MS, async () => {
        await store.put(probe, Buffer.from('ok'), { contentType: 'text/plain' });
        await store.delete(probe);
      }),
    },
  ];
}

/** Runs `check` again only when its last success is older than `keptMs`. */
function succeedAtMostEvery(keptMs: number, check: () => Promise<void>): () => Promise<void> {
  let succeededAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - succeededAt < keptMs) return;
    await check();
    succeededAt = performance.now();
  };
}
