import { AppError } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Executor } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findableHash } from '../../../platform/secret-columns/findable-hash.ts';
import type { AccountRecord } from '../accounts.store.ts';
import { randomBase62 } from '../keys/api-key.ts';
import { noteOperatorAction } from '../operator-actions/operator-actions.store.ts';
import { assertMayBeOperator } from './operator.policy.ts';
import {
  deleteOperatorCodes,
  hasOperator,
  insertOperatorCode,
  isCodeValid,
  setOperator,
  takeOperatorCode,
} from './operators.store.ts';

const PREFIX = 'rgo_';
/** 24 characters of 62: 143 bits. */
const RANDOM_LENGTH = 24;
const VALID_MS = 86_400_000;

type Needs = Pick<Platform, 'db' | 'clock' | 'secrets'>;

/** Whether the server has no operator yet. */
export async function needsOperator({ db }: Pick<Platform, 'db'>): Promise<boolean> {
  return !(await hasOperator(db));
}

/** A new one-time code, valid for a day; it replaces an earlier one. Only its HMAC is stored. */
export async function makeOperatorCode({ db, clock, secrets }: Needs): Promise<string> {
  const code = `${PREFIX}${randomBase62(RANDOM_LENGTH)}`;
  const expiresAt = new Date(clock.now() + VALID_MS).toISOString();
  await db.transaction(async (tx) => {
    await deleteOperatorCodes(tx);
    await insertOperatorCode(tx, secrets.mac('operator-code', code), expiresAt);
  });
  return code;
}

/** Whether `code` can still be claimed. */
export async function isOperatorCodeValid({ db, clock, secrets }: Needs, code: string): Promise<boolean> {
  return isCodeValid(db, await findableHash(db, secrets, 'operatorCodes', code), new Date(clock.now()).toISOString());
}

/**
 * Makes the account an operator and consumes the code, in one transaction. Throws UNAUTHORIZED for the demo account,
 * INVALID_INPUT for a code that is unknown, used, replaced or expired; and changes nothing then.
 */
export async function claimOperator(
  { db, clock, secrets }: Needs,
  account: AccountRecord,
  code: string,
): Promise<void> {
  assertMayBeOperator(account);
  const nowMs = clock.now();
  const now = new Date(nowMs).toISOString();
  await db.transaction(async (tx) => {
    const codeHash = await findableHash(tx, secrets, 'operatorCodes', code.trim());
    if (!(await takeOperatorCode(tx, codeHash, now))) throw unusableCode();
    await setOperator(tx, account.id, true, now);
    await noteOperatorAction(tx, {
      ...{ operatorId: account.id, kind: 'OPERATOR_CLAIMED', to: { accountId: account.id }, details: '', nowMs },
    });
  });
}

/**
 * Makes an account an operator on behalf of the admin command, in the caller's transaction; an open code is
 * invalidated. Throws UNAUTHORIZED for the demo account.
 */
export async function grantOperator(
  tx: Executor,
  { email }: { readonly email: string },
  accountId: AccountId,
  nowMs: number,
): Promise<void> {
  assertMayBeOperator({ email });
  await setOperator(tx, accountId, true, new Date(nowMs).toISOString());
  await deleteOperatorCodes(tx);
}

/** Removes the role. */
export async function revokeOperator(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  accountId: AccountId,
): Promise<void> {
  await setOperator(db, accountId, false, new Date(clock.now()).toISOString());
}

function unusableCode(): AppError {
  return new AppError(
    'INVALID_INPUT',
    t`This code is not valid: it is mistyped, already used, replaced by a newer one, or expired.`,
    {
      field: 'input.code',
      suggestedFix: t`Use the code of the latest start, or run on the server: npm run admin -- grant-operator
        --username NAME`,
    },
  );
}
