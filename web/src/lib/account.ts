import { authRequest, sessionChanged } from './session.ts';

/** Signing in, up and out, and what the pages for it need. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Whether the account is signed in now, must enter a code first (see {@link enterCode}), or is going to be deleted (see
 * {@link restoreAccount}).
 */
export async function signIn(credentials: Credentials): Promise<'signed-in' | 'code-needed' | 'closed'> {
  const answer = await authRequest<{ twoFactorRedirect?: boolean; accountClosed?: boolean }>('sign-in/email', {
    ...credentials,
    rememberMe: true,
  });
  if (answer.twoFactorRedirect) return 'code-needed';
  if (answer.accountClosed) return 'closed';
  await sessionChanged();
  return 'signed-in';
}

/** Keeps an account that was going to be deleted; it signs in afterwards. */
export async function restoreAccount({ email, password }: Credentials): Promise<void> {
  await authRequest('restore-account', { email, password });
}

/** Completes a sign-in with a code of the authenticator or a recovery code. */
export async function enterCode(code: string, { isRecovery, trust }: { isRecovery: boolean; trust: boolean }) {
  await authRequest(`two-factor/${isRecovery ? 'verify-backup-code' : 'verify-totp'}`, { code, trustDevice: trust });
  await sessionChanged();
}

/** Who can create an account, as the server states in its pages. */
export function signUpMode(): 'open' | 'invite' | 'closed' {
  const stated = document.querySelector<HTMLMetaElement>('meta[name="sign-up"]')?.content;
  return stated === 'invite' || stated === 'closed' ? stated : 'open';
}

/** Whether the account is signed in now, or is created by the link in a message. */
export async function signUp(account: {
  email: string;
  password: string;
  username: string;
  invitation: string;
}): Promise<'signed-in' | 'link-sent'> {
  const answer = await authRequest<{ status?: string }>('sign-up/email', { ...account, name: account.username });
  if (answer.status === 'CONFIRMATION_SENT') return 'link-sent';
  await sessionChanged();
  return 'signed-in';
}

/** Creates the account of a link, under another username where its own was taken meanwhile. */
export async function confirmSignUp(token: string, username: string | undefined): Promise<void> {
  await authRequest('confirm-sign-up', { token, username });
  await sessionChanged();
}

export async function confirmEmail(token: string): Promise<void> {
  await authRequest('confirm-email', { token });
  await sessionChanged();
}

/** Whether messages of the server reach their recipients, as the server states in its pages. */
export function sendsMail(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="mail"]')?.content === 'smtp';
}

export async function requestPasswordReset(email: string): Promise<void> {
  await authRequest('request-password-reset', { email });
}

/** The account must sign in again afterwards. */
export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await authRequest('reset-password', { token, newPassword });
  await sessionChanged(null);
}

export async function signOut(): Promise<void> {
  await authRequest('sign-out', {});
  await sessionChanged(null);
}
