import type { KeyUse } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const RECORD = sql(
  'record_key_uses',
  `insert into api_key_audit_log (account_id, id, at, via, agent, operation, subject, outcome, token)
   select "accountId", id, to_timestamp("atMs" / 1000.0), via, agent, operation, subject, outcome, token
   from json_to_recordset($1::json) as use("accountId" uuid, id uuid, "atMs" float8, via text, agent text,
     operation text, subject text, outcome text, token text)
   on conflict do nothing`,
);

/** An entry of the audit log. */
export interface KeyAction extends KeyUse {
  readonly id: string;
}

/** Writes entries, all or none; safe to retry. */
export async function recordKeyUses(db: Executor, uses: readonly KeyAction[]): Promise<void> {
  await db.run(RECORD, [JSON.stringify(uses)]);
}

const FORGET = sql(
  'delete_old_audit_log_entries',
  `with old as (select account_id, id from api_key_audit_log where at < $1 limit 5000)
   delete from api_key_audit_log k using old where (k.account_id, k.id) = (old.account_id, old.id) returning 1`,
);

/** Deletes some of the entries from before `before`; returns how many. */
export async function forgetKeyActions(db: Executor, before: string): Promise<number> {
  return (await db.run(FORGET, [before])).length;
}
