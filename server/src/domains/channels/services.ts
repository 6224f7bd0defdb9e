import type { Database } from '../../platform/db/database.ts';

/** What the mutations of this domain use. */
export interface ChannelsServices {
  readonly db: Database;
}

declare module '../../gql/run.ts' {
  interface Services {
    readonly channels: ChannelsServices;
  }
}
