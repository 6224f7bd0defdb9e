import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as keyFetch } from 'jose';
import * as oidc from 'openid-client';
import type { Clock } from '../../../platform/clock.ts';
import type { OidcProviderSettings } from '../../../platform/config/oidc-settings.ts';
import { exchangeError } from './provider-errors.ts';
import type { ProviderFetch } from './provider-fetch.ts';

/** How long a discovery document is used: a provider whose endpoints move is followed after this time. */
const DISCOVERY_MS = 60_000;
/** Keys are fetched again for an unknown key id, though not sooner than this after the last time. */
const KEYS_COOLDOWN_MS = 5_000;

/** What the discovery document of a provider states. */
export interface Discovered {
  readonly configuration: oidc.Configuration;
  readonly issuer: string;
  readonly keys: JWTVerifyGetKey;
}

export interface ProviderNeeds {
  readonly fetch: ProviderFetch;
  readonly clock: Pick<Clock, 'now'>;
}

/** The discovery document, kept for a minute. Throws AppError. */
export function openDiscovery(
  settings: OidcProviderSettings,
  { fetch, clock }: ProviderNeeds,
): { get(): Promise<Discovered>; forget(): void } {
  let known: { readonly atMs: number; readonly found: Promise<Discovered> } | null = null;
  let keySet: { readonly url: string; readonly get: JWTVerifyGetKey } | null = null;

  const discoverNow = async (): Promise<Discovered> => {
    const configuration = await oidc.discovery(
      new URL(settings.ISSUER),
      settings.CLIENT_ID,
      undefined,
      clientAuthentication(settings.CLIENT_SECRET),
      { [oidc.customFetch]: fetch, execute: settings.ISSUER.startsWith('http:') ? [oidc.allowInsecureRequests] : [] },
    );
    const { issuer, jwks_uri: url } = configuration.serverMetadata();
    if (url === undefined) throw new Error('the discovery document has no jwks_uri');
    if (keySet?.url !== url) {
      const options = { [keyFetch]: fetch, cooldownDuration: KEYS_COOLDOWN_MS };
      keySet = { url, get: createRemoteJWKSet(new URL(url), options) };
    }
    return { configuration, issuer, keys: keySet.get };
  };
  const get = async (): Promise<Discovered> => {
    const nowMs = clock.now();
    if (known === null || nowMs >= known.atMs + DISCOVERY_MS) known = { atMs: nowMs, found: discoverNow() };
    const asked = known;
    try {
      return await asked.found;
    } catch (error) {
      if (known === asked) known = null;
      throw exchangeError(settings.LABEL, error);
    }
  };
  return {
    get,
    forget() {
      known = null;
    },
  };
}

/** The secret in the Authorization header, which every provider understands, unless it names the body only. */
function clientAuthentication(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic') ? basic(server, ...rest) : post(server, ...rest);
  };
}
