import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { ChannelId, ContentId, IngestionId } from '../../../kernel/ids.ts';
import type { StoredText, Text } from '../../../kernel/languages/message.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { type Statement, sql } from '../../../platform/db/statement.ts';
import { errorTextOf, storedError } from '../../../platform/db/stored-text.ts';
import { roleMay, SCOPED } from '../../channels/index.ts';

export type IngestionState = 'OPEN' | 'FINISHED' | 'FAILED' | 'EXPIRED';

/** An upload and what it belongs to. Instants are ISO 8601. */
export interface Ingestion {
  readonly id: IngestionId;
  readonly channelId: ChannelId;
  /** Null for the images of channels and playlists. */
  readonly contentId: ContentId | null;
  /** Set for the cover of a playlist. */
  readonly playlistId: string | null;
  readonly mediaKind: 'VIDEO' | 'IMAGE';
  readonly hint: string;
  readonly alt: string;
  readonly filename: string;
  readonly filetype: string;
  /** The header Upload-Metadata that it was opened with; null if it was opened otherwise. */
  readonly uploadMetadata: string | null;
  readonly assetName: string;
  /** Null while it is not known (`Upload-Defer-Length` of tus). */
  readonly sizeBytes: number | null;
  /** What counts as reserved, whether it has arrived or not: the size, or what was reserved in steps so far. */
  readonly reservedBytes: number;
  /** As last recorded; a running request may have stored more. */
  readonly receivedBytes: number;
  /** Whether the space for the missing bytes is still reserved. */
  readonly promised: boolean;
  readonly state: IngestionState;
  readonly autoProcess: boolean;
  /** Whether its content was created for it. */
  readonly drafted: boolean;
  readonly objectKey: string;
  readonly errorCode: string | null;
  readonly error: StoredText | null;
  readonly expiresAt: string;
  /** Whether it is a part of another upload, and nothing of its own (`Upload-Concat: partial` of tus). */
  readonly isPartial: boolean;
  /** The header Upload-Concat of an upload that joins partial ones; null for others. */
  readonly uploadConcat: string | null;
  /** Whether the content is in the trash. */
  readonly contentDeleted: boolean;
  /** Whether its sender deleted it when it was complete: its address is gone. */
  readonly isTerminated: boolean;
}

export type NewIngestion = Omit<
  Ingestion,
  'receivedBytes' | 'promised' | 'state' | 'errorCode' | 'error' | 'contentDeleted' | 'isTerminated'
> & {
  readonly createdAt: string;
};

const SELECT = `select i.id, i.channel_id as "channelId", i.content_id as "contentId", i.playlist_id as "playlistId",
  i.media_kind as "mediaKind",
    i.hint, i.alt, i.filename, i.filetype, i.upload_metadata as "uploadMetadata", i.asset_name as "assetName",
      case when not i.size_deferred then i.size_bytes end as "sizeBytes", i.size_bytes as "reservedBytes",
      i.received_bytes as "receivedBytes",
    i.reserved_until > now() as promised, i.state, i.auto_process as "autoProcess", i.drafted,
    i.is_partial as "isPartial", i.upload_concat as "uploadConcat",
    i.object_key as "objectKey", i.error_code as "errorCode", ${errorTextOf('i')} as error,
      i.expires_at as "expiresAt", i.terminated_at is not null as "isTerminated",
    coalesce(k.deleted_at is not null, false) as "contentDeleted"
  from ingestions i left join contents k on k.id = i.content_id`;

const FIND = sql('find_ingestion', `${SELECT} where i.id = $1`);
const LOCK = sql('lock_ingestion', `${SELECT} where i.id = $1 for update of i`);

export function findIngestion(db: Executor, id: string): Promise<Ingestion | null> {
  return db.first<Ingestion>(FIND, [id]);
}

const TERMINATE = sql(
  'terminate_upload',
  `update ingestions set terminated_at = $2 where id = $1 and state = 'FINISHED' and terminated_at is null`,
);

/** Ends the address of a complete upload; its file stays. */
export async function terminateFinished(db: Executor, id: string, nowIso: string): Promise<void> {
  await db.run(TERMINATE, [id, nowIso]);
}

/** The row, locked until the transaction ends. */
export function lockIngestion(tx: Executor, id: string): Promise<Ingestion | null> {
  return tx.first<Ingestion>(LOCK, [id]);
}

const MAY_UPLOAD = sql(
  'may_upload',
  `select case when i.content_id is null and i.playlist_id is null and not i.is_partial then
    ${roleMay(SCOPED, 'i.channel_id', 'channel:update')}
               else ${roleMay(SCOPED, 'i.channel_id', 'asset:upload')} end as may
   from ingestions i, ${viewerRow('$2')} where i.id = $1`,
);

/**
 * Whether the viewer's role in the upload's channel lets it work on the upload: on images of the channel itself as on
 * the channel.
 */
export async function mayUpload(db: Executor, id: string, viewer: ViewerScope): Promise<boolean> {
  return (await db.first<{ may: boolean }>(MAY_UPLOAD, [id, viewer]))?.may ?? false;
}

const OWN_CONTENT = sql(
  'own_content_for_upload',
  `select k.channel_id as "channelId" from contents k, ${viewerRow('$2')}
   where k.id = $1 and ${roleMay(SCOPED, 'k.channel_id', 'asset:upload')} and k.deleted_at is null for share of k`,
);
const OWN_CHANNEL = sql(
  'own_channel_for_upload',
  `select c.id as "channelId" from channels c, ${viewerRow('$2')} where c.id = $1 ` +
    `and ${roleMay(SCOPED, 'c.id', 'channel:update')}`,
);
const UPLOAD_CHANNEL = sql(
  'channel_for_partial_upload',
  `select c.id as "channelId" from channels c, ${viewerRow('$2')} where c.id = $1 ` +
    `and ${roleMay(SCOPED, 'c.id', 'asset:upload')}`,
);
const OWN_PLAYLIST = sql(
  'own_playlist_for_upload',
  `select p.channel_id as "channelId" from playlists p, ${viewerRow('$2')}
   where p.id = $1 and ${roleMay(SCOPED, 'p.channel_id', 'asset:upload')} for key share of p`,
);

/**
 * What an upload belongs to: videos to a content; images to a content, a playlist (its cover) or a channel; partial
 * uploads to a channel.
 */
export type IngestionTarget =
  | { readonly contentId: string }
  | { readonly playlistId: string }
  | { readonly channelId: string }
  | { readonly partialIn: string };

/** The channel an upload belongs to; null unless the viewer may upload to the content, playlist or channel. */
export async function ownChannelOf(
  tx: Executor,
  target: IngestionTarget,
  viewer: ViewerScope,
): Promise<ChannelId | null> {
  const find = (statement: Statement, id: string) => tx.first<{ channelId: ChannelId }>(statement, [id, viewer]);
  if ('contentId' in target) return (await find(OWN_CONTENT, target.contentId))?.channelId ?? null;
  if ('playlistId' in target) return (await find(OWN_PLAYLIST, target.playlistId))?.channelId ?? null;
  if ('partialIn' in target) return (await find(UPLOAD_CHANNEL, target.partialIn))?.channelId ?? null;
  return (await find(OWN_CHANNEL, target.channelId))?.channelId ?? null;
}

const COUNT_OPEN = sql(
  'count_open_ingestions',
  `select count(*) as count from (
     select from ingestions i join channels c on c.id = i.channel_id where c.account_id = $1 and i.state = 'OPEN'
       limit $2) open`,
);

/** The number of open uploads to the account's channels, up to `most`. */
export async function countOpenIngestions(tx: Executor, accountId: string, most: number): Promise<number> {
  return (await tx.first<{ count: number }>(COUNT_OPEN, [accountId, most]))?.count ?? 0;
}

const INSERT = sql(
  'insert_ingestion',
  `insert into ingestions (id, channel_id, content_id, playlist_id, media_kind, hint, alt, filename, filetype,
    asset_name, size_bytes, auto_process,
     object_key, expires_at, created_at, upload_metadata, drafted, size_deferred, is_partial, upload_concat)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
);

export async function insertIngestion(tx: Executor, row: NewIngestion): Promise<void> {
  await tx.run(INSERT, [
    row.id,
    row.channelId,
    row.contentId,
    row.playlistId,
    row.mediaKind,
    row.hint,
    row.alt,
    row.filename,
    row.filetype,
    row.assetName,
    row.reservedBytes,
    row.autoProcess,
    row.objectKey,
    row.expiresAt,
    row.createdAt,
    row.uploadMetadata,
    row.drafted,
    row.sizeBytes === null,
    row.isPartial,
    row.uploadConcat,
  ]);
}

/**
 * SQL: whether an upload with a reservation has progressed far enough, with the bytes given as SQL, to keep it for
 * another hour.
 */
const advanced = (bytes: string) =>
  `reserved_until > now() and ${bytes} >= reserved_at_bytes + greatest(size_bytes / 100, 1)`;

const RECEIVED = sql(
  'ingestion_received',
  `update ingestions set received_bytes = $2,
     expires_at = least(greatest(expires_at, $3::timestamptz), created_at + $4 * interval '1 millisecond'),
     reserved_until = case when ${advanced('$2')} then now() + interval '1 hour' else reserved_until end,
     reserved_at_bytes = case when ${advanced('$2')} then $2 else reserved_at_bytes end
   where id = $1 and state = 'OPEN'`,
);

/** How long an upload may take in total. */
export const UPLOAD_LIFE_MS = 7 * 24 * 3600 * 1000;

/** Records the progress of an upload, and when it expires: null for as before. */
export async function noteReceived(
  db: Executor,
  id: string,
  receivedBytes: number,
  expiresAt: string | null,
): Promise<void> {
  await db.run(RECEIVED, [id, receivedBytes, expiresAt, UPLOAD_LIFE_MS]);
}

const KEEP_PROMISE = sql(
  'extend_upload_reservation',
  `update ingestions set reserved_until = now() + interval '1 hour', reserved_at_bytes = $2 where id = $1 ` +
    `and state = 'OPEN' and ${advanced('$2')}`,
);
const RENEW_RESERVATION = sql(
  'renew_upload_reservation',
  `update ingestions set reserved_until = now() + interval '1 hour', reserved_at_bytes = received_bytes where id = $1`,
);
const SENDING = sql(
  'sending_ingestions',
  `select id, object_key as "objectKey" from ingestions where state = 'OPEN' and locked_until > now() ` +
    'and reserved_until > now()',
);

/**
 * Extends the reservation of an upload for an hour if it still has it and has received at least a hundredth of the file
 * since the last extension.
 */
export async function keepPromise(db: Executor, id: string, receivedBytes: number): Promise<void> {
  await db.run(KEEP_PROMISE, [id, receivedBytes]);
}

/** Renews the reservation of an upload for its missing bytes; the caller has checked the free space. */
export async function renewReservation(tx: Executor, id: string): Promise<void> {
  await tx.run(RENEW_RESERVATION, [id]);
}

const EXTEND = sql(
  'extend_deferred_upload',
  `update ingestions set size_bytes = $2, reserved_until = now() + interval '1 hour' where id = $1 and size_deferred`,
);
const SET_SIZE = sql(
  'set_deferred_upload_size',
  `update ingestions set size_bytes = $2, size_deferred = false, received_bytes = $3, reserved_at_bytes = $3,
     reserved_until = now() + interval '1 hour'
   where id = $1 and size_deferred`,
);

/** Reserves `bytes` in all for an upload of unknown size; the caller has checked that they fit. */
export async function writeReservedBytes(tx: Executor, id: string, bytes: number): Promise<void> {
  await tx.run(EXTEND, [id, bytes]);
}

/** Writes the size of an upload of unknown size, and what has arrived of it; the caller has checked that it fits. */
export async function writeSize(tx: Executor, id: string, sizeBytes: number, receivedBytes: number): Promise<void> {
  await tx.run(SET_SIZE, [id, sizeBytes, receivedBytes]);
}

/** Open uploads with a reservation and a running request. */
export function sendingIngestions(db: Executor): Promise<{ id: string; objectKey: string }[]> {
  return db.run(SENDING, []);
}

const FINISH = sql(
  'finish_ingestion',
  `update ingestions set state = 'FINISHED', received_bytes = size_bytes, finished_at = $2 where id = $1`,
);

export async function markFinished(tx: Executor, id: string, now: string): Promise<void> {
  await tx.run(FINISH, [id, now]);
}

const END = sql(
  'end_ingestion',
  'update ingestions set state = $2, error_code = $3, error_message = $4, error_text = $6, finished_at = $5 ' +
    `where id = $1 and state = 'OPEN' returning id`,
);

/** Fails an open upload; false when it had already ended. */
export async function markEnded(
  tx: Executor,
  id: string,
  end: { readonly state: 'FAILED' | 'EXPIRED'; readonly code: string; readonly text: Text },
  now: string,
): Promise<boolean> {
  const [english, message] = storedError(end.text);
  return (await tx.first(END, [id, end.state, end.code, english, now, message])) !== null;
}

const EXPIRED = sql(
  'expired_ingestions',
  `select id, object_key as "objectKey" from ingestions where state = 'OPEN' and expires_at <= $1 ` +
    'order by expires_at limit 100',
);
const STRANDED = sql(
  'stranded_ingestions',
  `select id from ingestions where state = 'OPEN' and received_bytes = size_bytes and not size_deferred ` +
    'and not is_partial and upload_concat is null and expires_at < $1 order by expires_at limit 100',
);

/** Open uploads that were idle too long. */
export function expiredIngestions(db: Executor, now: string): Promise<{ id: string; objectKey: string }[]> {
  return db.run(EXPIRED, [now]);
}

/** Open uploads that have every byte, whose expiry was last extended to before `movedBefore`. */
export function strandedIngestions(db: Executor, movedBefore: string): Promise<{ id: string }[]> {
  return db.run(STRANDED, [movedBefore]);
}
