import { type JWTPayload, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import type { OidcProviderSettings } from '../../../platform/config/oidc-settings.ts';
import { type Discovered, openDiscovery, type ProviderNeeds } from './discovery.ts';
import { type Claims, groupsIn, type Identity, identityOf } from './identity.ts';
import { exchangeError, isRefusal } from './provider-errors.ts';

/** Signatures with the secret of the client (HS256) are not accepted. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 30;
/** Access tokens that end sooner are replaced. */
const MARGIN_MS = 10_000;

/** What a sign-in leaves at the provider; encrypted where it is stored. */
export interface ProviderTokens {
  readonly accessToken: string;
  readonly accessEndsAtMs: number | null;
  readonly refreshToken: string | null;
}

/** The values of one sign-in that its response must match. */
export interface AuthorizationRequest {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

export interface ProviderSignIn {
  readonly identity: Identity;
  readonly tokens: ProviderTokens;
  /** The claim sid of the session at the provider. */
  readonly providerSession: string | null;
}

/**
 * What asking again found. `refused`: the provider does not accept the refresh token any more, because the session
 * there has ended. `unknown`: it gave no refresh token, and the access token has ended.
 */
export type CheckedGroups =
  | { readonly kind: 'groups'; readonly groups: readonly string[]; readonly tokens: ProviderTokens }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown' };

/** One OpenID Connect provider. Methods throw AppError: SERVICE_UNAVAILABLE, or UNAUTHENTICATED for a bad response. */
export interface Provider {
  readonly settings: OidcProviderSettings;
  /** As it is stored with identities. */
  readonly issuer: string;
  /** Reads the discovery document again. */
  discover(): Promise<void>;
  /** The address to which the browser goes. */
  authorizeUrl(request: AuthorizationRequest): Promise<string>;
  /** Completes a sign-in; `response` is the query with which the browser came back. */
  complete(request: AuthorizationRequest, response: URLSearchParams): Promise<ProviderSignIn>;
  /** The groups that a person has now. */
  groups(tokens: ProviderTokens, subject: string): Promise<CheckedGroups>;
  /** The claims of a token with a valid signature, issuer and audience. */
  verify(token: string): Promise<JWTPayload>;
}

/** Nothing is requested before the first use. */
export function openProvider(
  settings: OidcProviderSettings,
  { redirectUri, ...needs }: ProviderNeeds & { readonly redirectUri: string },
): Provider {
  const key = new URL(settings.ISSUER).href;
  const { clock } = needs;
  const discovery = openDiscovery(settings, needs);
  /** After a failure the document is read again: the provider may have moved. */
  const using = async <T>(act: (found: Discovered) => Promise<T>): Promise<T> => {
    const found = await discovery.get();
    try {
      return await act(found);
    } catch (error) {
      discovery.forget();
      throw exchangeError(settings.LABEL, error);
    }
  };
  const verified = async (token: string, { issuer, keys: get }: Discovered) => {
    const { payload } = await jwtVerify(token, get, {
      issuer,
      audience: settings.CLIENT_ID,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    return payload;
  };
  const userInfo = async ({ configuration }: Discovered, accessToken: string, subject: string): Promise<Claims> =>
    configuration.serverMetadata().userinfo_endpoint === undefined
      ? {}
      : oidc.fetchUserInfo(configuration, accessToken, subject);
  /** Null where the access token has ended, or the provider states groups elsewhere. */
  const groupsByUserInfo = async (found: Discovered, tokens: ProviderTokens, subject: string) => {
    const { accessToken, accessEndsAtMs } = tokens;
    if (accessEndsAtMs !== null && accessEndsAtMs <= clock.now() + MARGIN_MS) return null;
    const info = await orRefused(userInfo(found, accessToken, subject));
    return info && groupsIn(info, settings.GROUPS_CLAIM);
  };

  return {
    settings,
    issuer: key,
    async discover() {
      discovery.forget();
      await discovery.get();
    },
    authorizeUrl: ({ state, nonce, verifier }) =>
      using(async ({ configuration }) => {
        const challenge = await oidc.calculatePKCECodeChallenge(verifier);
        return oidc.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: settings.SCOPES,
          state,
          nonce,
          code_challenge: challenge,
          code_challenge_method: 'S256',
        }).href;
      }),
    complete: ({ state, nonce, verifier }, response) =>
      using(async (found) => {
        const granted = await oidc.authorizationCodeGrant(found.configuration, new URL(`${redirectUri}?${response}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = await verified(granted.id_token ?? '', found);
        const subject = claims.sub ?? '';
        const info = await userInfo(found, granted.access_token, subject);
        return {
          identity: identityOf(settings, key, subject, { ...claims, ...info }),
          tokens: tokensOf(granted, null, clock.now()),
          providerSession: typeof claims.sid === 'string' ? claims.sid : null,
        };
      }),
    groups: (tokens, subject) =>
      using(async (found) => {
        const stated = await groupsByUserInfo(found, tokens, subject);
        if (stated !== null) return { kind: 'groups', groups: stated, tokens };
        if (tokens.refreshToken === null) return { kind: 'unknown' };
        const granted = await orRefused(oidc.refreshTokenGrant(found.configuration, tokens.refreshToken));
        if (granted === null) return { kind: 'refused' };
        // Some providers state groups in ID tokens only.
        const claims = granted.id_token === undefined ? { sub: subject } : await verified(granted.id_token, found);
        if (claims.sub !== subject) throw new Error('the new ID token is about another person');
        const info = await userInfo(found, granted.access_token, subject);
        const groups = groupsIn({ ...claims, ...info }, settings.GROUPS_CLAIM) ?? [];
        return { kind: 'groups', groups, tokens: tokensOf(granted, tokens.refreshToken, clock.now()) };
      }),
    async verify(token) {
      const found = await discovery.get();
      // Anyone can send a token: an invalid one changes nothing.
      return verified(token, found).catch((error: unknown) => {
        throw exchangeError(settings.LABEL, error);
      });
    },
  };
}

/** Null where the provider refuses the token. */
async function orRefused<T>(sent: Promise<T>): Promise<T | null> {
  try {
    return await sent;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

function tokensOf(
  granted: { access_token: string; refresh_token?: string | undefined; expiresIn(): number | undefined },
  refreshToken: string | null,
  nowMs: number,
): ProviderTokens {
  const seconds = granted.expiresIn();
  return {
    accessToken: granted.access_token,
    accessEndsAtMs: seconds === undefined ? null : nowMs + seconds * 1_000,
    refreshToken: granted.refresh_token ?? refreshToken,
  };
}
