import { StorageFullError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { checkDatabase, checkMigrations } from '../db/readiness.ts';
import type { Platform } from '../platform.ts';
import { createReadiness, type Readiness, type ReadinessCheck } from './health.ts';

const STORE_KEPT_MS = 10_000;

type Checked = Pick<Platform, 'db' | 'store' | 'space' | 'log'> & { readonly jobs: Pick<Platform['jobs'], 'depths'> };

/** Whether this instance can serve requests; without object store or queue, reads and sign-in work. */
export function platformReadiness(platform: Checked): () => Promise<Readiness> {
  const { jobs, log } = platform;
  const queue: ReadinessCheck = { name: 'jobQueue', essential: false, check: () => jobs.depths() };
  return createReadiness([...platformChecks(platform), queue], log);
}

/** Whether this process can work: it needs queue and object store, and a sandbox that the operator accepts. */
export function workerReadiness(platform: Checked, sandbox: { readonly isUsable: boolean }): () => Promise<Readiness> {
  const { jobs, log } = platform;
  const needed: ReadinessCheck[] = [
    ...platformChecks(platform),
    { name: 'jobQueue', essential: true, check: () => jobs.depths() },
    {
      name: 'sandbox',
      essential: true,
      check: async () => {
        if (!sandbox.isUsable) throw new Error('SANDBOX=require is not met.');
      },
    },
  ];
  return createReadiness(
    needed.map((one) => ({ ...one, essential: one.essential || one.name === 'objectStore' })),
    log,
  );
}

/**
 * Dependencies of every instance: the database, its schema, and a usable object store. A full one is a note, not an
 * error: sign-in and reading still work.
 */
export function platformChecks({ db, store, space }: Pick<Platform, 'db' | 'store' | 'space'>): ReadinessCheck[] {
  const probe = `health/${newId()}`;
  return [
    { name: 'database', essential: true, check: () => checkDatabase(db) },
    { name: 'migrations', essential: true, check: () => checkMigrations(db) },
    {
      name: 'objectStore',
      essential: false,
      // Writing an object costs money in some stores, so a success is cached for a while.
      check: succeedAtMostEvery(STORE_KEPT_MS, async () => {
        await store.put(probe, Buffer.from('ok'), { contentType: 'text/plain' }).catch((error: unknown) => {
          if (!(error instanceof StorageFullError)) throw error;
        });
        await store.delete(probe);
      }),
    },
    { name: 'storageSpace', essential: false, check: () => spaceNote(space) },
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
