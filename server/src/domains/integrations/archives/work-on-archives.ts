import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { expireArchives, failArchive } from './archives.store.ts';
import { writeArchiveJob } from './write-archive.job.ts';

type Needs = Pick<Platform, 'db' | 'clock' | 'store' | 'jobs' | 'secrets' | 'config' | 'log'>;

const EVERY_MS = 60_000;
const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Writes archives here, one at a time; the handler is loaded with the first one. */
export async function workOnArchives(platform: Needs): Promise<void> {
  const { db, clock, jobs, log } = platform;
  await jobs.work({
    job: writeArchiveJob,
    handle: async ({ archiveId }) => (await import('./write-archive.handler.ts')).writeArchive(platform, archiveId),
    giveUp: async ({ archiveId }, reason) => {
      log.error({ archive: archiveId, error: reason }, 'An archive could not be written.');
      await failArchive(db, archiveId, isoOf(clock.now()));
    },
  });
}

/** Deletes files of archives after a week, every minute; any number of workers may run it. */
export function expiringArchives({ db, clock, log }: Pick<Needs, 'db' | 'clock' | 'log'>): Repeated {
  return repeat(log, 'cannot expire archives, will be retried', EVERY_MS, async () => {
    await expireArchives(db, isoOf(clock.now()));
    return false;
  });
}
