import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { instantMs } from '../../../platform/db/types.ts';
import type { InvitationFacts } from './invitation.policy.ts';

/** Days for which an ended invitation is listed. */
const KEPT_DAYS = 90;

const INSERT = sql(
  'insert_invitation',
  'insert into invitations (id, code_hash, email, note, created_by, created_at, expires_at) values ($1, $2, $3, ' +
    '$4, $5, $6, $7)',
);
const FACTS =
  'id, email, expires_at as "expiresAt", used_at is not null as ' + '"isUsed", revoked_at is not null as "isRevoked"';
const BY_CODE = sql('invitation_by_code', `select ${FACTS} from invitations where code_hash = $1`);
const BY_ID = sql('invitation_by_id', `select ${FACTS} from invitations where id = $1`);
const REVOKE = sql(
  'revoke_invitation',
  `with found as (select id, revoked_at from invitations where id = $1 and used_at is null for update),
   revoked as (update invitations i set revoked_at = $2 from found f where i.id = f.id and f.revoked_at is null)
   select id from found`,
);
const FORGET = sql(
  'delete_old_invitations',
  `delete from invitations where expires_at < $1::timestamptz - make_interval(days => ${KEPT_DAYS})`,
);
const LIST = sql(
  'list_invitations',
  `select i.id, i.email, i.note, i.created_at as "createdAt", i.expires_at as "expiresAt"
   from invitations i where i.used_at is null and i.revoked_at is null and i.expires_at > $1 order by i.created_at desc,
     i.id desc limit 500`,
);

export interface NewInvitation {
  readonly id: string;
  readonly codeHash: Buffer;
  readonly email: string | null;
  readonly note: string;
  readonly createdBy: AccountId | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export async function insertInvitation(db: Executor, invitation: NewInvitation): Promise<void> {
  const { id, codeHash, email, note, createdBy, createdAtMs, expiresAtMs } = invitation;
  await db.run(INSERT, [
    id,
    codeHash,
    email,
    note,
    createdBy,
    new Date(createdAtMs).toISOString(),
    new Date(expiresAtMs).toISOString(),
  ]);
}

export async function findInvitation(
  db: Executor,
  by: { codeHash: Buffer } | { id: string },
): Promise<InvitationFacts | null> {
  const row = await ('id' in by
    ? db.first<Omit<InvitationFacts, 'expiresAtMs'> & { expiresAt: string }>(BY_ID, [by.id])
    : db.first<Omit<InvitationFacts, 'expiresAtMs'> & { expiresAt: string }>(BY_CODE, [by.codeHash]));
  if (!row) return null;
  const { expiresAt, ...facts } = row;
  return { ...facts, expiresAtMs: instantMs(expiresAt) };
}

/** False when there is none that could be revoked: an account has used it, or it does not exist. */
export async function markRevoked(db: Executor, id: string, nowIso: string): Promise<boolean> {
  return (await db.first(REVOKE, [id, nowIso])) !== null;
}

/** Deletes invitations that ended long ago. */
export async function forgetInvitations(db: Executor, nowIso: string): Promise<void> {
  await db.run(FORGET, [nowIso]);
}

export interface OpenInvitation {
  readonly id: string;
  readonly email: string | null;
  readonly note: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The newest 500 that can be used. */
export async function listOpenInvitations(db: Executor, nowIso: string): Promise<OpenInvitation[]> {
  return db.run<OpenInvitation>(LIST, [nowIso]);
}
