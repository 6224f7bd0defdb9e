import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { checkPassword } from '../account-input.policy.ts';
import type { Attempt, Attempts } from '../attempts/attempts.ts';
import type { Body } from '../auth-requests.ts';
import { assertPasswordStrong } from '../passwords/password-strength.ts';
import { tellPasswordChanged } from '../recovery/reset-password-by-mail.ts';
import { sessionAccount } from './session-account.ts';

interface Needs {
  readonly platform: Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'jobs'>;
  readonly attempts: Attempts;
}

/**
 * The request to the library for a password change, the attempt at the current password that it counts as, and the
 * message about it. Throws
 * AppError for invalid input, INVALID_INPUT for a weak new password, RATE_LIMIT_EXCEEDED after too many attempts.
 */
export async function preparePasswordChange(
  body: Body,
  { platform, attempts }: Needs,
  sessionToken: string | null,
): Promise<{ body: Body; attempt?: Attempt; afterwards?: () => Promise<void> }> {
  const { currentPassword } = body;
  if (typeof currentPassword !== 'string' || currentPassword === '') {
    throw new AppError('FIELD_REQUIRED', t`currentPassword is missing.`, { field: 'currentPassword' });
  }
  const newPassword = checkPassword(body.newPassword, 'newPassword');
  const prepared = { body: { currentPassword, newPassword, revokeOtherSessions: true } };
  const account = await sessionAccount(platform, sessionToken);
  if (!account) return prepared; // the library reports the missing sign-in
  const attempt = await attempts.passwordChange(account.id);
  try {
    await assertPasswordStrong(newPassword, account, 'newPassword');
  } catch (error) {
    await attempt.withdrawn();
    throw error;
  }
  return { ...prepared, attempt, afterwards: () => tellPasswordChanged(platform, account) };
}
