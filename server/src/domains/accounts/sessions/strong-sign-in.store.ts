import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const FACTS = sql(
  'strong_sign_in_of_account',
  `select two_factor_enabled as "twoFactor",
     (select count(*)::int from passkeys p where p.account_id = a.id) as passkeys
   from accounts a where id = $1`,
);
const REMOVE_FACTOR = sql('remove_two_factor', 'delete from two_factors where account_id = $1');
const TURN_OFF = sql(
  'turn_off_two_factor',
  'update accounts set two_factor_enabled = false where id = $1 and two_factor_enabled returning id',
);
const REMOVE_PASSKEYS = sql('remove_passkeys', 'delete from passkeys where account_id = $1 returning id');

/** How an account signs in besides its password. */
export interface StrongSignIn {
  readonly twoFactor: boolean;
  readonly passkeys: number;
}

export async function findStrongSignIn(db: Executor, accountId: AccountId): Promise<StrongSignIn> {
  return (await db.first<StrongSignIn>(FACTS, [accountId])) ?? { twoFactor: false, passkeys: 0 };
}

/** Removes second factor and passkeys, so that the password is enough; what was removed. */
export async function removeStrongSignIn(tx: Executor, accountId: AccountId): Promise<StrongSignIn> {
  await tx.run(REMOVE_FACTOR, [accountId]);
  const twoFactor = (await tx.first(TURN_OFF, [accountId])) !== null;
  return { twoFactor, passkeys: (await tx.run(REMOVE_PASSKEYS, [accountId])).length };
}
