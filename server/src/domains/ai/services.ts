import type { Database } from '../../platform/db/database.ts';
import type { PictureAtAddress } from '../assets/index.ts';
import type { ModelReader } from './model-reader.ts';

/** What the commands of this domain use; `services.ai` of the engine. */
export interface AiServices {
  readonly db: Database;
  readonly models: ModelReader;
  readonly pictureAt: PictureAtAddress;
}

declare module '../../gql/run.ts' {
  interface Services {
    readonly ai: AiServices;
  }
}
