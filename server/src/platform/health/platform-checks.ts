import { StorageFullError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { checkDatabase, checkMigrations } from '../db/readiness.ts';
import type { Platform } from '../platform.ts';
import { createReadiness, type Readiness, type ReadinessCheck } from './health.ts';

const STORE_KEPT_MS = 10_000;

/** Whether this instance and what it depends on can serve requests and enqueue jobs; see createReadiness. */
export function platformReadiness(
  platform: Pick<Platform, 'db' | 'store' | 'space' | 'log'> & { readonly jobs: Pick<Platform['jobs'], 'depths'> },
): () => Promise<Readiness> {
  const { jobs, log } = platform;
  return createReadiness([...platformChecks(platform), { name: 'jobQueue', check: () => jobs.depths() }], log);
}

/**
 * Dependencies of every instance: the database, its schema, and a usable object store. A full one is a note, not an
 * error: sign-in and reading still work.
 */
export function platformChecks({ db, store, space }: Pick<Platform, 'db' | 'store' | 'space'>): ReadinessCheck[] {
  const probe = `health/${newId()}`;
  return [
    { name: 'database', check: () => checkDatabase(db) },
    { name: 'migrations', check: () => checkMigrations(db) },
    {
      name: 'objectStore',
      // Writing an object costs money in some stores, so a success is cached for a while.
      check: succeedAtMostEvery(STORE_KEPT_MS, async () => {
        await store.put(probe, Buffer.from('ok'), { contentType: 'text/plain' }).catch((error: unknown) => {
          if (!(error instanceof StorageFullError)) throw error;
        });
        await store.delete(probe);
      }),
    },
    { name: 'storageSpace', check: () => spaceNote(space) },
  ];
}

async function spaceNote(space: Platform['space']): Promise<string | null> {
  const reading = await space.read();
  if (reading?.kind !== 'disk' || reading.freeBytes >= reading.reserveBytes) return null;
  return 'Less than STORAGE_RESERVE is free: uploads are refused until storage is freed or added.';
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
