import { AppError, type AppErrorOptions, type ErrorCode } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { limitHeaders, type ServiceLimit } from '../../../kernel/service-limits.ts';
import { suspended } from '../suspension/suspension.ts';

type Failure = readonly [ErrorCode, Text, AppErrorOptions?];

const WRONG_CREDENTIALS: Failure = [
  'UNAUTHENTICATED',
  t`The email address or the password is wrong.`,
  { suggestedFix: t`Check both; passwords are case-sensitive.` },
];
const CODE_FIX = { field: 'code', suggestedFix: t`Enter the current code of your authenticator application.` };

/** The library's error codes and their counterparts in our catalogue. */
const FAILURES: Readonly<Record<string, Failure>> = {
  INVALID_EMAIL_OR_PASSWORD: WRONG_CREDENTIALS,
  INVALID_PASSWORD: [
    'INVALID_INPUT',
    t`The current password is wrong.`,
    { field: 'currentPassword', suggestedFix: t`Type the password you signed in with.` },
  ],
  INVALID_CODE: ['INVALID_INPUT', t`The code is wrong.`, CODE_FIX],
  CODE_ALREADY_USED: [
    'INVALID_INPUT',
    t`This code was used already.`,
    { field: 'code', suggestedFix: t`Wait for the next code of your authenticator application.` },
  ],
  INVALID_BACKUP_CODE: [
    'INVALID_INPUT',
    t`This is not one of your recovery codes, or it was used already.`,
    { field: 'code', suggestedFix: t`Enter another recovery code.` },
  ],
  INVALID_TWO_FACTOR_COOKIE: [
    'UNAUTHENTICATED',
    t`This sign-in has expired.`,
    { suggestedFix: t`Enter your password again.` },
  ],
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: [
    'UNAUTHENTICATED',
    t`Too many wrong codes: this sign-in has ended.`,
    { suggestedFix: t`Enter your password again.` },
  ],
  ACCOUNT_TEMPORARILY_LOCKED: [
    'RATE_LIMIT_EXCEEDED',
    t`Too many wrong codes.`,
    { suggestedFix: t`Wait 15 minutes, then try again.`, retryAfterSeconds: 900 },
  ],
  TOTP_ALREADY_ENABLED: [
    'INVALID_INPUT',
    t`Two-factor authentication is on already.`,
    { suggestedFix: t`Turn it off first to set up another authenticator.` },
  ],
  TOTP_NOT_ENABLED: [
    'INVALID_INPUT',
    t`Two-factor authentication is not set up.`,
    { suggestedFix: t`Set it up first.` },
  ],
  TWO_FACTOR_NOT_ENABLED: [
    'INVALID_INPUT',
    t`Two-factor authentication is off.`,
    { suggestedFix: t`Turn it on to get recovery codes.` },
  ],
  CHALLENGE_NOT_FOUND: [
    'INVALID_INPUT',
    t`This request has expired, or its answer came from another browser.`,
    { suggestedFix: t`Try again; an answer is accepted for five minutes.` },
  ],
  FAILED_TO_VERIFY_REGISTRATION: ['INVALID_INPUT', t`The passkey was not accepted.`, { suggestedFix: t`Try again.` }],
  PASSKEY_NOT_FOUND: [
    'INVALID_INPUT',
    t`There is no such passkey on this server.`,
    { suggestedFix: t`Sign in with your password, or use another passkey.` },
  ],
  AUTHENTICATION_FAILED: [
    'UNAUTHENTICATED',
    t`The passkey was not accepted.`,
    { suggestedFix: t`Try again, or sign in with your password.` },
  ],
  PERSON_NOT_VERIFIED: [
    'INVALID_INPUT',
    t`The passkey did not check who you are.`,
    { suggestedFix: t`Use one with a screen lock, a fingerprint or a PIN.` },
  ],
  INVALID_EMAIL: [
    'INVALID_INPUT',
    t`This is not an email address.`,
    { field: 'email', suggestedFix: t`Write it like name@example.com.` },
  ],
  USER_ALREADY_EXISTS: ['RESOURCE_ALREADY_EXISTS', t`There is an account with this email address.`, { field: 'email' }],
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: [
    'RESOURCE_ALREADY_EXISTS',
    t`There is an account with this email address.`,
    { field: 'email' },
  ],
  INVALID_ORIGIN: [
    'UNAUTHORIZED',
    t`Requests with cookies are accepted from our own pages only.`,
    { suggestedFix: t`Open the page at the address of this server (BASE_URL).` },
  ],
  MISSING_OR_NULL_ORIGIN: [
    'UNAUTHORIZED',
    t`A request with cookies must say where it comes from.`,
    { suggestedFix: t`Send the Origin header, as browsers do.` },
  ],
  invalid_signature: [
    'TOKEN_EXPIRED',
    t`This connection request has expired, or its address was changed.`,
    { suggestedFix: t`Start again from the application.` },
  ],
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: [
    'UNAUTHORIZED',
    t`Signing in from another site is not accepted.`,
    { suggestedFix: t`Sign in on the page of this server.` },
  ],
};

/**
 * Maps the library's error response to our catalogue; its own failures are INTERNAL_SERVER_ERROR. A wrong password
 * tells how many attempts are left. `contact`: of the operator, for suspended accounts.
 */
export async function authFailure(
  response: Response,
  { left, contact }: { readonly left?: ServiceLimit | undefined; readonly contact: string | undefined },
): Promise<AppError> {
  const body: unknown = await response.json().catch(() => null);
  const code = isRecord(body) ? String(body.code ?? body.error ?? '') : '';
  // The rule of sessions gives the reason as the message (sign-in-library.ts).
  if (code === 'ACCOUNT_SUSPENDED' && isRecord(body)) return suspended(String(body.message), contact);
  const known = FAILURES[code];
  if (known) {
    const [name, message, options] = known;
    const counted = left && (code === 'INVALID_EMAIL_OR_PASSWORD' || code === 'INVALID_PASSWORD');
    return new AppError(name, message, { ...options, ...(counted ? { headers: { ...limitHeaders([left]) } } : {}) });
  }
  if (response.status === 429) {
    const seconds = Number(response.headers.get('x-retry-after') ?? '60');
    const retryAfterSeconds = Number.isFinite(seconds) ? seconds : 60;
    return new AppError('RATE_LIMIT_EXCEEDED', t`Too many attempts.`, {
      suggestedFix: t`Wait ${retryAfterSeconds} seconds, then try again.`,
      retryAfterSeconds,
    });
  }
  if (response.status === 401)
    return new AppError('UNAUTHENTICATED', t`You are not signed in.`, { suggestedFix: t`Sign in first.` });
  if (response.status === 403)
    return new AppError('UNAUTHORIZED', t`The request was refused.`, {
      suggestedFix: t`Sign in again on the page of this server.`,
    });
  // The library keeps the reason to itself: a row that could not be stored.
  if (STORING.test(code))
    return new AppError('SERVICE_UNAVAILABLE', t`This could not be stored at the moment.`, {
      suggestedFix: t`Try again in a minute; if it persists, the operator finds the reason in the log.`,
      retryAfterSeconds: 30,
      cause: new Error(`Sign-in responded with ${response.status} ${code}`),
    });
  if (response.status >= 500)
    return new AppError('INTERNAL_SERVER_ERROR', undefined, {
      cause: new Error(`Sign-in responded with ${response.status} ${code}`),
    });
  const message = isRecord(body) && typeof body.message === 'string' ? body.message : t`The request is not accepted.`;
  return new AppError('INVALID_INPUT', message, { suggestedFix: t`Compare the request with the documentation.` });
}

const STORING = /^FAILED_TO_(?:CREATE|UPDATE)_/;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Whether the library refused a session because the account is closed, and can be reopened. */
export async function saysClosed(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return isRecord(body) && body.code === 'ACCOUNT_CLOSED';
}

/** The error for a wrong address or password, which does not say which of them. */
export function wrongCredentials(): AppError {
  return new AppError(...WRONG_CREDENTIALS);
}
