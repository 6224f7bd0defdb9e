import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type AgentFixture, openAgentFixture } from '../testing.ts';
import { Browser, CALLBACK, connectedApplication, RawApplication, requestOf } from './oauth-testing.ts';

// Runs alone: the sign-in library has process-wide state, which other instances would share.

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

let fixture: AgentFixture;
let origin: string;
let browser: Browser;
let app: RawApplication;
before(async () => {
  fixture = await openAgentFixture();
  origin = new URL(fixture.address).origin;
  browser = new Browser(origin);
  await browser.signIn('olivia@example.com');
  app = new RawApplication(origin);
  await app.register();
});
after(() => fixture?.close());

const statusOf = async (token: string) => (await fixture.post(LIST, { authorization: `Bearer ${token}` })).status;
const codeFor = async (request: URL) =>
  (await browser.answer(request)).searchParams.get('code') ?? assert.fail('there is a code');

describe('an authorization request', () => {
  const wrong: readonly [string, Record<string, string | null>, string][] = [
    ['without PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['with plain PKCE', { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    ['with a challenge of no method', { code_challenge_method: null }, 'invalid_request'],
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['for a scope there is not', { scope: 'mcp:tools admin' }, 'invalid_scope'],
    ['for a token right away', { response_type: 'token' }, 'unsupported_response_type'],
  ];
  for (const [name, changed, error] of wrong) {
    it(`${name} is sent back with ${error}, state and iss`, async () => {
      const back = await browser.open(app.request(changed));
      assert.equal(back.origin + back.pathname, CALLBACK);
      const parameters = new URLSearchParams(back.search || back.hash.slice(1));
      assert.deepEqual(
        [parameters.get('error'), parameters.get('state'), parameters.get('iss')],
        [error, 'st', `${origin}/api/auth`],
      );
      assert.equal(parameters.get('code'), null);
    });
  }

  for (const redirect of [
    `${CALLBACK}/more`,
    'http://127.0.0.1.evil.example:3334/callback',
    'https://evil.example/callback',
    `${CALLBACK}#x`,
    '',
  ]) {
    it(`does not redirect to ${redirect || 'nowhere'}, which is not registered`, async () => {
      const shown = await browser.open(app.request({ redirect_uri: redirect === '' ? null : redirect }));
      assert.equal(shown.origin, origin);
      assert.ok(shown.searchParams.has('error'));
    });
  }

  it('may use another port on the loopback (RFC 8252), and only there', async () => {
    const redirect = CALLBACK.replace('3334', '49152');
    const back = await browser.answer(app.request({ redirect_uri: redirect }));
    assert.equal(back.origin, new URL(redirect).origin);
    const code = back.searchParams.get('code') ?? '';
    assert.equal((await app.exchange(code)).body.error, 'invalid_grant', 'the code is bound to the port');
  });

  it('asks for consent every time, with any prompt, and defaults the resource to ours', async () => {
    const { app: known } = await connectedApplication(browser);
    const page = await browser.open(known.request({ prompt: 'none', resource: null }));
    assert.equal(page.pathname, '/connect');
    assert.equal(new URLSearchParams(requestOf(page)).get('resource'), fixture.address);
  });

  it('without a session redirects to the sign-in page first', async () => {
    const page = await new Browser(origin).open(app.request());
    assert.equal(page.pathname, '/connect');
  });
});

describe('consent', () => {
  it('Deny sends access_denied and no code', async () => {
    const { searchParams } = await browser.answer(app.request(), false);
    assert.deepEqual(
      [searchParams.get('error'), searchParams.get('state'), searchParams.get('code')],
      ['access_denied', 'st', null],
    );
  });

  it('is accepted only from our own pages, for the signed request, with a session', async () => {
    const query = requestOf(await browser.open(app.request()));
    const path = '/api/auth/oauth2/consent';
    const foreign = await browser.post(path, { accept: true, oauth_query: query }, { origin: 'https://evil.example' });
    assert.equal(foreign.status, 403);
    const changed = query.replace('mcp%3Atools', 'mcp%3Atools+more');
    assert.notEqual(changed, query);
    const forged = await browser.post(path, { accept: true, oauth_query: changed });
    assert.match(await forged.text(), /TOKEN_EXPIRED.*Start again/s);
    const anonymous = await new Browser(origin).post(path, { accept: true, oauth_query: query });
    assert.equal(anonymous.status, 401);
    for (const body of [{ oauth_query: query }, { accept: true }])
      assert.equal((await browser.post(path, body)).status, 400);
  });
});

describe('a code', () => {
  it('that is replayed revokes its tokens', async () => {
    const { app: victim, code, access, refresh } = await connectedApplication(browser);
    assert.equal(await statusOf(access), 200);
    assert.equal((await victim.exchange(code)).body.error, 'invalid_grant');
    assert.equal(await statusOf(access), 401);
    assert.equal((await victim.refresh(refresh)).body.error, 'invalid_grant');
  });

  it('that is exchanged concurrently gives tokens once, and revokes them', async () => {
    const code = await codeFor(app.request());
    const responses = await Promise.all(Array.from({ length: 4 }, () => app.exchange(code)));
    const [given, ...more] = responses.filter(({ status }) => status === 200);
    assert.equal(more.length, 0);
    assert.equal(await statusOf(given?.body.access_token ?? assert.fail('one got tokens')), 401);
    for (const { status, body } of responses)
      assert.ok(status === 200 || body.error === 'invalid_grant', JSON.stringify({ status, body }));
  });

  it('is invalidated by a wrong verifier', async () => {
    const code = await codeFor(app.request());
    const { status, body } = await app.exchange(code, { code_verifier: 'x'.repeat(43) });
    assert.deepEqual([status, body.error], [400, 'invalid_grant']);
    assert.equal((await app.exchange(code)).body.error, 'invalid_grant');
  });

  it('is bound to its application, its redirect address and its resource', async () => {
    const other = new RawApplication(origin);
    await other.register();
    const stolen = await other.exchange(await codeFor(app.request()), { code_verifier: app.verifier });
    assert.equal(stolen.body.error, 'invalid_grant');
    const moved = await app.exchange(await codeFor(app.request()), { redirect_uri: 'http://127.0.0.1:3334/other' });
    assert.equal(moved.body.error, 'invalid_grant');
    const elsewhere = await app.exchange(await codeFor(app.request()), { resource: 'https://other.example/mcp' });
    assert.equal(elsewhere.body.error, 'invalid_target');
  });

  it('expires after ten minutes', async () => {
    const code = await codeFor(app.request());
    await fixture.api.rows("update verifications set expires_at = now() - interval '1 hour'");
    assert.equal((await app.exchange(code)).body.error, 'invalid_grant');
  });
});

describe('registration', () => {
  const refused: readonly [string, object][] = [
    ['no redirect address', { client_name: 'x' }],
    ['a redirect address that is none', { redirect_uris: ['here'] }],
    ['http that is not the loopback', { redirect_uris: ['http://example.com/callback'] }],
    ['a script as redirect address', { redirect_uris: ['javascript:alert(1)'] }],
    ['a redirect address that cannot be stored', { redirect_uris: ['https://app.example/\0'] }],
    ['a redirect address with a fragment', { redirect_uris: [`${CALLBACK}#x`] }],
    [
      'authentication that is not offered',
      { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'private_key_jwt' },
    ],
  ];
  for (const [name, metadata] of refused) {
    it(`with ${name} is refused`, async () => {
      const response = await new RawApplication(origin).register(metadata);
      assert.equal(response.status, 400, await response.clone().text());
      assert.match(await response.text(), /"error":"invalid_(redirect_uri|client_metadata)"/);
    });
  }

  it('ignores addresses to fetch, grants and scopes of the application, and sanitizes its name', async () => {
    const withNul = { redirect_uris: [CALLBACK], client_uri: 'https://evil.example/\0' };
    assert.equal((await new RawApplication(origin).register(withNul)).status, 400);
    const response = await new RawApplication(origin).register({
      client_name: 'Nice\u202Eevil\n<b>app</b>',
      redirect_uris: [CALLBACK],
      jwks_uri: 'https://169.254.169.254/keys',
      logo_uri: 'https://evil.example/logo.png',
      grant_types: ['client_credentials', 'implicit'],
      skip_consent: true,
    });
    assert.equal(response.status, 201);
    const client = (await response.json()) as Record<string, unknown>;
    assert.equal(client['client_name'], 'Nice evil <b>app</b>');
    assert.deepEqual(client['grant_types'], ['authorization_code', 'refresh_token']);
    for (const name of ['jwks_uri', 'logo_uri', 'client_uri', 'skip_consent', 'client_secret'])
      assert.ok(!client[name], name);
  });

  it('issues a secret to confidential applications, and requires it', async () => {
    const secretive = new RawApplication(origin);
    const metadata = {
      redirect_uris: ['https://app.example/callback'],
      token_endpoint_auth_method: 'client_secret_post',
    };
    const { client_secret: secret } = (await (await secretive.register(metadata)).json()) as { client_secret: string };
    const redirect = { redirect_uri: 'https://app.example/callback' };
    assert.equal(
      (await secretive.exchange(await codeFor(secretive.request(redirect)), redirect)).body.error,
      'invalid_client',
    );
    const { body } = await secretive.exchange(await codeFor(secretive.request(redirect)), {
      ...redirect,
      client_secret: secret,
    });
    assert.equal(await statusOf(body.access_token ?? ''), 200);
  });
});

describe('the address of the platform', () => {
  it('is part of a token: the same token is invalid under another address', async () => {
    const { access } = await connectedApplication(browser);
    const { accessTokenCredential } = await import('../../domains/accounts/oauth/oauth-tokens.ts');
    const { secrets } = fixture.api.platform;
    const here = accessTokenCredential(secrets, origin, access);
    const there = accessTokenCredential(secrets, 'https://other.example', access);
    const viewerOf = (credential: typeof here) =>
      fixture.api.domains.accounts.requireViewer(credential, 'content:read');
    assert.equal((await viewerOf(here)).username, 'olivia');
    await assert.rejects(viewerOf(there), { code: 'UNAUTHENTICATED' });
    assert.equal(createHash('sha256').update(access).digest('base64url') === here.tokenHash, false);
  });
});
