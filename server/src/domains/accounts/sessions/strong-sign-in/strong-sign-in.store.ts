import type { AccountId } from '../../../../kernel/ids.ts';
import type { Executor } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/statement.ts';

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

const SECRET = sql('totp_secret_of_account', 'select secret from two_factors where account_id = $1');

/** The encrypted secret of an account's authenticator application; null without one. */
export function totpSecretOf(db: Executor, accountId: string): Promise<{ secret: string } | null> {
  return db.first(SECRET, [accountId]);
}

const CLAIM = sql(
  'claim_totp_step',
  `update two_factors f set last_used_step = $2
   from (select id, last_used_step from two_factors where account_id = $1 for update) was
   where f.id = was.id and (was.last_used_step is null or was.last_used_step < $2)
   returning was.last_used_step::float8 as previous`,
);

/** Notes that the code of a step is used; null when it, or a later one, was used before. */
export function claimStep(db: Executor, accountId: string, step: number): Promise<{ previous: number | null } | null> {
  return db.first(CLAIM, [accountId, step]);
}

const GIVE_BACK = sql(
  'give_back_totp_step',
  'update two_factors set last_used_step = $3 where account_id = $1 and last_used_step = $2',
);

/** Undoes a claim, unless a later step was used since. */
export async function giveBackStep(
  db: Executor,
  {
    accountId,
    step,
    previous,
  }: { readonly accountId: string; readonly step: number; readonly previous: number | null },
): Promise<void> {
  await db.run(GIVE_BACK, [accountId, step, previous]);
}

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
