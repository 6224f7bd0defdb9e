import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { auth, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type AgentFixture, openAgentFixture } from '../testing.ts';
import { Browser, CALLBACK, connectedApplication, RawApplication, TestApplication } from './oauth-testing.ts';

// Runs alone: the sign-in library has process-wide state, which other instances would share.

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

let fixture: AgentFixture;
let origin: string;
let browser: Browser;
before(async () => {
  fixture = await openAgentFixture();
  origin = new URL(fixture.address).origin;
  browser = new Browser(origin);
  await browser.signIn('olivia@example.com');
});
after(() => fixture?.close());

const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` });
const statusOf = async (token: string | undefined) => (await fixture.post(LIST, bearer(token))).status;

describe('the official client', () => {
  it('discovers the server from its address, registers, connects, calls a tool and refreshes', async () => {
    const app = new TestApplication();
    const transport = () => new StreamableHTTPClientTransport(new URL(fixture.address), { authProvider: app });
    const first = transport();
    await assert.rejects(new Client({ name: 'test-agent', version: '1' }).connect(first), /Unauthorized/);
    const consentUrl = app.asked ?? assert.fail('the person is asked');
    assert.equal(consentUrl.searchParams.get('resource'), fixture.address);
    assert.equal(consentUrl.searchParams.get('scope'), 'mcp:tools offline_access');
    const back = await browser.answer(consentUrl);
    assert.equal(back.origin + back.pathname, CALLBACK);
    assert.equal(back.searchParams.get('state'), app.state());
    assert.equal(back.searchParams.get('iss'), `${origin}/api/auth`);
    await first.finishAuth(back.searchParams);
    assert.match(app.stored?.access_token ?? '', /^rgo_/);

    const client = new Client({ name: 'test-agent', version: '1' });
    await client.connect(transport());
    const result = await client.callTool({ name: 'verify_connection', arguments: {} });
    assert.match(JSON.stringify(result.structuredContent), /"username":"olivia"/);

    const old = app.stored;
    assert.equal(await auth(app, { serverUrl: fixture.address }), 'AUTHORIZED');
    assert.notEqual(app.stored?.access_token, old?.access_token);
    assert.notEqual(app.stored?.refresh_token, old?.refresh_token);
    assert.equal(await statusOf(old?.access_token), 401, 'the replaced access token is invalid');
    const again = await client.callTool({ name: 'verify_connection', arguments: {} });
    assert.ok(!again.isError, 'the open client goes on with the new token');
    await client.close();
  });
});

interface Metadata {
  readonly authorization_servers: string[];
  readonly scopes_supported: string[];
}

describe('metadata', () => {
  it('is at the standard addresses, and lists only supported features', async () => {
    const resource = await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`);
    const { authorization_servers: servers, scopes_supported: scopes } = (await resource.json()) as Metadata;
    assert.deepEqual([servers, scopes], [[`${origin}/api/auth`], ['mcp:tools', 'offline_access']]);
    for (const path of [
      '/.well-known/oauth-authorization-server/api/auth',
      '/.well-known/oauth-authorization-server',
      '/api/auth/.well-known/oauth-authorization-server',
    ]) {
      assert.deepEqual(await (await fetch(origin + path)).json(), {
        issuer: `${origin}/api/auth`,
        authorization_endpoint: `${origin}/api/auth/oauth2/authorize`,
        token_endpoint: `${origin}/api/auth/oauth2/token`,
        registration_endpoint: `${origin}/api/auth/oauth2/register`,
        revocation_endpoint: `${origin}/api/auth/oauth2/revoke`,
        scopes_supported: ['mcp:tools', 'offline_access'],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
        revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      });
    }
  });

  it('is the same for many requests', async () => {
    const address = `${origin}/.well-known/oauth-authorization-server`;
    const first = await (await fetch(address)).text();
    const responses = await Promise.all(Array.from({ length: 310 }, async () => (await fetch(address)).text()));
    assert.deepEqual([...new Set(responses)], [first]);
  });

  it('is referenced by the challenge, with the scope', async () => {
    const response = await fetch(fixture.address, { method: 'POST' });
    assert.equal(
      response.headers.get('www-authenticate'),
      'Bearer realm="reelgraph", scope="mcp:tools offline_access", ' +
        `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
    );
  });
});

describe('a token', () => {
  it('authenticates the account for MCP and the API, with the permissions of a key', async () => {
    const { access } = await connectedApplication(browser);
    const ask = (query: string) =>
      fetch(`${origin}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(access) },
        body: JSON.stringify({ query }),
      }).then(
        (response) =>
          response.json() as Promise<{
            data: { verifyConnection: { permissions: string[] } };
            errors?: { code: string }[];
          }>,
      );
    const { data } = await ask('{ verifyConnection { permissions user { username } } }');
    assert.ok(data.verifyConnection.permissions.includes('content:publish'));
    assert.ok(!data.verifyConnection.permissions.includes('api_key:manage'));
    const { errors } = await ask('mutation { revealApiKey { key } }');
    assert.match(JSON.stringify(errors), /UNAUTHORIZED.*connected application|connected application.*UNAUTHORIZED/s);
  });

  it('is refused while the subscription is lapsed, with a suggested fix, and works again afterwards', async () => {
    const person = await fixture.api.person('laura');
    const other = new Browser(origin);
    await other.signIn('laura@example.com');
    const app = new RawApplication(origin);
    await app.register();
    const code = (await other.answer(app.request())).searchParams.get('code') ?? '';
    const { body } = await app.exchange(code);
    assert.equal(await statusOf(body.access_token), 200);
    const lapse = 'update subscriptions set state = $2, access_until = $3 where account_id = $1';
    await fixture.api.rows(lapse, [person.accountId, 'EXPIRED', new Date(0).toISOString()]);
    const refused = await fixture.post(LIST, bearer(body.access_token));
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /connected application is not accepted.*UNAUTHORIZED.*suggestedFix/s);
    await fixture.api.rows(lapse, [person.accountId, 'ACTIVE', 'infinity']);
    assert.equal(await statusOf(body.access_token), 200);
  });

  it('is subject to the account’s usage limits and audit log', async () => {
    const { access } = await connectedApplication(browser);
    const credential = fixture.api.domains.accounts.credentialFromKey(access);
    const agent = { ...fixture.owner, credential };
    const id = await fixture.things.content();
    const { accounts } = fixture.api.domains;
    const nowIso = new Date(fixture.api.clock.now()).toISOString();
    await accounts.services.setKeyBudgets(fixture.owner.accountId, { deletesPerDay: 0 }, { nowIso });
    const refused = await fixture.api.refused(agent, 'mutation($id: DID!) { deleteContent(id: $id) { id } }', { id });
    assert.equal(refused.code, 'RATE_LIMIT_EXCEEDED');
    await accounts.writeKeyUses();
    const { subject, outcome } = await fixture.api.row<{ subject: string; outcome: string }>(
      'select subject, outcome from api_key_audit_log where account_id = $1 order by id desc limit 1',
      [fixture.owner.accountId],
    );
    assert.deepEqual([subject, outcome], [id, 'RATE_LIMIT_EXCEEDED']);
  });

  it('is checked for its format before a query, and never accepted in an address', async () => {
    for (const text of ['rgo_short', `rgo_${'x'.repeat(40)}`, `rgr_${'x'.repeat(40)}`])
      assert.equal(await statusOf(text), 401, text);
    const inAddress = await fetch(`${origin}/healthz?note=rgo_${'x'.repeat(40)}`);
    assert.equal(inAddress.status, 401);
  });

  it('expires', async () => {
    const { access } = await connectedApplication(browser);
    await fixture.api.rows("update oauth_access_tokens set expires_at = now() - interval '1 hour'");
    assert.equal(await statusOf(access), 401);
  });
});
