import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { ARCHIVE_PARTS, type ArchivePart } from './archive-parts.sql.ts';

const ROWS_AT_ONCE = 1_000;

const OPEN = sql(
  'open_account_archive',
  `select id from account_archives where account_id = $1 and status in ('QUEUED', 'RUNNING')`,
);
const RECENT = sql(
  'recent_account_archives',
  `select count(*)::int as count from account_archives
   where account_id = $1 and created_at > $2::timestamptz - interval '1 day'`,
);
const INSERT = sql(
  'insert_account_archive',
  'insert into account_archives (id, account_id, created_at) values ($1, $2, $3)',
);
const LOCK = sql('lock_account_of_archive', 'select id from accounts where id = $1 for no key update');

/** Locks the account until the transaction ends; returns its archive that is being written, and how many it began. */
export async function lockArchives(
  tx: Executor,
  accountId: string,
  nowIso: string,
): Promise<{ readonly open: string | null; readonly today: number }> {
  await tx.first(LOCK, [accountId]);
  const open = await tx.first<{ id: string }>(OPEN, [accountId]);
  const recent = await tx.first<{ count: number }>(RECENT, [accountId, nowIso]);
  return { open: open?.id ?? null, today: recent?.count ?? 0 };
}

export async function insertArchive(tx: Executor, id: string, accountId: string, nowIso: string): Promise<void> {
  await tx.run(INSERT, [id, accountId, nowIso]);
}

const CLAIM = sql(
  'claim_account_archive',
  `update account_archives set status = 'RUNNING', attempt = attempt + 1
   where id = $1 and status in ('QUEUED', 'RUNNING') returning account_id as "accountId", attempt`,
);

/** Takes an archive; earlier workers cannot complete it any more. Null when it has ended. */
export function claimArchive(db: Executor, id: string): Promise<{ accountId: string; attempt: number } | null> {
  return db.first(CLAIM, [id]);
}

const COMPLETE = sql(
  'complete_account_archive',
  `with done as (
     update account_archives set status = 'COMPLETE', object_key = $3, size_bytes = $4, finished_at = $5,
       expires_at = $6
     where id = $1 and attempt = $2 and status = 'RUNNING' returning account_id),
   replaced as (
     update account_archives a set expires_at = $5 from done
     where a.account_id = done.account_id and a.id <> $1 and a.status = 'COMPLETE' and a.expires_at > $5)
   select a.email::text as email, a.username::text as username from accounts a join done on done.account_id = a.id`,
);

export interface CompletedArchive {
  readonly id: string;
  readonly attempt: number;
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly nowIso: string;
  readonly expiresAt: string;
}

/** Ends an archive, which replaces earlier ones; returns whom to tell, or null when another worker has it. */
export function completeArchive(
  tx: Executor,
  { id, attempt, objectKey, sizeBytes, nowIso, expiresAt }: CompletedArchive,
): Promise<{ email: string; username: string } | null> {
  return tx.first(COMPLETE, [id, attempt, objectKey, sizeBytes, nowIso, expiresAt]);
}

const FAIL = sql(
  'fail_account_archive',
  `with failed as (update account_archives set status = 'FAILED', finished_at = $2
     where id = $1 and status in ('QUEUED', 'RUNNING') returning id)
   insert into object_purges (key_prefix) select 'exports/' || id || '/' from failed`,
);

/** Ends an archive without a file. */
export async function failArchive(db: Executor, id: string, nowIso: string): Promise<void> {
  await db.run(FAIL, [id, nowIso]);
}

const FILE = sql(
  'account_archive_file',
  `select object_key as "objectKey", created_at as "createdAt" from account_archives
   where id = $1 and account_id = $2 and status = 'COMPLETE' and expires_at > $3`,
);

/** The file of an archive of the account; null when there is none, or none any more. */
export function archiveFile(
  db: Executor,
  id: string,
  accountId: string,
  nowIso: string,
): Promise<{ objectKey: string; createdAt: string } | null> {
  return db.first(FILE, [id, accountId, nowIso]);
}

const ORIGINAL = sql(
  'original_of_account',
  `select v.filename from video_assets v join channels h on h.id = v.channel_id
   where v.id = $1 and h.account_id = $2 and v.original_deleted_at is null`,
);

/** The name of the original file of a video of the account; null when there is none. */
export async function originalOf(db: Executor, videoAssetId: string, accountId: string): Promise<string | null> {
  return (await db.first<{ filename: string }>(ORIGINAL, [videoAssetId, accountId]))?.filename ?? null;
}

const EXPIRE = sql(
  'expire_account_archives',
  `with expired as (
     update account_archives set status = 'EXPIRED', object_key = null
     where id = any(array(select id from account_archives where status = 'COMPLETE' and expires_at <= $1
       order by expires_at limit 100 for update skip locked))
     returning id)
   insert into object_purges (key_prefix) select 'exports/' || id || '/' from expired`,
);
const FORGET = sql(
  'forget_account_archives',
  `delete from account_archives where id = any(array(select id from account_archives
     where created_at < $1::timestamptz - interval '30 days' and status not in ('QUEUED', 'RUNNING')
     order by created_at limit 100))`,
);

/** Deletes files that are due, and forgets archives after a month. */
export async function expireArchives(db: Executor, nowIso: string): Promise<void> {
  await db.run(EXPIRE, [nowIso]);
  await db.run(FORGET, [nowIso]);
}

const STATEMENTS = new Map(
  ARCHIVE_PARTS.map((part) => [part, sql(`archive_${part.name.replaceAll(/\W/g, '_')}`, pageOf(part))]),
);

/** A query of rows as JSON: all of an object, and of a list those after the id $3. $2: the address of originals. */
function pageOf({ shape, query }: ArchivePart): string {
  const all = `select row_to_json(q)::text as row`;
  if (shape === 'object') return `${all}, null as id from (${query}) q where $2::text is not null and $3::uuid is null`;
  return `${all}, q.id from (${query}) q where $2::text is not null and ($3::uuid is null or q.id > $3::uuid)
    order by q.id limit ${ROWS_AT_ONCE}`;
}

/** The rows of a part as JSON, read a page at a time. */
export async function* archiveRows(
  db: Executor,
  part: ArchivePart,
  accountId: string,
  originals: string,
): AsyncGenerator<string> {
  const statement = STATEMENTS.get(part);
  if (!statement) throw new Error(`${part.name} is no part`);
  for (let last: string | null = null; ; ) {
    const page: { row: string; id: string | null }[] = await db.run(statement, [accountId, originals, last]);
    for (const { row } of page) yield row;
    last = page.at(-1)?.id ?? null;
    if (page.length < ROWS_AT_ONCE || last === null) return;
  }
}
