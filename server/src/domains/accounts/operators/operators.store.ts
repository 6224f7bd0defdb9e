import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const SET_OPERATOR = sql('set_operator', 'update accounts set is_operator = $2, updated_at = $3 where id = $1');
const ANY_OPERATOR = sql('any_operator', 'select exists (select from accounts where is_operator) as found');
const DELETE_CODES = sql('delete_operator_codes', 'delete from operator_codes');
const INSERT_CODE = sql('insert_operator_code', 'insert into operator_codes (code_hash, expires_at) values ($1, $2)');
const VALID_CODE = sql(
  'valid_operator_code',
  'select exists (select from operator_codes where code_hash = $1 and expires_at > $2) as found',
);
const TAKE_CODE = sql(
  'use_operator_code',
  'delete from operator_codes where code_hash = $1 and expires_at > $2 returning code_hash',
);

/** Grants or removes the operator role. */
export async function setOperator(
  tx: Executor,
  accountId: AccountId,
  isOperator: boolean,
  nowIso: string,
): Promise<void> {
  await tx.run(SET_OPERATOR, [accountId, isOperator, nowIso]);
}

/** Whether this server has an operator. */
export async function hasOperator(db: Executor): Promise<boolean> {
  return (await db.first<{ found: boolean }>(ANY_OPERATOR, []))?.found === true;
}

export async function deleteOperatorCodes(tx: Executor): Promise<void> {
  await tx.run(DELETE_CODES, []);
}

export async function insertOperatorCode(tx: Executor, codeHash: Buffer, expiresAtIso: string): Promise<void> {
  await tx.run(INSERT_CODE, [codeHash, expiresAtIso]);
}

/** Whether the code can be claimed. */
export async function isCodeValid(db: Executor, codeHash: Buffer, nowIso: string): Promise<boolean> {
  return (await db.first<{ found: boolean }>(VALID_CODE, [codeHash, nowIso]))?.found === true;
}

/** Consumes the code; false when there is no such code, or it has expired. */
export async function takeOperatorCode(tx: Executor, codeHash: Buffer, nowIso: string): Promise<boolean> {
  return (await tx.first(TAKE_CODE, [codeHash, nowIso])) !== null;
}
