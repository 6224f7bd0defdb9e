import type { Engine } from '../../../gql/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { exportDataJob } from './export-data.job.ts';

/** Writes exports here, one at a time; the handler is loaded with the first one. */
export async function workOnExports(
  platform: Pick<Platform, 'db' | 'clock' | 'store' | 'jobs'>,
  engine: () => Engine,
): Promise<void> {
  await platform.jobs.work({
    job: exportDataJob,
    handle: async ({ exportId }, run) =>
      (await import('./export-data.handler.ts')).exportData({ platform, engine: engine() }, exportId, run),
    giveUp: async ({ exportId }, reason) =>
      (await import('./export-data.handler.ts')).failDataExport(platform, exportId, reason),
  });
}
