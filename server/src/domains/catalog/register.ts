import type { SwitchedOff } from '../../kernel/features.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IngestDomain } from '../ingest/index.ts';
import type { TranscodeDomain } from '../transcode/index.ts';
import type { BroadcastClips } from './edits/broadcast-clips.ts';
import { enhanceWhenReady } from './enhancement/enhance-when-ready.ts';
import { publishWhenReady } from './publication/publish-when-ready.ts';
import { releaseSchedule } from './publication/release-schedule.ts';
import type { CatalogServices } from './services.ts';
import { purgeSchedule } from './trash/purge-schedule.ts';

export interface CatalogDomain {
  /** `services.catalog` of the engine. */
  readonly services: CatalogServices;
  /** Starts scheduled publication and purging of the trash; on workers. */
  startWork(): void;
  /** Stops, and waits for the work in progress. */
  close(): Promise<void>;
}

/**
 * Contents and their lifecycle. Call it before `platform.events.start()`: it consumes events of videos that become
 * ready.
 */
export function registerCatalog(
  platform: Platform,
  media: Pick<TranscodeDomain, 'waiter'> & Pick<IngestDomain, 'checkSourceUrl'>,
  broadcastClips: BroadcastClips,
  switchedOff: SwitchedOff,
): CatalogDomain {
  const { db, jobs, clock, secrets, config, events, space } = platform;
  events.subscribe(publishWhenReady(clock));
  events.subscribe(enhanceWhenReady({ jobs, clock, switchedOff }));
  const schedule = releaseSchedule(platform);
  const purges = purgeSchedule(platform);
  return {
    services: {
      db,
      jobs,
      clock,
      space,
      ingestion: { secrets, clock, baseUrl: config.BASE_URL, space },
      waiter: media.waiter,
      broadcastClips,
      captioning: config,
      switchedOff,
      checkSourceUrl: (url) => media.checkSourceUrl(url),
    },
    startWork() {
      schedule.start();
      purges.start();
    },
    async close() {
      await schedule.stop();
      await purges.stop();
    },
  };
}
