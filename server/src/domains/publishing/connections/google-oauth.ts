import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { ExchangeResponse, GuardedExchange } from '../../../platform/fetch/guarded-exchange.ts';
import type { SiteAddresses } from '../site/site-addresses.ts';

/** The operator's client at Google. */
export interface GoogleClient {
  readonly id: string;
  readonly secret: string;
}

/** Google's token response (RFC 6749 section 5.1). */
const TokenResponse = z.object({
  access_token: z.string().min(1).max(4_096),
  expires_in: z.number().positive().max(86_400),
  refresh_token: z.string().min(1).max(4_096).optional(),
  scope: z.string().max(4_096).default(''),
});
const TokenRefusal = z.object({ error: z.string().max(100) });

export interface Tokens {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  /** Null if absent. */
  readonly refreshToken: string | null;
  /** Granted scopes, which may be fewer than requested. */
  readonly scopes: readonly string[];
}

/** Google as an authorization server (RFC 6749 with RFC 7636 and RFC 7009). */
export interface GoogleOauth {
  /** The authorization URL. `verifier` is stored until the code arrives. */
  authorizeUrl(request: {
    readonly state: string;
    readonly verifier: string;
    readonly scopes: readonly string[];
  }): string;
  /** Tokens for a code; null for an unknown or expired code. */
  exchangeCode(code: string, verifier: string): Promise<Tokens | null>;
  /** A new access token; null when the refresh token is no longer valid. */
  refresh(refreshToken: string): Promise<Tokens | null>;
  /** Revokes the consent; false when Google did not confirm it. */
  revoke(token: string): Promise<boolean>;
}

export interface GoogleOauthOptions {
  readonly client: GoogleClient;
  readonly addresses: SiteAddresses;
  readonly exchange: GuardedExchange;
  /** The redirect address registered with the client. */
  readonly redirectUri: string;
}

export function googleOauth({ client, addresses, exchange, redirectUri }: GoogleOauthOptions): GoogleOauth {
  const post = (url: string, form: Record<string, string>) =>
    exchange({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
  const tokens = async (form: Record<string, string>): Promise<Tokens | null> =>
    readTokens(await post(addresses.token, { client_id: client.id, client_secret: client.secret, ...form }));
  return {
    authorizeUrl({ state, verifier, scopes }) {
      const url = new URL(addresses.authorize);
      const query = {
        client_id: client.id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: scopes.join(' '),
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        // A refresh token requires both: offline access, and a prompt each time.
        access_type: 'offline',
        prompt: 'consent',
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.href;
    },
    exchangeCode: (code, verifier) =>
      tokens({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri }),
    refresh: (refreshToken) => tokens({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    revoke: async (token) => (await post(addresses.revoke, { token })).status === 200,
  };
}

/** Throws SERVICE_UNAVAILABLE for anything but tokens and `invalid_grant`: the operator must correct a wrong client. */
function readTokens(response: ExchangeResponse): Tokens | null {
  const body = parse(response.text);
  if (response.status === 200) {
    const read = TokenResponse.safeParse(body);
    if (read.success) {
      const {
        access_token: accessToken,
        expires_in: expiresInSeconds,
        refresh_token: refreshToken = null,
        scope,
      } = read.data;
      return { accessToken, expiresInSeconds, refreshToken, scopes: scope.split(' ').filter((name) => name !== '') };
    }
  }
  const refusal = TokenRefusal.safeParse(body);
  const error = refusal.success ? refusal.data.error : null;
  if (error === 'invalid_grant') return null;
  const wrongClient = error === 'invalid_client' || error === 'unauthorized_client';
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    wrongClient ? t`Google does not accept this server's client.` : t`Google returned no token.`,
    {
      suggestedFix: wrongClient
        ? t`The operator must check YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET.`
        : t`Repeat the request in half a minute.`,
      ...(wrongClient ? { retryable: false } : { retryAfterSeconds: 30 }),
      // Never log the response: it may contain a token.
      cause: new Error(`Google's token endpoint responded with ${response.status} ${error ?? ''}`),
    },
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
