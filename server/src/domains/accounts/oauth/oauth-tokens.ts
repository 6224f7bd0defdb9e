import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findableHash } from '../../../platform/secret-columns/findable-hash.ts';
import { randomBase62 } from '../keys/api-key.ts';

/** Prefixes of access tokens and refresh tokens, for secret scanners and people who find one. */
export const ACCESS_TOKEN_PREFIX = 'rgo_';
export const REFRESH_TOKEN_PREFIX = 'rgr_';
/** Consent page of the web application; it asks for sign-in first. */
export const CONNECT_PAGE = '/connect';
const LENGTH = 40;
const SHAPE = new RegExp(`^${ACCESS_TOKEN_PREFIX}([0-9A-Za-z]{${LENGTH}})$`);

/** The protected resource of tokens (RFC 8707): the MCP entry point. No other resource can be requested. */
export function oauthResource(baseUrl: string): string {
  return `${baseUrl}/mcp`;
}

/** Who issues tokens (RFC 8414 section 2). */
export function oauthIssuer(baseUrl: string): string {
  return `${new URL(baseUrl).origin}/api/auth`;
}

/** A new token without its prefix: 238 random bits. */
export function makeOauthToken(): string {
  return randomBase62(LENGTH);
}

/**
 * The stored form of a token or code, by which it is looked up. The resource is part of it, so that a token issued for
 * another address of this platform is invalid here, whatever the database contains.
 */
export function oauthTokenHash(secrets: Secrets, baseUrl: string, token: string): string {
  return secrets.mac('oauth-token', accessTokenText(baseUrl, token)).toString('base64url');
}

/** What is signed for a token, given without its prefix. */
export function accessTokenText(baseUrl: string, token: string): string {
  return `${oauthResource(baseUrl)} ${token}`;
}

/**
 * The stored form by which the library finds the row of a token or code: while SECRET_KEY changes, it may be that of
 * another accepted key.
 */
export async function findableOauthHash(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  baseUrl: string,
  token: string,
): Promise<string> {
  const current = oauthTokenHash(secrets, baseUrl, token);
  for (const name of ['accessTokens', 'refreshTokens', 'authorizationCodes'] as const) {
    const found = (await findableHash(db, secrets, name, accessTokenText(baseUrl, token))).toString('base64url');
    if (found !== current) return found;
  }
  return current;
}

export interface AccessTokenCredential {
  readonly kind: 'oauth';
  readonly tokenHash: string;
}

/** Credential of an access token. Throws UNAUTHENTICATED, without the database, for malformed tokens. */
export function accessTokenCredential(secrets: Secrets, baseUrl: string, text: string): AccessTokenCredential {
  const token = SHAPE.exec(text)?.[1];
  if (token === undefined) {
    throw new AppError(
      'UNAUTHENTICATED',
      t`This is not an access token of this platform: it is incomplete or mistyped.`,
      {
        suggestedFix: t`Send the whole access token, from "${ACCESS_TOKEN_PREFIX}" on; refresh tokens are not accepted
          here.`,
      },
    );
  }
  return { kind: 'oauth', tokenHash: oauthTokenHash(secrets, baseUrl, token) };
}
