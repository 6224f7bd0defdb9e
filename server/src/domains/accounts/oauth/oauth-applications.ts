import { createHash } from 'node:crypto';
import type { Platform } from '../../../platform/platform.ts';
import {
  type Application,
  type Connection,
  declareResource,
  disconnect,
  findApplication,
  listConnections,
  sweepOauth,
  sweepUnusedClients,
  takeTurnAt,
} from './oauth.store.ts';
import { oauthResource } from './oauth-tokens.ts';

/** What the library calls applications, and room for more: nothing that PostgreSQL does not store. */
const CLIENT_ID = /^[\w-]{1,200}$/;

/** What the platform itself does about applications; all else the provider does. */
export interface OauthApplications {
  /** Makes known what tokens are for, before the first is asked for. */
  prepare(): Promise<void>;
  /**
   * Runs `work` while no other instance does so with the same code or token: of two uses at once the second sees what the first left,
   * and takes it back as it does with any replay.
   */
  oneByOne<Result>(grant: string, work: () => Promise<Result>): Promise<Result>;
  /** Deletes some of what is over. */
  sweep(): Promise<void>;
  /** Deletes some of the applications that nobody connected. */
  sweepUnused(): Promise<void>;
  find(clientId: string): Promise<Application | null>;
  /** Applications that hold tokens of the account. */
  connectionsOf(accountId: string): Promise<Connection[]>;
  /** Ends a connection at once; false when there is none. */
  disconnect(accountId: string, clientId: string): Promise<boolean>;
}

/** Applications on this platform, at its clock's time. */
export function oauthApplications({ db, clock, config }: Pick<Platform, 'db' | 'clock' | 'config'>): OauthApplications {
  let isPrepared = false;
  return {
    prepare: async () => {
      if (isPrepared) return;
      await declareResource(db, oauthResource(config.BASE_URL), clock.now());
      isPrepared = true;
    },
    oneByOne: (grant, work) =>
      db.transaction(async (tx) => {
        await takeTurnAt(tx, createHash('sha256').update(grant).digest('base64url'));
        return work();
      }),
    sweep: () => sweepOauth(db, clock.now()),
    sweepUnused: () => sweepUnusedClients(db, clock.now()),
    find: async (clientId) => (CLIENT_ID.test(clientId) ? findApplication(db, clientId) : null),
    connectionsOf: (accountId) => listConnections(db, accountId, clock.now()),
    disconnect: async (accountId, clientId) => CLIENT_ID.test(clientId) && disconnect(db, accountId, clientId),
  };
}
