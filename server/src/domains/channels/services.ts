import type { Database } from '../../platform/db/database.ts';

/** What the commands with transactions of this domain use; `services.channels` of the engine. */
export interface ChannelsServices {
  readonly db: Database;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly channels: ChannelsServices;
  }
}
