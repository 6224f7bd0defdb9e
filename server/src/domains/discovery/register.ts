import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import { refreshSchedule } from './lists/refresh-lists.ts';
import { sitemapRoutes } from './sitemaps/sitemaps.routes.ts';

export interface DiscoveryDomain {
  readonly routes: readonly Route[];
  /** Starts refreshing the sort values of lists; on workers. */
  startWork(): void;
  /** Waits for the work in progress. */
  close(): Promise<void>;
}

/** Search, lists and their refresh, and sitemaps. */
export function registerDiscovery(platform: Platform): DiscoveryDomain {
  const schedule = refreshSchedule(platform);
  return { routes: sitemapRoutes(platform), startWork: () => schedule.start(), close: () => schedule.stop() };
}
