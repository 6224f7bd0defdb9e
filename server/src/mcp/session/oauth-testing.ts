import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** Redirect address of test applications; nothing listens there, since the tests read the address. */
export const CALLBACK = 'http://127.0.0.1:3334/callback';

/** A minimal browser with the session of an account, for connecting applications. */
export class Browser {
  readonly origin: string;
  #cookie = '';

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Signs in with the password of test accounts. */
  async signIn(email: string): Promise<void> {
    const response = await this.post('/api/auth/sign-in/email', { email, password: 'correct horse' });
    assert.equal(response.status, 200, await response.text());
    this.#cookie = response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  }

  /** A request from the platform's own pages. */
  post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const own = { 'content-type': 'application/json', origin: this.origin, cookie: this.#cookie, ...headers };
    return fetch(this.origin + path, { method: 'POST', headers: own, body: JSON.stringify(body) });
  }

  get(path: string): Promise<Response> {
    return fetch(new URL(path, this.origin), { headers: { cookie: this.#cookie }, redirect: 'manual' });
  }

  /** The redirect of the authorization endpoint. */
  async open(address: URL | string): Promise<URL> {
    const response = await this.get(String(address));
    assert.equal(response.status, 302, await response.text());
    return new URL(response.headers.get('location') ?? '', this.origin);
  }

  /** Follows an authorization request to the consent page and answers it; returns the redirect. */
  async answer(address: URL | string, accept = true): Promise<URL> {
    const page = await this.open(address);
    assert.equal(page.pathname, '/connect', page.href);
    const response = await this.post('/api/auth/oauth2/consent', { accept, oauth_query: requestOf(page) });
    const body = (await response.json()) as { url?: string };
    assert.equal(response.status, 200, JSON.stringify(body));
    return new URL(body.url ?? '');
  }
}

/** The signed request of the consent page. */
export function requestOf(page: URL): string {
  return page.searchParams.get('request') ?? '';
}

/** An application that uses the official client's OAuth. */
export class TestApplication implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = {
    client_name: 'Test agent',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  stored: StoredOAuthTokens | undefined;
  client: StoredOAuthClientInformation | undefined;
  /** The last address that the user was sent to. */
  asked: URL | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;
  readonly #state = randomBytes(8).toString('hex');

  state(): string {
    return this.#state;
  }
  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.client;
  }
  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.client = client;
  }
  tokens(): StoredOAuthTokens | undefined {
    return this.stored;
  }
  saveTokens(tokens: StoredOAuthTokens): void {
    this.stored = tokens;
  }
  redirectToAuthorization(address: URL): void {
    this.asked = address;
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
}

/** The response of the token endpoint. */
export interface TokenAnswer {
  readonly status: number;
  readonly body: { access_token?: string; refresh_token?: string; scope?: string; error?: string; token_type?: string };
}

/** An application with hand-written OAuth requests, for invalid ones. */
export class RawApplication {
  readonly verifier = randomBytes(32).toString('base64url');
  clientId = '';
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  async register(metadata: object = { client_name: 'Raw agent', redirect_uris: [CALLBACK] }): Promise<Response> {
    const response = await fetch(`${this.#origin}/api/auth/oauth2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    const { client_id: id } = (await response.clone().json()) as { client_id?: string };
    this.clientId = id ?? '';
    return response;
  }

  /** An authorization request; null parameters are omitted. */
  request(changed: Record<string, string | null> = {}): URL {
    const address = new URL('/api/auth/oauth2/authorize', this.#origin);
    const parameters = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: CALLBACK,
      scope: 'mcp:tools offline_access',
      state: 'st',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: `${this.#origin}/mcp`,
      ...changed,
    };
    for (const [name, value] of Object.entries(parameters)) if (value !== null) address.searchParams.set(name, value);
    return address;
  }

  exchange(code: string, changed: Record<string, string> = {}): Promise<TokenAnswer> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: this.verifier,
      ...changed,
    });
  }

  refresh(token: string): Promise<TokenAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token });
  }

  async token(form: Record<string, string>): Promise<TokenAnswer> {
    const response = await this.post('token', form);
    return { status: response.status, body: (await response.json()) as TokenAnswer['body'] };
  }

  post(endpoint: 'token' | 'revoke', form: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams({ client_id: this.clientId, ...form });
    return fetch(`${this.#origin}/api/auth/oauth2/${endpoint}`, { method: 'POST', body });
  }
}

/** An application with tokens of the signed-in account. */
export async function connectedApplication(
  browser: Browser,
): Promise<{ readonly app: RawApplication; readonly code: string; readonly access: string; readonly refresh: string }> {
  const app = new RawApplication(browser.origin);
  await app.register();
  const code = (await browser.answer(app.request())).searchParams.get('code') ?? '';
  const { body } = await app.exchange(code);
  const { access_token: access, refresh_token: refresh } = body;
  assert.ok(access && refresh, JSON.stringify(body));
  return { app, code, access, refresh };
}
