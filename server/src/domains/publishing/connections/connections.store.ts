import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { SiteChannel } from '../site/external-site.ts';

/** A connection as the server uses it. */
export interface StoredConnection {
  readonly accountId: string;
  readonly channelId: string;
  readonly uploadsPlaylistId: string;
  readonly scopes: readonly string[];
  readonly sealedRefreshToken: Buffer;
  readonly isBroken: boolean;
}

const FIND = sql(
  'find_youtube_connection',
  `select account_id as "accountId", channel_id as "channelId", uploads_playlist_id as "uploadsPlaylistId", scopes,
     sealed_refresh_token as "sealedRefreshToken", broken_at is not null as "isBroken"
   from youtube_connections where account_id = $1`,
);

/** The account's connection; null when there is none. */
export function findConnection(db: Executor, accountId: string): Promise<StoredConnection | null> {
  return db.first<StoredConnection>(FIND, [accountId]);
}

export interface NewConnection {
  readonly accountId: string;
  readonly channel: SiteChannel;
  readonly scopes: readonly string[];
  readonly sealedRefreshToken: Buffer;
}

const SAVE = sql(
  'save_youtube_connection',
  `insert into youtube_connections (account_id, channel_id, channel_title, channel_thumbnail, uploads_playlist_id,
    scopes, sealed_refresh_token,
     connected_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
   on conflict (account_id) do update set channel_id = $2, channel_title = $3, channel_thumbnail = $4,
     uploads_playlist_id = $5, scopes = $6,
     sealed_refresh_token = $7, connected_at = $8, updated_at = $8, broken_at = null`,
);

/** Connects the account, replacing its previous connection. */
export async function saveConnection(db: Executor, connection: NewConnection, nowIso: string): Promise<void> {
  const { accountId, channel, scopes, sealedRefreshToken } = connection;
  const { id, title, thumbnailUrl, uploadsPlaylistId } = channel;
  await db.run(SAVE, [accountId, id, title, thumbnailUrl, uploadsPlaylistId, scopes, sealedRefreshToken, nowIso]);
}

const BREAK = sql(
  'break_youtube_connection',
  'update youtube_connections set broken_at = $3, updated_at = $3 where account_id = $1 ' +
    'and sealed_refresh_token = $2 and broken_at is null',
);

/** Marks the token as rejected by Google; does nothing when the account has reconnected. */
export async function markBroken(
  db: Executor,
  { accountId, sealedRefreshToken }: StoredConnection,
  nowIso: string,
): Promise<void> {
  await db.run(BREAK, [accountId, sealedRefreshToken, nowIso]);
}

const DELETE = sql(
  'delete_youtube_connection',
  'delete from youtube_connections where account_id = $1 returning sealed_refresh_token as sealed',
);

/** Deletes the connection; returns its sealed token, null when there was none. */
export async function deleteConnection(db: Executor, accountId: string): Promise<Buffer | null> {
  return (await db.first<{ sealed: Buffer }>(DELETE, [accountId]))?.sealed ?? null;
}
