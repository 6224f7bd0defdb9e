import type { Platform } from '../../../platform/platform.ts';
import { transcodeJobStates } from '../jobs/transcode-jobs.store.ts';

type Tools = Pick<Platform, 'store' | 'log'>;

/** Removes what was stored of a package that is not needed; what cannot be removed now is removed later. */
export async function clearPackage({ store, log }: Tools, prefix: string): Promise<void> {
  await store
    .deletePrefix(prefix)
    .catch((error: unknown) => log.warn({ error, prefix }, 'unfinished package not removed; it is removed later'));
}

/** The same if the job has ended without a package. */
export async function clearEnded(tools: Tools & Pick<Platform, 'db'>, jobId: string, prefix: string): Promise<void> {
  const [state] = await transcodeJobStates(tools.db, [jobId]);
  if (!state || state.status === 'CANCELLED' || state.status === 'ERROR') await clearPackage(tools, prefix);
}
