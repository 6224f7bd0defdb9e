import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** Rows that one statement hides, shows or deletes. */
const AT_ONCE = 1_000;

const CLOSE = sql(
  'close_account',
  `with closed as (
     update accounts set closed_at = $2, deletes_at = $3, concealed_at = null, revealing_from = null, updated_at = $2
     where id = $1 and closed_at is null
       and (not is_operator or exists (select 1 from accounts o where o.is_operator and o.id <> $1))
     returning id
   ),
   hidden as (update channels h set is_hidden = true from closed c where h.account_id = c.id and not h.is_test),
   ended as (delete from sessions s using closed c where s.account_id = c.id)
   select id from closed`,
);
const REOPEN = sql(
  'reopen_account',
  `with reopened as (
     update accounts set revealing_from = closed_at, closed_at = null, deletes_at = null, concealed_at = null,
       updated_at = $2
     where id = $1 and deletes_at > $2 returning id
   ),
   shown as (update channels h set is_hidden = false from reopened r where h.account_id = r.id)
   select id from reopened`,
);
const CONCEAL = sql('conceal_account_batch', 'select conceal_account_batch($1, $2) as more');
const REVEAL = sql('reveal_account_batch', 'select reveal_account_batch($1, $2) as more');
const DELETE = sql('delete_account_batch', 'select delete_account_batch($1, $2) as more');

/**
 * Closes the account until it is deleted: ends its sessions and hides its channels. False for the only operator of the
 * server, and for an account that is closed already.
 */
export async function markClosed(tx: Executor, id: AccountId, nowIso: string, deletesAt: string): Promise<boolean> {
  return (await tx.first(CLOSE, [id, nowIso, deletesAt])) !== null;
}

/** Undoes it; false for an account that is not closed, or is being deleted. */
export async function markReopened(tx: Executor, id: AccountId, nowIso: string): Promise<boolean> {
  return (await tx.first(REOPEN, [id, nowIso])) !== null;
}

/** Hides a batch of what a closed account published: the given one or the first. Returns whether there may be more. */
export function concealBatch(db: Executor, id: AccountId | null): Promise<boolean> {
  return batch(db, CONCEAL, id);
}

/** Shows a batch of it again. */
export function revealBatch(db: Executor, id: AccountId | null): Promise<boolean> {
  return batch(db, REVEAL, id);
}

/** Deletes a batch of what an account wrote that is due, in the end itself. Returns whether there may be more. */
export function deleteDueBatch(db: Executor, nowIso: string): Promise<boolean> {
  return batch(db, DELETE, nowIso);
}

async function batch(db: Executor, statement: typeof CONCEAL, first: string | null): Promise<boolean> {
  return (await db.first<{ more: boolean }>(statement, [first, AT_ONCE]))?.more ?? false;
}
