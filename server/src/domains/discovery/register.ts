import type { Platform } from '../../platform/platform.ts';
import { renewalSchedule } from './lists/refresh-lists.ts';

export interface DiscoveryDomain {
  /** Begins to renew what lists are sorted by; on workers. */
  startWork(): void;
  /** Waits for the work in progress. */
  close(): Promise<void>;
}

/** How things are found, and the upkeep of it. */
export function registerDiscovery(platform: Platform): DiscoveryDomain {
  const schedule = renewalSchedule(platform);
  return { startWork: () => schedule.start(), close: () => schedule.stop() };
}
