import { type ClientDiscovery, type OAuthOptions, oauthProvider } from '@better-auth/oauth-provider';
import type { BetterAuthPlugin } from 'better-auth';
import type { Platform } from '../../../platform/platform.ts';
import {
  ACCESS_TOKEN_PREFIX,
  CONNECT_PAGE,
  findableOauthHash,
  makeOauthToken,
  REFRESH_TOKEN_PREFIX,
} from './oauth-tokens.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** Scopes of an application: the tools, and offline access. */
const OAUTH_SCOPES = ['mcp:tools', 'offline_access'] as const;

/** The library's models and our tables. */
const TABLES = {
  oauthClient: 'oauth_clients',
  oauthResource: 'oauth_resources',
  oauthClientResource: 'oauth_client_resources',
  oauthRefreshToken: 'oauth_refresh_tokens',
  oauthAccessToken: 'oauth_access_tokens',
  oauthConsent: 'oauth_consents',
  oauthClientAssertion: 'oauth_client_assertions',
} as const;

/**
 * The authorization server (OAuth 2.1) as a plugin of the sign-in library: tokens are opaque and looked up on every
 * request, so that a revoked one stops working at once; see ADR 0027.
 */
export function ourOauthProvider(
  platform: Pick<Platform, 'db' | 'secrets'>,
  baseUrl: string,
  clientDiscovery: ClientDiscovery,
): BetterAuthPlugin {
  const options = {
    loginPage: CONNECT_PAGE,
    consentPage: CONNECT_PAGE,
    scopes: [...OAUTH_SCOPES],
    grantTypes: ['authorization_code', 'refresh_token'],
    disableJwtPlugin: true,
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    enforcePerClientResources: false,
    extensions: [{ clientDiscovery }],
    codeExpiresIn: 10 * MINUTE_SECONDS,
    accessTokenExpiresIn: HOUR_SECONDS,
    refreshTokenExpiresIn: 30 * DAY_SECONDS,
    generateOpaqueAccessToken: makeOauthToken,
    generateRefreshToken: makeOauthToken,
    prefix: { opaqueAccessToken: ACCESS_TOKEN_PREFIX, refreshToken: REFRESH_TOKEN_PREFIX },
    storeTokens: { hash: (token: string) => findableOauthHash(platform, baseUrl, token) },
    rateLimit: {
      register: { window: HOUR_SECONDS, max: 30 },
      token: { window: MINUTE_SECONDS, max: 60 },
      authorize: { window: MINUTE_SECONDS, max: 60 },
      revoke: { window: MINUTE_SECONDS, max: 60 },
    },
  } satisfies OAuthOptions<string[]>;
  const plugin: unknown = oauthProvider({ ...options, schema: namesIn(oauthProvider(options).schema) });
  return plugin as BetterAuthPlugin; // it is one; the library's types match only without exactOptionalPropertyTypes
}

/** Maps the library's fields to our columns (`redirectUris` to redirect_uris) and its users to our accounts. */
function namesIn(schema: Readonly<Record<keyof typeof TABLES, { readonly fields: object }>>) {
  const names = (model: keyof typeof TABLES) => ({
    modelName: TABLES[model],
    fields: Object.fromEntries(Object.keys(schema[model].fields).map((field) => [field, columnOf(field)])),
  });
  return {
    oauthClient: names('oauthClient'),
    oauthResource: names('oauthResource'),
    oauthClientResource: names('oauthClientResource'),
    oauthRefreshToken: names('oauthRefreshToken'),
    oauthAccessToken: names('oauthAccessToken'),
    oauthConsent: names('oauthConsent'),
    oauthClientAssertion: names('oauthClientAssertion'),
  };
}

function columnOf(field: string): string {
  return field === 'userId' ? 'account_id' : field.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
