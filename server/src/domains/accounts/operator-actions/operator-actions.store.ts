import { newId } from '../../../kernel/ids.ts';
import type { Text } from '../../../kernel/languages/message.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { storedError } from '../../../platform/db/stored-text.ts';
import type { OperatorActionKind } from './operator-action-kinds.ts';

/** Days for which an action of an operator is kept. */
const KEPT_DAYS = 730;
const MAX_DETAILS = 500;

const NOTE = sql(
  'insert_operator_action',
  `insert into operator_actions (id, at, operator_id, operator_name, action, account_id, subject, details, details_text)
   select $1, $2, o.id, o.username, $4, $5, coalesce($6, (select username::text from accounts where id = $5)), $7, $8
   from accounts o where o.id = $3`,
);
const FORGET = sql(
  'delete_old_operator_actions',
  `delete from operator_actions where at < $1::timestamptz - make_interval(days => ${KEPT_DAYS})`,
);

/** What an operator did. */
export interface OperatorAction {
  readonly operatorId: string;
  readonly kind: OperatorActionKind;
  /** What it was done to: an account, whose name is noted, or something with this name. */
  readonly to: { readonly accountId: string } | { readonly name: string };
  /** What somebody wrote, or a message. */
  readonly details: Text;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** Notes in the audit log what an operator does, in the transaction that does it. */
export async function noteOperatorAction(tx: Executor, action: OperatorAction): Promise<void> {
  const { operatorId, kind, to, details, nowMs } = action;
  const [accountId, name] = 'accountId' in to ? [to.accountId, null] : [null, to.name.slice(0, 200)];
  const nowIso = new Date(nowMs).toISOString();
  const [english, message] = storedError(details);
  await tx.run(NOTE, [
    ...[newId(nowMs), nowIso, operatorId, kind, accountId, name],
    ...[english.slice(0, MAX_DETAILS), message],
  ]);
}

export async function forgetActions(db: Executor, nowIso: string): Promise<void> {
  await db.run(FORGET, [nowIso]);
}
