import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import { isSignedWith } from './library-secrets.ts';

const NAME = 'reelgraph';
const TOKEN_SHAPE = /^[A-Za-z0-9]{32}$/;
const DEVICE_SHAPE = /^[\w-]{43}$/;
/** Days for which a browser is known after its last sign-in; browsers keep no cookie for longer. */
export const DEVICE_DAYS = 400;

/**
 * What the names of our cookies begin with: with https the prefix __Host-, so that browsers take such a cookie over
 * https from this very host only, and no other host of the domain can plant one (RFC 6265bis section 4.1.3.2).
 */
export function cookiePrefix(baseUrl: string): string {
  return isSecure(baseUrl) ? `__Host-${NAME}` : NAME;
}

/** Attributes of our cookies; __Host- requires Secure, the path / and no domain. */
export function cookieAttributes(baseUrl: string): { httpOnly: true; sameSite: 'lax'; secure: boolean; path: '/' } {
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(baseUrl), path: '/' };
}

/** Name of the session cookie. */
export function sessionCookieName(baseUrl: string): string {
  return `${cookiePrefix(baseUrl)}.session_token`;
}

/** Set-Cookie value that clears the session cookie, with the attributes it was set with. */
export function forgottenSessionCookie(baseUrl: string): string {
  return (
    `${sessionCookieName(baseUrl)}=; Max-Age=0; Path=/; HttpOnly; ` +
    `SameSite=Lax${isSecure(baseUrl) ? '; Secure' : ''}`
  );
}

/**
 * Reads session tokens from requests. The cookie is `<token>.<signature>`, URL-encoded; the signature (HMAC-SHA256,
 * base64) is checked in constant time before anything asks the database. Null when there is no genuine cookie.
 */
export function sessionTokenReader(
  secrets: Secrets,
  baseUrl: string,
): (request: Pick<IncomingMessage, 'headers'>) => string | null {
  const name = sessionCookieName(baseUrl);
  const accepted = secrets.accepted.map((key) => key.derive('session'));
  return (request) => {
    const value = cookieValue(request.headers.cookie, name);
    if (value === null) return null;
    const dot = value.indexOf('.');
    const token = value.slice(0, dot);
    if (!TOKEN_SHAPE.test(token)) return null;
    return accepted.some((secret) => isSignedWith(secret, token, value.slice(dot + 1))) ? token : null;
  };
}

/** The session token in the cookie that a response of the sign-in library sets. Throws without one. */
export function sessionTokenOf(response: Response, baseUrl: string): string {
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const value = cookieValue(cookies.join('; '), sessionCookieName(baseUrl));
  const token = value?.split('.')[0] ?? '';
  if (!TOKEN_SHAPE.test(token)) throw new Error('The sign-in library has set no session cookie.');
  return token;
}

/** Name of the cookie with a random value by which accounts know a browser. */
function deviceCookieName(baseUrl: string): string {
  return `${cookiePrefix(baseUrl)}.device`;
}

/** The random value of the browser that sends this Cookie header; a new one where it has none. */
export function deviceOf(cookies: string | undefined, baseUrl: string): string {
  const value = cookieValue(cookies, deviceCookieName(baseUrl));
  return value !== null && DEVICE_SHAPE.test(value) ? value : randomBytes(32).toString('base64url');
}

/** Set-Cookie value that lets a browser keep its random value. */
export function deviceCookie(device: string, baseUrl: string): string {
  return (
    `${deviceCookieName(baseUrl)}=${device}; Max-Age=${DEVICE_DAYS * 86_400}; Path=/; HttpOnly; ` +
    `SameSite=Lax${isSecure(baseUrl) ? '; Secure' : ''}`
  );
}

/** Name of the cookie with a sign-in at a provider that has begun. */
export function oidcCookieName(baseUrl: string): string {
  return `${cookiePrefix(baseUrl)}.oidc`;
}

/** Set-Cookie value of that cookie; 0 seconds remove it. */
export function oidcCookie(value: string, seconds: number, baseUrl: string): string {
  return (
    `${oidcCookieName(baseUrl)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; ` +
    `SameSite=Lax${isSecure(baseUrl) ? '; Secure' : ''}`
  );
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}

/** The decoded value of the first cookie of this name (RFC 6265 section 5.4), or null. */
export function cookieValue(header: string | undefined, name: string): string | null {
  if (header === undefined) return null;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(equals + 1).trim());
    } catch {
      return null;
    }
  }
  return null;
}
