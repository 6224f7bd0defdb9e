import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Secrets } from '../../platform/config/secret-key.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { AssetsDomain } from '../assets/index.ts';
import type { ServerStatus } from './overview/read-status.ts';
import type { StorageView } from './storage/read-storage.ts';

/** What the fields and commands of this domain use; `services.operations` of the engine. */
export interface OperationsServices {
  readonly db: Database;
  readonly config: Pick<Config, 'SIGN_UP'>;
  readonly jobs: Jobs;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly renderLogo: AssetsDomain['renderLogo'];
  status(): Promise<ServerStatus>;
  /** What is stored, of all channels together. */
  storage(): Promise<StorageView>;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly operations: OperationsServices;
  }
}
