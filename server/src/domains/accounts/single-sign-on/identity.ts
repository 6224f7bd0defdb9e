import type { OidcProviderSettings } from '../../../platform/config/oidc-settings.ts';

/** Claims of an ID token and of the userinfo endpoint (OpenID Connect Core 1.0 section 5.1). */
export type Claims = Readonly<Record<string, unknown>>;

/** A person as a provider describes them. */
export interface Identity {
  readonly issuer: string;
  /** Names the person at the issuer. */
  readonly subject: string;
  /** Null where the provider states none. */
  readonly email: string | null;
  /** Whether the provider has verified the address, or the operator trusts all of its addresses. */
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  /** From what a username can be made, the best first. */
  readonly nicknames: readonly string[];
  readonly groups: readonly string[];
}

const MAX_SUBJECT = 255;
const MAX_GROUPS = 1_000;

/** The person behind the claims, of which the later ones replace the earlier ones. */
export function identityOf(
  { GROUPS_CLAIM, TRUST_EMAIL }: OidcProviderSettings,
  issuer: string,
  subject: string,
  claims: Claims,
): Identity {
  if (subject === '' || subject.length > MAX_SUBJECT) throw new Error('the subject has not 1 to 255 characters');
  const email = textOf(claims.email)?.toLowerCase() ?? null;
  const nicknames = [claims.preferred_username, claims.nickname, email, claims.name].flatMap(
    (value) => textOf(value)?.split('@')[0] ?? [],
  );
  return {
    issuer,
    subject,
    email,
    isEmailVerified: email !== null && (claims.email_verified === true || TRUST_EMAIL === 'on'),
    name: textOf(claims.name),
    nicknames,
    groups: groupsIn(claims, GROUPS_CLAIM) ?? [],
  };
}

/** The groups in the claim, which dots lead to; null without such a claim. Values that are no texts are left out. */
export function groupsIn(claims: Claims, claim: string): readonly string[] | null {
  const value = claims[claim] ?? claim.split('.').reduce<unknown>(member, claims);
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return null;
  return value.filter((group) => typeof group === 'string').slice(0, MAX_GROUPS);
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Claims)[name]; // an object with this member
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
