import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import type { SignUpMode } from '../../../platform/config/config.ts';
import { checkEmail } from '../account-input.policy.ts';

export const INVITATION_DAYS = 7;
export const MAX_INVITATION_DAYS = 90;
export const MAX_NOTE = 200;
const DAY_MS = 86_400_000;
const CONTROL = /\p{Cc}/u;

/** Input of an operator for a new invitation. */
export interface InvitationInput {
  readonly email?: Maybe<string>;
  readonly note?: Maybe<string>;
  /** When it ends; 7 days from now when absent. */
  readonly expiresAt?: Maybe<string>;
}

/** The facts about an invitation when someone signs up with it. */
export interface InvitationFacts {
  readonly id: string;
  readonly email: string | null;
  readonly expiresAtMs: number;
  readonly isUsed: boolean;
  readonly isRevoked: boolean;
}

/**
 * The checked input. Throws INVALID_INPUT with the field; `prefix` is the path of the input in the caller's arguments.
 */
export function checkInvitationInput(
  input: InvitationInput,
  nowMs: number,
  prefix: string,
): { email: string | null; note: string; expiresAtMs: number } {
  const email = input.email === undefined || input.email === null ? null : checkEmail(input.email, `${prefix}email`);
  const note = (input.note ?? '').trim();
  if (note.length > MAX_NOTE || CONTROL.test(note))
    throw invalid(
      `${prefix}note`,
      t`A note has at most ${MAX_NOTE} characters and no control characters.`,
      t`Shorten it.`,
    );
  const expiresAtMs =
    input.expiresAt === undefined || input.expiresAt === null
      ? nowMs + INVITATION_DAYS * DAY_MS
      : Date.parse(input.expiresAt);
  if (!(expiresAtMs > nowMs && expiresAtMs <= nowMs + MAX_INVITATION_DAYS * DAY_MS))
    throw invalid(
      `${prefix}expiresAt`,
      t`An invitation must expire in the future, at most ${MAX_INVITATION_DAYS} days ahead.`,
      t`Leave it out for ${INVITATION_DAYS} days, or name an instant like 2026-12-31T23:59:59Z.`,
    );
  return { email, note, expiresAtMs };
}

/** Throws UNAUTHORIZED when sign-up is closed, or when it requires an invitation and `code` is missing. */
export function assertMaySignUp(mode: SignUpMode, code: string | null): void {
  if (mode === 'closed')
    throw new AppError('UNAUTHORIZED', t`Sign-up is closed on this server.`, {
      suggestedFix: t`Ask an operator of this server to create an account for you.`,
    });
  if (mode === 'invite' && code === null)
    throw new AppError('UNAUTHORIZED', t`Sign-up on this server is by invitation only.`, {
      field: 'invitation',
      suggestedFix: t`Ask an operator of this server for an invitation, and open the link you get or enter its code.`,
    });
}

/** Throws INVALID_INPUT, saying why, unless the invitation can be used for an account with this address now. */
export function assertInvitationUsable(
  invitation: InvitationFacts | null,
  email: string,
  nowMs: number,
): asserts invitation {
  const again = t`Ask an operator of this server for a new invitation.`;
  if (!invitation)
    throw invalid(
      'invitation',
      t`There is no such invitation.`,
      t`Copy the code in full, or open the link you were given.`,
    );
  if (invitation.isUsed) throw invalid('invitation', t`This invitation was used already.`, again);
  if (invitation.isRevoked) throw invalid('invitation', t`This invitation was revoked.`, again);
  if (invitation.expiresAtMs <= nowMs) throw invalid('invitation', t`This invitation has expired.`, again);
  if (invitation.email !== null && invitation.email.toLowerCase() !== email.toLowerCase())
    throw invalid(
      'email',
      t`This invitation is for another email address.`,
      t`Sign up with the address it was sent to.`,
    );
}

function invalid(field: string, message: Text, suggestedFix: Text): AppError {
  return new AppError('INVALID_INPUT', message, { field, suggestedFix });
}
