import { AppError } from '../../../kernel/errors.ts';
import { type AccountId, newId } from '../../../kernel/ids.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { day, t } from '../../../kernel/languages/message.ts';
import { readInstance } from '../../../platform/instance/instance-settings.ts';
import type { Mail } from '../../../platform/mail/compose-mail.ts';
import { queueMail } from '../../../platform/mail/mail.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findableHash } from '../../../platform/secret-columns/findable-hash.ts';
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
  /** Whether the link is sent to the address that it is for. */
  readonly mailed: boolean;
}

/** The operator who invites, by whom the link is mailed; the admin command only prints it. */
interface Inviter extends Pick<Platform, 'jobs'> {
  readonly accountId: AccountId;
  readonly language: Language;
}

/**
 * Creates an invitation. Where mail reaches people, one for an address is sent to it. Throws INVALID_INPUT with the
 * field, or RESOURCE_ALREADY_EXISTS when the address it is for has an account.
 */
export async function createInvitation(
  platform: Needs,
  inviter: Inviter | null,
  input: InvitationInput,
  prefix = '',
): Promise<CreatedInvitation> {
  const { db, clock, secrets, config } = platform;
  const nowMs = clock.now();
  const checked = checkInvitationInput(input, nowMs, prefix);
  if (checked.email !== null && (await namesTaken(db, checked.email, '')).email)
    throw new AppError('RESOURCE_ALREADY_EXISTS', t`There is an account with this email address.`, {
      field: `${prefix}email`,
      suggestedFix: t`No invitation is needed; the owner of the account can sign in.`,
    });
  const id = newId(nowMs);
  const code = `${PREFIX}${randomBase62(RANDOM_LENGTH)}`;
  const { email, expiresAtMs } = checked;
  const query = new URLSearchParams({ invitation: code, ...(email === null ? {} : { email }) });
  const link = `${config.BASE_URL}/sign-up?${query}`;
  const mailed = inviter !== null && email !== null && config.MAIL === 'smtp';
  await db.transaction(async (tx) => {
    const codeHash = secrets.mac('invitation', code);
    await insertInvitation(tx, { ...checked, id, codeHash, createdBy: inviter?.accountId ?? null, createdAtMs: nowMs });
    if (!mailed) return;
    const mail = invitationMail(email, (await readInstance(platform)).name, link, expiresAtMs);
    await queueMail({ ...platform, jobs: inviter.jobs }, tx, { ...mail, language: inviter.language }, expiresAtMs);
  });
  return { id, code, link, expiresAtMs, mailed };
}

function invitationMail(to: string, server: string, url: string, expiresAtMs: number): Mail {
  return {
    to,
    subject: t`You are invited to ${server}`,
    paragraphs: [
      t`An operator of ${server} invites you to create an account.`,
      t`The link works once, until ${day(expiresAtMs)}, and only for this address.`,
      t`If you do not know who invites you, ignore this message: nothing changes.`,
    ],
    action: { label: t`Create an account`, url },
  };
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
  const codeHash = await findableHash(db, secrets, 'invitations', code.trim());
  const invitation = await findInvitation(db, { codeHash });
  assertInvitationUsable(invitation, email, clock.now());
  return invitation.id;
}
