import { RateLimiter } from '../../gql/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AssetsDomain } from '../assets/index.ts';
import type { IngestDomain } from '../ingest/index.ts';
import { forecastSchedule } from './forecast/forecast-schedule.ts';
import { ModelReader } from './model-reader.ts';
import type { AiServices } from './services.ts';
import { trainingSchedule } from './train-virality.ts';

/** Bucket of analyzed images per account: capacity and refill. */
const IMAGE_RATE = { capacity: 30, refillPerSecond: 0.5 };

export interface AiDomain {
  /** `services.ai` of the engine. */
  readonly services: AiServices;
  /** Starts measuring images, training the models and forecasting; on workers. */
  startWork(): void;
  /** Waits for the work in progress. */
  close(): Promise<void>;
}

/** Performance prediction and forecasts. */
export function registerAi(
  platform: Platform,
  { fetchRemoteImage, resizeImage }: Pick<IngestDomain, 'fetchRemoteImage'> & Pick<AssetsDomain, 'resizeImage'>,
): AiDomain {
  const schedules = [trainingSchedule({ ...platform, resizeImage }), forecastSchedule(platform)];
  return {
    services: {
      db: platform.db,
      clock: platform.clock,
      models: new ModelReader(platform),
      fetchRemoteImage,
      imageLimiter: new RateLimiter(IMAGE_RATE),
    },
    startWork() {
      for (const schedule of schedules) schedule.start();
    },
    async close() {
      await Promise.all(schedules.map((schedule) => schedule.stop()));
    },
  };
}
