import { readInstance } from '../../../platform/instance/instance-settings.ts';
import type { Platform } from '../../../platform/platform.ts';
import { checkAccountInput } from '../account-input.policy.ts';
import type { Attempts } from '../attempts/attempts.ts';
import type { Body } from '../auth-requests.ts';
import { assertMaySignUp } from '../operators/invitation.policy.ts';
import { requireInvitation } from '../operators/invitations.ts';
import { assertPasswordStrong } from '../passwords/password-strength.ts';
import { assertNamesFree } from './assert-names-free.ts';

export interface SignUpNeeds {
  readonly platform: Pick<Platform, 'db' | 'clock' | 'secrets' | 'config' | 'jobs' | 'log'>;
  readonly attempts: Attempts;
}

/** A valid sign-up. */
export interface SignUpRequest {
  readonly email: string;
  readonly username: string;
  readonly name: string;
  readonly password: string;
  readonly invitationId?: string;
}

/**
 * The checked sign-up. Throws AppError when sign-up is closed or requires an invitation, for invalid input and for a
 * name that is taken; RATE_LIMIT_EXCEEDED because the response reveals whether a name is taken. Whether an address has
 * an account is revealed only where no link is sent to it.
 */
export async function prepareSignUp(
  body: Body,
  { platform, attempts }: SignUpNeeds,
  clientAddress: string,
): Promise<SignUpRequest> {
  const code = typeof body.invitation === 'string' && body.invitation.trim() !== '' ? body.invitation : null;
  assertMaySignUp((await readInstance(platform)).signUp, code);
  const input = checkAccountInput({
    email: body.email,
    username: body.username,
    password: body.password,
    name: body.name,
  });
  await attempts.signUp(clientAddress);
  const invitationId = code === null ? null : await requireInvitation(platform, code, input.email);
  await assertPasswordStrong(input.password, input);
  await assertNamesFree(platform.db, platform.config.MAIL === 'smtp' ? '' : input.email, input.username);
  return { ...input, ...(invitationId === null ? {} : { invitationId }) };
}

/** Throws the reason why a sign-up that was valid a moment ago was refused: a concurrent one was faster. */
export async function assertStillFree(
  sent: Body,
  received: Body,
  { platform }: Pick<SignUpNeeds, 'platform'>,
): Promise<void> {
  const [email, username] = [String(sent.email), String(sent.username)];
  if (typeof received.invitation === 'string' && sent.invitationId)
    await requireInvitation(platform, received.invitation, email);
  await assertNamesFree(platform.db, email, username);
}
