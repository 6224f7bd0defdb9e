import type { JWTPayload } from 'jose';
import type { Platform } from '../../../platform/platform.ts';
import { endSessionsOf, useLogoutToken } from './oidc-sessions.store.ts';
import type { Provider } from './provider.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Older tokens are refused, and jti values are kept for as long. */
const MAX_AGE_MS = 300_000;
const CLOCK_TOLERANCE_MS = 30_000;
const MAX_LENGTH = 255;

/** A logout token that is not accepted; the message is for the provider. */
export class InvalidLogoutToken extends Error {}

/** The checked claims of a logout token. */
export interface LogoutRequest {
  readonly tokenId: string;
  readonly endsAtMs: number;
  readonly subject: string | null;
  readonly providerSession: string | null;
}

/**
 * Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0 section 2.6).
 * @returns The number of accounts that were signed out.
 * @throws InvalidLogoutToken; AppError when the token is not signed by the provider for this client, or its keys cannot
 *   be read. No session ends then.
 */
export async function logOutByBackChannel(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  provider: Provider,
  token: string,
): Promise<number> {
  const claims = await provider.verify(token);
  const nowMs = clock.now();
  const request = logoutRequestOf(claims, nowMs);
  return db.transaction(async (tx) => {
    const isNew = await useLogoutToken(tx, provider.issuer, request.tokenId, new Date(request.endsAtMs).toISOString());
    if (!isNew) throw new InvalidLogoutToken('the token was used before');
    return (await endSessionsOf(tx, provider.issuer, request)).length;
  });
}

/** The claims of a token whose signature, issuer and audience are right. Throws InvalidLogoutToken. Pure. */
export function logoutRequestOf(claims: JWTPayload, nowMs: number): LogoutRequest {
  const { iat, jti, sub, sid, nonce, events } = claims;
  if (nonce !== undefined) throw new InvalidLogoutToken('nonce is not allowed');
  if (!isObject(events) || !isObject(events[EVENT])) throw new InvalidLogoutToken('events does not name a logout');
  const tokenId = textOf(jti);
  if (tokenId === null) throw new InvalidLogoutToken('jti is missing');
  if (typeof iat !== 'number') throw new InvalidLogoutToken('iat is missing');
  const ageMs = nowMs - iat * 1_000;
  if (ageMs > MAX_AGE_MS || ageMs < -CLOCK_TOLERANCE_MS) throw new InvalidLogoutToken('iat is not of now');
  const [subject, providerSession] = [textOf(sub), textOf(sid)];
  if (subject === null && providerSession === null) throw new InvalidLogoutToken('sub and sid are missing');
  return { tokenId, endsAtMs: iat * 1_000 + MAX_AGE_MS + CLOCK_TOLERANCE_MS, subject, providerSession };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH ? value : null;
}
