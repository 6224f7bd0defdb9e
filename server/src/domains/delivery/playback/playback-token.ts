import { createPublicKey } from 'node:crypto';
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { isAllowedSite } from './allowed-sites.ts';
import { type PublicKey, SIGNING_ALGORITHMS } from './signing-key.ts';

/** The `aud` of playback tokens. */
export const PLAYBACK_AUDIENCE = 'playback';
/** How far ahead a token may expire when it is used. */
export const MAX_TOKEN_SECONDS = 24 * 3_600;
/** How much the clock of a site may be ahead. */
const CLOCK_SKEW_SECONDS = 30;
const MAX_TOKEN_CHARACTERS = 4_096;
const FIELD = 'token';

/** What a token must be for. */
export interface TokenUse {
  readonly nowMs: number;
  /** The host of the page that plays, with its port if it is not the default; null if it is not known. */
  readonly site: string | null;
  /** Whether the `sub` of the token is the requested content. */
  readonly isSubject: (subject: string) => boolean;
}

/**
 * The `kid` of a token, before anything is verified.
 * @throws AppError FIELD_REQUIRED without a token; UNAUTHENTICATED unless it is a JWT with a `kid`.
 */
export function keyIdOf(token: string | null): string {
  if (!token) {
    throw new AppError('FIELD_REQUIRED', t`Playback needs a token.`, {
      field: FIELD,
      suggestedFix: t`Add ?token= and a playback token that your site signed.`,
    });
  }
  if (token.length > MAX_TOKEN_CHARACTERS)
    throw invalid(t`A playback token has at most ${MAX_TOKEN_CHARACTERS} characters.`);
  try {
    const { kid } = decodeProtectedHeader(token);
    if (typeof kid === 'string') return kid;
  } catch {
    throw invalid(t`The playback token is not a JWT.`);
  }
  throw invalid(t`The header of the playback token has no "kid".`);
}

/**
 * Verifies a token with the key that its `kid` names (RFC 7519 section 7.2), and that it allows this use. Returns its
 * expiry in Unix seconds.
 * @throws AppError UNAUTHENTICATED for an invalid token, TOKEN_EXPIRED, UNAUTHORIZED for another content or site.
 */
export async function verifyPlaybackToken(token: string, key: PublicKey, use: TokenUse): Promise<number> {
  const claims = await verifiedClaims(token, key, use.nowMs);
  const { exp = 0, sub = '', ref } = claims;
  const nowSeconds = use.nowMs / 1_000;
  if (exp <= nowSeconds) throw expired();
  if (exp > nowSeconds + MAX_TOKEN_SECONDS) throw invalid(t`The playback token expires more than 24 hours from now.`);
  if (!use.isSubject(sub)) {
    throw new AppError('UNAUTHORIZED', t`This playback token is for another content.`, {
      field: FIELD,
      suggestedFix: t`Set "sub" to the id of the content (did:…) that the address names.`,
    });
  }
  if (ref !== undefined && !isAllowedSite(sitesOf(ref), use.site)) {
    throw new AppError('UNAUTHORIZED', t`This playback token does not allow playback on this site.`, {
      field: FIELD,
      suggestedFix: t`Play on one of the hosts in "ref", on a page that sends its origin (no Referrer-Policy:
        no-referrer).`,
    });
  }
  return exp;
}

async function verifiedClaims(token: string, { algorithm, publicKey }: PublicKey, nowMs: number): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, createPublicKey(publicKey), {
      algorithms: [SIGNING_ALGORITHMS[algorithm]],
      audience: PLAYBACK_AUDIENCE,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(nowMs),
      clockTolerance: CLOCK_SKEW_SECONDS,
    });
    return payload;
  } catch (error) {
    throw error instanceof errors.JOSEError ? refusalOf(error, SIGNING_ALGORITHMS[algorithm]) : error;
  }
}

function refusalOf(error: errors.JOSEError, algorithm: string): AppError {
  if (error instanceof errors.JWTExpired) return expired();
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return invalid(t`The signature of the playback token is not valid.`);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return invalid(t`The "alg" of the playback token is not ${algorithm}, the algorithm of its key.`);
  if (error instanceof errors.JWTClaimValidationFailed) {
    const early = error.claim === 'nbf' && error.reason === 'check_failed';
    return invalid(
      early ? t`The playback token is not valid yet ("nbf").` : t`The claim "${error.claim}" is missing or not valid.`,
    );
  }
  return invalid(t`The playback token is malformed.`);
}

function sitesOf(ref: unknown): readonly string[] {
  const sites = typeof ref === 'string' ? [ref] : ref;
  if (Array.isArray(sites) && sites.every((site) => typeof site === 'string')) return sites;
  throw invalid(t`The claim "ref" is not a list of hosts.`);
}

function expired(): AppError {
  return new AppError('TOKEN_EXPIRED', t`This playback token has expired.`, {
    field: FIELD,
    suggestedFix: t`Load the page again, so that the site issues a new token.`,
  });
}

function invalid(message: Text): AppError {
  return new AppError('UNAUTHENTICATED', message, {
    field: FIELD,
    suggestedFix: t`Sign a JWT with "kid" in its header, "sub" (id of the content), "aud": "${PLAYBACK_AUDIENCE}" and
      "exp" (within 24 hours); see /docs/guides/playback-tokens.`,
  });
}

/** The error for a key that was deleted or never existed. */
export function unknownKey(): AppError {
  return invalid(t`The key that signed the playback token does not exist, or was deleted.`);
}
