import { AppError } from '../../../kernel/errors.ts';
import { type AccountId, newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { namesTaken } from '../accounts.store.ts';
import { randomBase62 } from '../keys/api-key.ts';
import { assertInvitationUsable, checkInvitationInput, type InvitationInput } from './invitation.policy.ts';
import { findInvitation, insertInvitation, markRevoked } from './invitations.store.ts';

const PREFIX = 'rgi_';
/** 24 characters of 62: 143 bits. */
const RANDOM_LENGTH = 24;

type Needs = Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>;

export interface CreatedInvitation {
  readonly id: string;
  /** Shown once: only its HMAC is stored. */
  readonly code: string;
  /** The sign-up page with the code. */
  readonly link: string;
  readonly expiresAtMs: number;
}

/**
 * Creates an invitation by an operator (null: the admin command). Throws INVALID_INPUT with the field, or
 * RESOURCE_ALREADY_EXISTS when the address it is for has an account.
 */
export async function createInvitation(
  platform: Needs,
  createdBy: AccountId | null,
  input: InvitationInput,
  prefix = '',
): Promise<CreatedInvitation> {
  const { db, clock, secrets, config } = platform;
  const nowMs = clock.now();
  const checked = checkInvitationInput(input, nowMs, prefix);
  if (checked.email !== null && (await namesTaken(db, checked.email, '')).email)
    throw new AppError('RESOURCE_ALREADY_EXISTS', t`There is an account with this e-mail address.`, {
      field: `${prefix}email`,
      suggestedFix: t`No invitation is needed; the owner of the account can sign in.`,
    });
  const id = newId(nowMs);
  const code = `${PREFIX}${randomBase62(RANDOM_LENGTH)}`;
  await insertInvitation(db, {
    ...checked,
    id,
    codeHash: secrets.mac('invitation', code),
    createdBy,
    createdAtMs: nowMs,
  });
  return { id, code, link: `${config.BASE_URL}/sign-up?invitation=${code}`, expiresAtMs: checked.expiresAtMs };
}

/** Revokes an invitation; idempotent. Throws RESOURCE_NOT_FOUND, or INVALID_INPUT when an account has used it. */
export async function revokeInvitation(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  id: string,
  field = 'id',
): Promise<void> {
  if (await markRevoked(db, id, new Date(clock.now()).toISOString())) return;
  if (!(await findInvitation(db, { id })))
    throw new AppError('RESOURCE_NOT_FOUND', t`There is no such invitation.`, { field });
  throw new AppError('INVALID_INPUT', t`An account was created with this invitation already.`, {
    field,
    suggestedFix: t`It cannot be used again; there is nothing to revoke.`,
  });
}

/**
 * Id of the invitation with this code. Throws INVALID_INPUT unless an account with this address can be created with it
 * now.
 */
export async function requireInvitation(
  { db, clock, secrets }: Pick<Platform, 'db' | 'clock' | 'secrets'>,
  code: string,
  email: string,
): Promise<string> {
  const invitation = await findInvitation(db, { codeHash: secrets.mac('invitation', code.trim()) });
  assertInvitationUsable(invitation, email, clock.now());
  return invitation.id;
}
