import { authRequest, sessionChanged } from '../../lib/session.ts';

export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  await authRequest('change-password', { currentPassword, newPassword });
}

/** A browser in which the account is signed in. */
export interface BrowserSession {
  readonly id: string;
  /** Identifies it to {@link endSession}. */
  readonly token: string;
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
  readonly createdAt: string;
  /** When it was last prolonged, at most a day ago for one in use. */
  readonly updatedAt: string;
  /** Whether it is this one. */
  readonly isCurrent: boolean;
}

/** The account's sessions, this one first, then by their last use. */
export async function browserSessions(): Promise<readonly BrowserSession[]> {
  const [sessions, current] = await Promise.all([
    authRequest<Omit<BrowserSession, 'isCurrent'>[]>('list-sessions'),
    authRequest<{ session: { id: string } } | null>('get-session'),
  ]);
  return sessions
    .map((session) => ({ ...session, isCurrent: session.id === current?.session.id }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.updatedAt.localeCompare(a.updatedAt));
}

export async function endSession(token: string): Promise<void> {
  await authRequest('revoke-session', { token });
}

export async function endOtherSessions(): Promise<void> {
  await authRequest('revoke-other-sessions', {});
}

/** Whether a link was sent to the new address; otherwise it has changed. */
export async function changeEmail(email: string, password: string): Promise<'link-sent' | 'changed'> {
  const { status } = await authRequest<{ status: string }>('change-email', { email, password });
  await sessionChanged();
  return status === 'CONFIRMATION_SENT' ? 'link-sent' : 'changed';
}

/** Sends a link that confirms the address of the account. */
export async function requestEmailConfirmation(): Promise<void> {
  await authRequest('request-email-confirmation', {});
}

/** What an authenticator application needs, and the recovery codes, which are not shown again. */
export interface FactorSetUp {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

/** Begins to set up two-factor authentication; a code of the authenticator completes it. */
export function setUpFactor(password: string): Promise<FactorSetUp> {
  return authRequest('two-factor/enable', { password });
}

export async function completeFactor(code: string): Promise<void> {
  await authRequest('two-factor/verify-totp', { code });
  await sessionChanged();
}

export async function turnOffFactor(password: string): Promise<void> {
  await authRequest('two-factor/disable', { password });
  await sessionChanged();
}

export async function newRecoveryCodes(password: string): Promise<readonly string[]> {
  const { backupCodes } = await authRequest<{ backupCodes: string[] }>('two-factor/generate-backup-codes', {
    password,
  });
  return backupCodes;
}

export interface Passkey {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: string;
}

/** The passkeys of the account. */
export function passkeys(): Promise<readonly Passkey[]> {
  return authRequest('passkey/list-user-passkeys');
}

export async function removePasskey(id: string): Promise<void> {
  await authRequest('passkey/delete-passkey', { id });
}

/** Signs out everywhere; the account is deleted at the instant that is returned, unless it signs in before. */
export async function deleteAccount(password: string): Promise<string> {
  const { deletesAt } = await authRequest<{ deletesAt: string }>('delete-account', { password });
  await sessionChanged(null);
  return deletesAt;
}
