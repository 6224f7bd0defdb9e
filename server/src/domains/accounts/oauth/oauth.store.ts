import { newId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const DAY_MS = 86_400_000;
/** How long an application stays registered without being connected. */
const UNUSED_CLIENT_MS = 30 * DAY_MS;
/** Longer than an authorization request is valid. */
const UNUSED_DOCUMENT_MS = 3_600_000;

const DECLARE_RESOURCE = sql(
  'declare_oauth_resource',
  `insert into oauth_resources (id, identifier, name, created_at, updated_at) values ($1, $2, 'Reelgraph', $3, $3)
   on conflict (identifier) do nothing`,
);

/** Registers the protected resource; idempotent. */
export async function declareResource(db: Executor, resource: string, nowMs: number): Promise<void> {
  await db.run(DECLARE_RESOURCE, [newId(nowMs), resource, new Date(nowMs).toISOString()]);
}

const LOCK_GRANT = sql('lock_oauth_grant', `select pg_advisory_xact_lock(hashtextextended('oauth ' || $1::text, 0))`);

/** Takes a lock on this code or token across all instances until the transaction ends. */
export async function takeTurnAt(tx: Executor, grant: string): Promise<void> {
  await tx.run(LOCK_GRANT, [grant]);
}

const SWEEP = sql(
  'sweep_oauth',
  `with access as (delete from oauth_access_tokens where id in (select id from oauth_access_tokens where expires_at < $1
    limit 100)),
     refresh as (delete from oauth_refresh_tokens where id in (select id from oauth_refresh_tokens where expires_at < $1
       limit 100))
   delete from verifications where id in (select id from verifications where expires_at < $1 limit 100)`,
);

/**
 * Deletes up to 100 expired tokens and codes each; called where new ones are issued, so that they do not accumulate.
 */
export async function sweepOauth(db: Executor, nowMs: number): Promise<void> {
  await db.run(SWEEP, [new Date(nowMs).toISOString()]);
}

const SWEEP_CLIENTS = sql(
  'sweep_oauth_clients',
  `delete from oauth_clients where id in (
     select c.id from oauth_clients c
     where c.created_at < $1 and c.client_discovery_id is null
       and not exists (select from oauth_consents a where a.client_id = c.client_id)
     order by c.created_at limit 100)`,
);

/** Deletes up to 100 applications that were not connected within 30 days. */
export async function sweepUnusedClients(db: Executor, nowMs: number): Promise<void> {
  await db.run(SWEEP_CLIENTS, [new Date(nowMs - UNUSED_CLIENT_MS).toISOString()]);
}

const SWEEP_DOCUMENTS = sql(
  'sweep_oauth_documents',
  `delete from oauth_clients where id in (
     select c.id from oauth_clients c
     where c.client_discovery_id is not null and c.updated_at < $1
       and not exists (select from oauth_consents a where a.client_id = c.client_id)
     order by c.updated_at limit 100)`,
);

/**
 * Deletes up to 100 applications with a metadata document that were not connected within an hour of its reading; the
 * next request reads it again.
 */
export async function sweepUnusedDocuments(db: Executor, nowMs: number): Promise<void> {
  await db.run(SWEEP_DOCUMENTS, [new Date(nowMs - UNUSED_DOCUMENT_MS).toISOString()]);
}

/** How an application describes itself. */
export interface Application {
  readonly clientId: string;
  readonly name: string;
  readonly uri: string | null;
}

const FIND_APPLICATION = sql(
  'find_application',
  `select client_id as "clientId", name, uri from oauth_clients where client_id = $1 and not disabled`,
);

/** The application with this client_id, or null. */
export function findApplication(db: Executor, clientId: string): Promise<Application | null> {
  return db.first<Application>(FIND_APPLICATION, [clientId]);
}

/** An application that holds tokens of an account. */
export interface Connection extends Application {
  /** When the account first allowed it. */
  readonly connectedAt: string;
  /** When it last got a token, which it needs every hour. */
  readonly lastUsedAt: string;
}

const CONNECTIONS = sql(
  'list_connections',
  `select c.client_id as "clientId", c.name, c.uri, a.created_at as "connectedAt", t.last as "lastUsedAt"
   from (select client_id, min(created_at) as created_at from oauth_consents where account_id = $1 group by client_id) a
   join oauth_clients c on c.client_id = a.client_id
   join lateral (
     select max(created_at) as last from (
       select created_at from oauth_access_tokens
       where client_id = a.client_id and account_id = $1 and expires_at > $2 and revoked is null
       union all
       select created_at from oauth_refresh_tokens
       where client_id = a.client_id and account_id = $1 and expires_at > $2 and revoked is null) live) t
         on t.last is not null
   order by t.last desc, c.client_id
   limit 200`,
);

/** Applications that can act for the account now or after a refresh, most recently used first. */
export function listConnections(db: Executor, accountId: string, nowMs: number): Promise<Connection[]> {
  return db.run<Connection>(CONNECTIONS, [accountId, new Date(nowMs).toISOString()]);
}

const DISCONNECT = sql(
  'disconnect_application',
  `with access as (delete from oauth_access_tokens where account_id = $1 and client_id = $2),
     refresh as (delete from oauth_refresh_tokens where account_id = $1 and client_id = $2)
   delete from oauth_consents where account_id = $1 and client_id = $2 returning id`,
);

/** Revokes everything that the account granted to the application; false when there was nothing. */
export async function disconnect(db: Executor, accountId: string, clientId: string): Promise<boolean> {
  return (await db.run(DISCONNECT, [accountId, clientId])).length > 0;
}
