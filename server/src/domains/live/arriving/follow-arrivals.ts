import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { unfinishedArriving } from './arriving-videos.store.ts';
import { completeArrived } from './complete-arrived.ts';

const EVERY_MS = 60_000;
/** The process that received an upload completes it by then. */
const LATE_MS = 120_000;

/** Completes what processes that died have left of uploads that were played and have finished. */
export function followArrivals(platform: Pick<Platform, 'db' | 'store' | 'clock' | 'log'>): Repeated {
  const { db, clock, log } = platform;
  return repeat(log, 'uploads that were played could not be completed, will be retried', EVERY_MS, async () => {
    for (const id of await unfinishedArriving(db, new Date(clock.now() - LATE_MS).toISOString()))
      await completeArrived(platform, id);
    return false;
  });
}
