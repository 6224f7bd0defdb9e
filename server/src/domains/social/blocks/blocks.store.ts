import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** SQL: whether an account is blocked in a channel; false for anonymous viewers. */
export function isBlocked(accountId: string, channelId: string): string {
  return `exists (select 1 from channel_blocks b where b.channel_id = ${channelId} and b.account_id = ${accountId})`;
}

/** An account that is to be blocked in a channel. */
export interface Candidate {
  readonly accountId: string;
  /** Whether it is a member of the channel. */
  readonly member: boolean;
}

const CANDIDATE = sql(
  'block_candidate',
  `select a.id as "accountId", exists (select 1 from channel_members m where m.channel_id = $1
    and m.account_id = a.id) as member
   from accounts a where a.username = $2::citext`,
);

/** The account with this name (case-insensitive); null when there is none. */
export function findCandidate(db: Executor, channelId: string, username: string): Promise<Candidate | null> {
  return db.first<Candidate>(CANDIDATE, [channelId, username]);
}

const BLOCK = sql(
  'block_account',
  'insert into channel_blocks (id, channel_id, account_id, created_at) values ($1, $2, $3, $4) ' +
    'on conflict (channel_id, account_id) do nothing',
);
const REJECT_COMMENTS = sql(
  'block_reject_comments',
  `with changed as (
     update comments c set status = 'REJECTED', held_for = null, pin = 0, hearted = false,
       placeholder = exists (select 1 from comments r where r.parent_id = c.id)
     where c.id in (select id from comments where account_id = $2 and channel_id = $1 and status <> 'REJECTED'
       and deleted_at is null order by id for update)
     returning *),
   recorded as (
     insert into events (type, channel_id, subject_id, payload)
     select 'comment.updated', channel_id, id, jsonb_build_object('contentId', content_id, 'status', status)
       from changed)
   select count(*) as n from changed`,
);
const UNBLOCK = sql('unblock_account', 'delete from channel_blocks where channel_id = $1 and account_id = $2');

/** Blocks an account in a channel; idempotent. */
export async function blockAccount(
  tx: Transaction,
  block: { id: string; channelId: string; accountId: string; now: string },
): Promise<void> {
  await tx.run(BLOCK, [block.id, block.channelId, block.accountId, block.now]);
}

/** Rejects all comments of an account in a channel, with their events; returns how many. */
export async function rejectCommentsOf(tx: Transaction, channelId: string, accountId: string): Promise<number> {
  return (await tx.first<{ n: number }>(REJECT_COMMENTS, [channelId, accountId]))?.n ?? 0;
}

/** Removes a block, if there is one. */
export async function unblockAccount(db: Executor, channelId: string, accountId: string): Promise<void> {
  await db.run(UNBLOCK, [channelId, accountId]);
}
