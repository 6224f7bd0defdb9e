import type { Database } from '../../platform/db/database.ts';

/** What the commands with transactions of this domain use; `services.social` of the engine. */
export interface SocialServices {
  readonly db: Database;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly social: SocialServices;
  }
}
