import type { Database } from '../../platform/db/database.ts';

/** Services of this domain's commands with transactions; `services.channels` of the engine. */
export interface ChannelsServices {
  readonly db: Database;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly channels: ChannelsServices;
  }
}
