import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import { type BeaconTools, beaconRoutes } from './ingest/beacon.routes.ts';
import { EngagementTracker } from './ingest/track-engagement.ts';
import { rollUpSchedule } from './roll-up/roll-up-schedule.ts';
import type { EngagementServices } from './services.ts';

export interface EngagementDomain {
  /** The beacon endpoint for players without a key. */
  readonly routes: Route[];
  /** `services.engagement` of the engine. */
  readonly services: EngagementServices;
  /** Starts aggregating playback events; on workers. */
  startWork(): void;
  /** Flushes pending events and stops. */
  close(): Promise<void>;
}

/** Playback events, their aggregation and analytics. */
export function registerEngagement(
  platform: Platform,
  { authenticate }: Pick<BeaconTools, 'authenticate'>,
): EngagementDomain {
  const tracker = new EngagementTracker(platform);
  const schedule = rollUpSchedule(platform);
  return {
    routes: beaconRoutes({ platform, tracker, authenticate }),
    services: { tracker },
    startWork: () => schedule.start(),
    async close() {
      await tracker.close();
      await schedule.stop();
    },
  };
}
