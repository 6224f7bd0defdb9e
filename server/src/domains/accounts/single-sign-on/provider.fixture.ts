import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';

export const CLIENT_ID = 'reelgraph';
export const CLIENT_SECRET = 'secret-of-the-client';

export interface TestPerson {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly preferred_username?: string;
  readonly groups?: readonly string[];
}

/** A real OpenID Connect provider on loopback, whose people and keys a test changes. */
export interface TestProvider {
  readonly issuer: string;
  /** By subject, which is also what people type to sign in. */
  readonly people: Map<string, TestPerson>;
  /** Requests wait for ever. */
  hangs: boolean;
  /** Paths of the requests so far. */
  readonly requests: string[];
  /** Changes the claims of ID tokens, which are signed again. */
  tamper: ((claims: JWTPayload) => JWTPayload) | null;
  /** Replaces the signing key. */
  rotateKeys(): Promise<void>;
  /** Moves all endpoints below another path; the document says so. */
  move(prefix: string): Promise<void>;
  /** Signs a person in and follows to the address of the client; the query there. */
  signIn(authorizeUrl: string, subject: string): Promise<string>;
  /** Replaces the addresses to which it sends browsers back. */
  redirectTo(uri: string): void;
  /** Ends the sessions and refresh tokens at the provider. */
  forgetAll(): Promise<void>;
  /** A token with the current key, or with another one. */
  sign(claims: JWTPayload, options?: { readonly foreign?: true; readonly alg?: 'HS256' }): Promise<string>;
  close(): Promise<void>;
}

const ALG = 'RS256';

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALG, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: ALG, use: 'sig', kid: crypto.randomUUID() };
}

export async function startTestProvider(redirectUri: string): Promise<TestProvider> {
  const people = new Map<string, TestPerson>();
  let redirectUris = [redirectUri];
  const state = { key: await newKey(), prefix: '', hangs: false, tamper: null as TestProvider['tamper'] };
  const requests: string[] = [];
  let provider: Provider;
  const server = createServer((request, response) => {
    requests.push(new URL(request.url ?? '', 'http://x').pathname);
    if (state.hangs) return;
    if (request.url?.endsWith('/token') && state.tamper) signAgain(response, state.tamper);
    void provider.callback()(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has one
  const foreignKey = await newKey();

  const sign = async (claims: JWTPayload, key: JWK) =>
    new SignJWT(claims).setProtectedHeader({ alg: ALG, kid: key.kid ?? '' }).sign(await importJWK(key, ALG));
  /** Replaces the ID token in the response of the token endpoint. */
  function signAgain(response: ServerResponse, tamper: NonNullable<TestProvider['tamper']>): void {
    const end = response.end.bind(response);
    response.end = ((chunk: string | Buffer) => {
      const body = JSON.parse(String(chunk)) as { id_token: string }; // as the provider responds
      const [, payload = ''] = body.id_token.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload; // its own token
      void sign(tamper(claims), state.key).then((id_token) => {
        const text = JSON.stringify({ ...body, id_token });
        response.setHeader('content-length', Buffer.byteLength(text));
        end(text);
      });
      return response;
    }) as ServerResponse['end']; // the only form in which the provider calls it
  }
  const restart = () => {
    provider = new Provider(issuer, configurationOf(people, redirectUris, state));
  };
  restart();
  return {
    issuer,
    people,
    requests,
    get hangs() {
      return state.hangs;
    },
    set hangs(hangs) {
      state.hangs = hangs;
    },
    get tamper() {
      return state.tamper;
    },
    set tamper(tamper) {
      state.tamper = tamper;
    },
    async rotateKeys() {
      state.key = await newKey();
      restart();
    },
    async move(prefix) {
      state.prefix = prefix;
      restart();
    },
    signIn: (url, subject) => signInAt(issuer, url, subject),
    redirectTo(uri) {
      redirectUris = [uri];
      restart();
    },
    async forgetAll() {
      restart();
    },
    async sign(claims, { foreign, alg } = {}) {
      if (alg) return new SignJWT(claims).setProtectedHeader({ alg }).sign(Buffer.from(CLIENT_SECRET.padEnd(32, '.')));
      return sign(claims, foreign ? { ...foreignKey, kid: state.key.kid ?? '' } : state.key);
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

function configurationOf(
  people: ReadonlyMap<string, TestPerson>,
  redirectUris: string[],
  { key, prefix }: { readonly key: JWK; readonly prefix: string },
): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        backchannel_logout_uri: backChannelOf(redirectUris),
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [key as never] }, // a JWK of jose is one
    cookies: { keys: ['a key for tests'] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: {
      openid: ['sub', 'sid'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
      groups: ['groups'],
    },
    features: { backchannelLogout: { enabled: true } },
    // Its own dispatcher refuses loopback, where the client is.
    fetch: (url, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown } = {}) => fetch(url, options),
    routes: Object.fromEntries(
      ['authorization', 'token', 'userinfo', 'jwks'].map((name) => [name, `${prefix}/${name}`]),
    ),
    ttl: { Interaction: 600, Grant: 86_400, Session: 86_400, AccessToken: 3_600, RefreshToken: 86_400, IdToken: 3_600 },
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    findAccount: (_context, subject) => {
      const person = people.get(subject);
      return person && { accountId: subject, claims: () => ({ sub: subject, ...person }) as never };
    },
    async loadExistingGrant({ oidc }) {
      const { accountId = '' } = oidc.session ?? {};
      const grant = new oidc.provider.Grant({ clientId: CLIENT_ID, accountId });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  };
}

function backChannelOf([redirectUri = '']: readonly string[]): string {
  const { origin, pathname } = new URL(redirectUri);
  return `${origin}/api/auth/oidc/${pathname.split('/').at(-1)}/back-channel-logout`;
}

/** What a browser does: follows redirects with cookies, and fills in the form. */
async function signInAt(issuer: string, start: string, subject: string): Promise<string> {
  const jar = new Map<string, string>();
  let [url, form] = [start, null as URLSearchParams | null];
  for (let hop = 0; hop < 10; hop += 1) {
    const response = await fetch(url, {
      ...(form ? { method: 'POST', body: form } : {}),
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    form = null;
    const location = response.headers.get('location');
    if (location === null) {
      if (!url.includes('/interaction/')) throw new Error(`${response.status} ${await response.text()}`);
      form = new URLSearchParams({ prompt: 'login', login: subject, password: 'any' });
    } else {
      const next = new URL(location, issuer);
      if (next.origin !== issuer) return next.search.slice(1);
      url = next.href;
    }
  }
  throw new Error('the provider does not send the browser back');
}
