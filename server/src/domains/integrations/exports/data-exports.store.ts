import type { ExportPosition } from '../../../gql/index.ts';
import type { Text } from '../../../kernel/languages/message.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { storedError } from '../../../platform/db/stored-text.ts';
import type { CredentialReference } from '../../accounts/index.ts';

export interface NewExport {
  readonly id: string;
  readonly accountId: string;
  readonly credential: CredentialReference;
  /** Field of the query. */
  readonly name: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly position: ExportPosition;
  readonly now: string;
}

const LOCK_ACCOUNT = sql(
  'lock_exports_of_account',
  `select pg_advisory_xact_lock(hashtextextended('data exports ' || $1::text, 0))`,
);
const INSERT = sql(
  'insert_data_export',
  `insert into data_exports (id, account_id, credential_kind, credential_id, name, query, variables, position,
     created_at)
   select $1, $2, $3, $4, $5, $6, $7::json, $8::json, $9
   where (select count(*) from data_exports where account_id = $2 and status in ('QUEUED', 'RUNNING')) < $10
   returning id`,
);

/** Adds an export; false when the account has `most` that have not ended. */
export async function insertExport(tx: Executor, added: NewExport, most: number): Promise<boolean> {
  const { id, accountId, credential, name, query, variables, position, now } = added;
  await tx.run(LOCK_ACCOUNT, [accountId]);
  const values = [id, accountId, credential.kind, credential.id, name, query];
  const stored = await tx.first(INSERT, [...values, JSON.stringify(variables), JSON.stringify(position), now, most]);
  return stored !== null;
}

/** An export that a worker has taken. */
export interface ClaimedExport {
  readonly accountId: string;
  readonly credential: CredentialReference;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly attempt: number;
  readonly position: ExportPosition;
  readonly parts: number;
  readonly sizeBytes: number;
  readonly createdMs: number;
}

const CLAIM = sql(
  'claim_data_export',
  `update data_exports set status = 'RUNNING', attempt = attempt + 1, started_at = coalesce(started_at, $2)
   where id = $1 and status in ('QUEUED', 'RUNNING')
   returning account_id as "accountId", json_build_object('kind', credential_kind, 'id', credential_id) as credential,
     query, variables, attempt, position, parts, size_bytes as "sizeBytes",
     (extract(epoch from created_at) * 1000)::float8 as "createdMs"`,
);

/** Takes an export; earlier workers may not write to it any more. Null when it has ended. */
export function claimExport(db: Executor, id: string, now: string): Promise<ClaimedExport | null> {
  return db.first<ClaimedExport>(CLAIM, [id, now]);
}

/** Whole lines that were stored as one object. */
export interface StoredPart {
  readonly number: number;
  readonly objectKey: string;
  readonly lines: number;
  readonly sizeBytes: number;
  readonly storedBytes: number;
}

const ADVANCE = sql(
  'advance_data_export',
  `with advanced as (
     update data_exports set parts = parts + 1, object_count = object_count + $4, size_bytes = size_bytes + $5,
       position = $7::json
     where id = $1 and attempt = $2 and status = 'RUNNING' and parts = $3
     returning id, size_bytes - $5 as start_byte)
   insert into data_export_parts (export_id, number, object_key, lines, start_byte, size_bytes, stored_bytes)
   select id, $3, $8, $4, start_byte, $5, $6 from advanced returning export_id`,
);

/**
 * Adds a part and the position behind it, both or neither. False when the export has ended or another worker has it.
 */
export async function addPart(
  db: Executor,
  id: string,
  attempt: number,
  part: StoredPart,
  position: ExportPosition,
): Promise<boolean> {
  const { number, objectKey, lines, sizeBytes, storedBytes } = part;
  const values = [id, attempt, number, lines, sizeBytes, storedBytes, JSON.stringify(position), objectKey];
  return (await db.first(ADVANCE, values)) !== null;
}

/** An export that ended, for its event. */
export interface EndedExport {
  /** Own channel of the account. */
  readonly channelId: string;
  readonly objectCount: number;
  readonly sizeBytes: number;
}

const ENDED = `returning (select primary_channel_id from accounts a where a.id = e.account_id) as "channelId",
  e.object_count as "objectCount", e.size_bytes as "sizeBytes"`;

const COMPLETE = sql(
  'complete_data_export',
  `update data_exports e set status = 'COMPLETE', finished_at = $3, expires_at = $4
   where id = $1 and attempt = $2 and status = 'RUNNING' ${ENDED}`,
);
const FAIL = sql(
  'fail_data_export',
  `with failed as (
     update data_exports e set status = 'ERROR', finished_at = $2, error_code = $3, error_message = $4,
       error_text = $5
     where id = $1 and status in ('QUEUED', 'RUNNING') ${ENDED}),
   parts as (delete from data_export_parts where export_id = $1 and exists (select from failed)),
   purged as (insert into object_purges (key_prefix, due_at)
     select 'exports/' || $1::text || '/', now() + after.days * interval '1 day'
     from failed, (values (0), (1)) after (days))
   select * from failed`,
);

/** Null when it has ended, or another worker has it. */
export function completeExport(
  tx: Executor,
  id: string,
  attempt: number,
  { now, expires }: { readonly now: string; readonly expires: string },
): Promise<EndedExport | null> {
  return tx.first<EndedExport>(COMPLETE, [id, attempt, now, expires]);
}

/** Null when it has ended. What was stored of it is deleted. */
export function failExport(
  tx: Executor,
  id: string,
  { code, text, now }: { readonly code: string; readonly text: Text; readonly now: string },
): Promise<EndedExport | null> {
  return tx.first<EndedExport>(FAIL, [id, now, code, ...storedError(text)]);
}

/** A part of a file that can be downloaded. */
export interface FilePart {
  readonly objectKey: string;
  readonly startByte: number;
  readonly sizeBytes: number;
  readonly storedBytes: number;
}

/** A complete export with its file. */
export interface ExportFile {
  readonly name: string;
  readonly finishedMs: number;
  readonly sizeBytes: number;
  readonly parts: readonly FilePart[];
}

const FILE = sql(
  'data_export_file',
  `select e.name, (extract(epoch from e.finished_at) * 1000)::float8 as "finishedMs", e.size_bytes as "sizeBytes",
     coalesce((select json_agg(json_build_object('objectKey', p.object_key, 'startByte', p.start_byte,
       'sizeBytes', p.size_bytes, 'storedBytes', p.stored_bytes) order by p.number)
       from data_export_parts p where p.export_id = e.id), '[]') as parts
   from data_exports e where e.id = $1 and e.status = 'COMPLETE' and e.expires_at > $2`,
);

/** The file of a complete export; null when there is none, or none any more. */
export function exportFile(db: Executor, id: string, now: string): Promise<ExportFile | null> {
  return db.first<ExportFile>(FILE, [id, now]);
}

const EXPIRE = sql(
  'expire_data_exports',
  `with due as (
     select id from data_exports where status = 'COMPLETE' and expires_at <= $1 order by expires_at limit $2
     for update skip locked),
   expired as (update data_exports e set status = 'EXPIRED' from due where e.id = due.id returning e.id),
   parts as (delete from data_export_parts p using expired where p.export_id = expired.id),
   purged as (insert into object_purges (key_prefix) select 'exports/' || id || '/' from expired)
   select id from expired`,
);
const FORGET = sql(
  'forget_data_exports',
  `delete from data_exports where id in (
     select id from data_exports where created_at < $1 and status not in ('QUEUED', 'RUNNING')
     order by created_at limit $2) returning id`,
);

/** Expires files that are due; returns how many. */
export async function expireExports(db: Executor, now: string, most: number): Promise<number> {
  return (await db.run(EXPIRE, [now, most])).length;
}

/** Deletes exports that were created before an instant and have ended; returns how many. */
export async function forgetExports(db: Executor, before: string, most: number): Promise<number> {
  return (await db.run(FORGET, [before, most])).length;
}
