import type { Platform } from '../../platform/platform.ts';
import type { AssetsDomain } from '../assets/index.ts';
import { ModelReader } from './model-reader.ts';
import type { AiServices } from './services.ts';
import { trainingSchedule } from './train-virality.ts';

export interface AiDomain {
  /** `services.ai` of the engine. */
  readonly services: AiServices;
  /** Begins to measure pictures and to learn what is clicked on; on workers. */
  startWork(): void;
  /** Waits for the work in progress. */
  close(): Promise<void>;
}

/** What is learnt of what was measured. */
export function registerAi(platform: Platform, { pictureAt }: Pick<AssetsDomain, 'pictureAt'>): AiDomain {
  const schedule = trainingSchedule(platform);
  return {
    services: { db: platform.db, models: new ModelReader(platform), pictureAt },
    startWork: () => schedule.start(),
    close: () => schedule.stop(),
  };
}
