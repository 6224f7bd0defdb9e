import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** The account of an identity, or the one with its address. */
export interface KnownAccount {
  readonly id: AccountId;
  readonly username: string;
  readonly isEmailConfirmed: boolean;
  readonly hasSecondFactor: boolean;
}

const COLUMNS = 'a.id, a.username, a.email_verified as "isEmailConfirmed", a.two_factor_enabled as "hasSecondFactor"';
const BY_IDENTITY = sql(
  'account_by_oidc_identity',
  `select ${COLUMNS} from credentials c join accounts a on a.id = c.account_id
   where c.provider_id = $1 and c.provider_account_id = $2`,
);
const BY_EMAIL = sql('account_by_oidc_email', `select ${COLUMNS} from accounts a where a.email = $1::citext`);
const LINK = sql(
  'link_oidc_identity',
  `insert into credentials (id, account_id, provider_id, provider_account_id, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $5)`,
);
const LIST = sql(
  'oidc_identities_of_account',
  `select id, provider_id as issuer, created_at as "createdAt" from credentials
   where account_id = $1 and provider_id <> 'credential' order by created_at, id`,
);
const UNLINK = sql(
  'unlink_oidc_identity',
  `delete from credentials where account_id = $1 and id = $2 and provider_id <> 'credential'
   returning provider_id as issuer, provider_account_id as subject`,
);

export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

export function findByIdentity(db: Executor, { issuer, subject }: IdentityKey): Promise<KnownAccount | null> {
  return db.first<KnownAccount>(BY_IDENTITY, [issuer, subject]);
}

export function findByEmail(db: Executor, email: string): Promise<KnownAccount | null> {
  return db.first<KnownAccount>(BY_EMAIL, [email]);
}

/** Fails with a unique violation when the identity has an account. */
export async function linkIdentity(
  db: Executor,
  id: string,
  accountId: AccountId,
  { issuer, subject }: IdentityKey,
  nowIso: string,
): Promise<void> {
  await db.run(LINK, [id, accountId, issuer, subject, nowIso]);
}

export interface LinkedIdentity {
  readonly id: string;
  readonly issuer: string;
  readonly createdAt: string;
}

/** The identities with which an account signs in, the oldest first. */
export function listIdentities(db: Executor, accountId: AccountId): Promise<LinkedIdentity[]> {
  return db.run<LinkedIdentity>(LIST, [accountId]);
}

/** Null when the account has no such identity. */
export function unlinkIdentity(db: Executor, accountId: AccountId, id: string): Promise<IdentityKey | null> {
  return db.first<IdentityKey>(UNLINK, [accountId, id]);
}
