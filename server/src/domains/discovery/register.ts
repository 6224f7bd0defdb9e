import type { Platform } from '../../platform/platform.ts';
import { refreshSchedule } from './lists/refresh-lists.ts';

export interface DiscoveryDomain {
  /** Starts refreshing the sort values of lists; on workers. */
  startWork(): void;
  /** Waits for the work in progress. */
  close(): Promise<void>;
}

/** Search and lists, and their refresh. */
export function registerDiscovery(platform: Platform): DiscoveryDomain {
  const schedule = refreshSchedule(platform);
  return { startWork: () => schedule.start(), close: () => schedule.stop() };
}
