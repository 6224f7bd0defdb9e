import { createHash } from 'node:crypto';
import type { Platform } from '../../../platform/platform.ts';
import { isDocumentAddress } from './metadata-document.ts';
import {
  type Application,
  type Connection,
  declareResource,
  disconnect,
  findApplication,
  listConnections,
  sweepOauth,
  sweepUnusedClients,
  sweepUnusedDocuments,
  takeTurnAt,
} from './oauth.store.ts';
import { oauthResource } from './oauth-tokens.ts';

/** Form of a client_id of a registration; nothing that PostgreSQL cannot store. */
const REGISTERED_ID = /^[\w-]{1,200}$/;

/** The platform's own part of OAuth; the provider does the rest. */
export interface OauthApplications {
  /** Registers the protected resource before the first token is requested. */
  prepare(): Promise<void>;
  /**
   * Runs `work` while no other instance uses the same code or token: of two concurrent uses the second sees the result
   * of the first and handles it as a replay.
   */
  oneByOne<Result>(grant: string, work: () => Promise<Result>): Promise<Result>;
  /** Deletes some expired tokens and codes. */
  sweep(): Promise<void>;
  /** Deletes some applications that were never connected. */
  sweepUnused(): Promise<void>;
  /** The same for those with a metadata document. */
  sweepUnusedDocuments(): Promise<void>;
  find(clientId: string): Promise<Application | null>;
  /** Applications that hold tokens of the account. */
  connectionsOf(accountId: string): Promise<Connection[]>;
  /** Revokes a connection at once; false when there is none. */
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
    sweepUnusedDocuments: () => sweepUnusedDocuments(db, clock.now()),
    find: async (clientId) => (isClientId(clientId) ? findApplication(db, clientId) : null),
    connectionsOf: (accountId) => listConnections(db, accountId, clock.now()),
    disconnect: async (accountId, clientId) => isClientId(clientId) && disconnect(db, accountId, clientId),
  };
}

function isClientId(clientId: string): boolean {
  return REGISTERED_ID.test(clientId) || isDocumentAddress(clientId);
}
