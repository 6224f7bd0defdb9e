import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import { CardViewers } from './content-tests/card-viewers.ts';
import { endChangedTests } from './content-tests/end-changed-tests.ts';
import { testsSchedule } from './content-tests/evaluate-tests.ts';
import { type BeaconTools, beaconRoutes } from './ingest/beacon.routes.ts';
import { EngagementTracker } from './ingest/track-engagement.ts';
import { rollUpSchedule } from './roll-up/roll-up-schedule.ts';
import type { EngagementServices } from './services.ts';
import { viewerIdentity } from './viewers/viewer-identity.ts';

export interface EngagementDomain {
  /** The beacon endpoint for players without a key. */
  readonly routes: Route[];
  /** `services.engagement` of the engine. */
  readonly services: EngagementServices;
  /** Starts aggregating playback events and evaluating tests; on workers. */
  startWork(): void;
  /** Flushes pending events and stops. */
  close(): Promise<void>;
}

/** Playback events, their aggregation and analytics. */
export function registerEngagement(
  platform: Platform,
  { authenticate }: Pick<BeaconTools, 'authenticate'>,
): EngagementDomain {
  const identity = viewerIdentity(platform);
  const tracker = new EngagementTracker(platform, identity);
  const { db, clock, jobs } = platform;
  const schedules = [rollUpSchedule(platform), testsSchedule(platform)];
  platform.events.subscribe(endChangedTests(platform));
  return {
    routes: beaconRoutes({ platform, tracker, authenticate }),
    services: { db, clock, jobs, tracker, cardViewers: new CardViewers(identity) },
    startWork() {
      for (const schedule of schedules) schedule.start();
    },
    async close() {
      await tracker.close();
      await Promise.all(schedules.map((schedule) => schedule.stop()));
    },
  };
}
