import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { cookieValue, oidcCookie, oidcCookieName } from '../sessions/session-cookie.ts';
import type { AuthorizationRequest } from './provider.ts';

type Needs = Pick<Platform, 'config' | 'clock' | 'secrets'>;

/** Time for the sign-in at the provider. */
const REQUEST_SECONDS = 900;

const Stored = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  endsAtMs: z.number(),
  invitation: z.string().nullable(),
  next: z.string().nullable(),
  /** The account to which the identity is linked; null for a sign-in. */
  linkTo: z.string().nullable(),
});

/** A sign-in that has begun; the browser keeps it in a cookie that only this server can read. */
export type OidcRequest = z.infer<typeof Stored>;

/** A new request with its Set-Cookie value; it replaces the one that the browser has. */
export function newOidcRequest(
  { config, clock, secrets }: Needs,
  given: Pick<OidcRequest, 'provider' | 'invitation' | 'next' | 'linkTo'>,
): { readonly request: AuthorizationRequest; readonly cookie: string } {
  const random = () => randomBytes(32).toString('base64url');
  const request = { state: random(), nonce: random(), verifier: random() };
  const stored: OidcRequest = { ...given, ...request, endsAtMs: clock.now() + REQUEST_SECONDS * 1_000 };
  const sealed = secrets.seal('oidc-request', JSON.stringify(stored)).toString('base64url');
  return { request, cookie: oidcCookie(sealed, REQUEST_SECONDS, config.BASE_URL) };
}

/**
 * The request of this browser that a response belongs to. Throws INVALID_INPUT when there is none: it has expired,
 * another one has begun since, or the response came from another browser.
 */
export function requireOidcRequest(
  { config, clock, secrets }: Needs,
  cookies: string | undefined,
  provider: string,
  state: string | null,
): OidcRequest {
  const request = openRequest(secrets, cookieValue(cookies, oidcCookieName(config.BASE_URL)));
  if (request && request.endsAtMs > clock.now() && request.provider === provider && request.state === state)
    return request;
  throw new AppError('INVALID_INPUT', t`This sign-in has expired, or began in another browser.`, {
    suggestedFix: t`Sign in again.`,
  });
}

function openRequest(secrets: Needs['secrets'], sealed: string | null): OidcRequest | null {
  if (sealed === null) return null;
  try {
    return Stored.parse(JSON.parse(secrets.open('oidc-request', Buffer.from(sealed, 'base64url'))));
  } catch {
    return null;
  }
}
