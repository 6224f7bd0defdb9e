import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type AgentFixture, openAgentFixture } from '../testing.ts';
import { Browser, connectedApplication, RawApplication } from './oauth-testing.ts';

// Runs alone: the sign-in library has process-wide state, which other instances would share.

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

let fixture: AgentFixture;
let browser: Browser;
before(async () => {
  fixture = await openAgentFixture();
  browser = new Browser(new URL(fixture.address).origin);
  await browser.signIn('olivia@example.com');
});
after(() => fixture?.close());

const statusOf = async (token: string | undefined) =>
  (await fixture.post(LIST, { authorization: `Bearer ${token}` })).status;

describe('a refresh token', () => {
  it('is replaced with each use, and reuse revokes the whole chain', async () => {
    const { app, refresh } = await connectedApplication(browser);
    const second = (await app.refresh(refresh)).body;
    const third = (await app.refresh(second.refresh_token ?? '')).body;
    assert.equal(await statusOf(third.access_token), 200);
    assert.equal((await app.refresh(refresh)).body.error, 'invalid_grant');
    assert.equal(await statusOf(third.access_token), 401);
    assert.equal((await app.refresh(third.refresh_token ?? '')).body.error, 'invalid_grant');
  });

  it('keeps an application connected that is not used for eight days at a time', async () => {
    const { app, refresh } = await connectedApplication(browser);
    let current = refresh;
    for (let time = 0; time < 5; time += 1) {
      for (const table of ['oauth_access_tokens', 'oauth_refresh_tokens'])
        await fixture.api.rows(
          `update ${table} set created_at = created_at - interval '8 days',
             expires_at = expires_at - interval '8 days'`,
        );
      const { body } = await app.refresh(current);
      assert.equal(await statusOf(body.access_token), 200);
      current = body.refresh_token ?? '';
    }
  });

  it('expires after thirty days without use', async () => {
    const { app, refresh } = await connectedApplication(browser);
    await fixture.api.rows(
      "update oauth_refresh_tokens set expires_at = now() - interval '1 hour' where revoked is null",
    );
    assert.equal((await app.refresh(refresh)).body.error, 'invalid_grant');
  });

  it('is bound to its application and gives no access itself', async () => {
    const { refresh } = await connectedApplication(browser);
    const other = new RawApplication(browser.origin);
    await other.register();
    assert.equal((await other.refresh(refresh)).body.error, 'invalid_grant');
    assert.equal(await statusOf(refresh), 401);
  });

  it('is issued only with offline_access', async () => {
    const app = new RawApplication(browser.origin);
    await app.register();
    const back = await browser.answer(app.request({ scope: 'mcp:tools' }));
    const { body } = await app.exchange(back.searchParams.get('code') ?? '');
    assert.deepEqual([body.scope, body.refresh_token, body.token_type], ['mcp:tools', undefined, 'Bearer']);
    assert.equal(await statusOf(body.access_token), 200);
  });

  it('without the scope of tools there is nothing to open', async () => {
    const app = new RawApplication(browser.origin);
    await app.register();
    const back = await browser.answer(app.request({ scope: 'offline_access' }));
    const { body } = await app.exchange(back.searchParams.get('code') ?? '');
    assert.equal(await statusOf(body.access_token), 401);
  });
});

describe('revocation', () => {
  /** The official client, connected with a token. */
  async function openClient(token: string): Promise<Client> {
    const client = new Client({ name: 'test-agent', version: '1' });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(fixture.address), { requestInit: { headers } }));
    assert.ok((await client.listTools()).tools.length > 0);
    return client;
  }

  it('by the application refuses an open client’s next message', async () => {
    const { app, access, refresh } = await connectedApplication(browser);
    const client = await openClient(access);
    const response = await app.post('revoke', { token: refresh, token_type_hint: 'refresh_token' });
    assert.equal(response.status, 200);
    await assert.rejects(client.listTools(), /401|Unauthorized|revoked/i);
    assert.equal((await app.refresh(refresh)).body.error, 'invalid_grant');
    await client.close();
  });

  it('of an access token only keeps the connection', async () => {
    const { app, access, refresh } = await connectedApplication(browser);
    assert.equal((await app.post('revoke', { token: access })).status, 200);
    assert.equal(await statusOf(access), 401);
    assert.equal(await statusOf((await app.refresh(refresh)).body.access_token), 200);
  });

  it('returns 200 for an unknown token, and does nothing for one of another application', async () => {
    const { access } = await connectedApplication(browser);
    const other = new RawApplication(browser.origin);
    await other.register();
    assert.equal((await other.post('revoke', { token: 'rgo_nothing' })).status, 200);
    assert.equal((await other.post('revoke', { token: access })).status, 200);
    assert.equal(await statusOf(access), 200);
  });

  it('by the user revokes all access of the application immediately, and only that', async () => {
    const kept = await connectedApplication(browser);
    const { app, access, refresh } = await connectedApplication(browser);
    const client = await openClient(access);
    const list = async () =>
      (
        (await (await browser.get('/api/auth/oauth2/connections')).json()) as {
          connections: { clientId: string; name: string }[];
        }
      ).connections;
    // Two concurrent consents count once.
    await fixture.api.rows(
      'insert into oauth_consents select gen_random_uuid(), client_id, account_id, reference_id, resources, ' +
        'requested_user_info_claims, scopes, created_at, updated_at from oauth_consents where client_id = $1',
      [app.clientId],
    );
    assert.deepEqual(
      (await list()).filter(({ clientId }) => clientId === app.clientId).map(({ name }) => name),
      ['Raw agent'],
    );
    assert.equal((await browser.post('/api/auth/oauth2/disconnect', { clientId: app.clientId })).status, 200);
    await assert.rejects(client.listTools());
    assert.equal((await app.refresh(refresh)).body.error, 'invalid_grant');
    assert.deepEqual(
      (await list()).map(({ clientId }) => clientId).filter((id) => [app.clientId, kept.app.clientId].includes(id)),
      [kept.app.clientId],
    );
    assert.equal(await statusOf(kept.access), 200);
    assert.equal((await browser.post('/api/auth/oauth2/disconnect', { clientId: app.clientId })).status, 404);
    await client.close();
  });

  it('by the user also revokes tokens that are being issued', async () => {
    const { app } = await connectedApplication(browser);
    const code = (await browser.answer(app.request())).searchParams.get('code') ?? '';
    assert.equal((await browser.post('/api/auth/oauth2/disconnect', { clientId: app.clientId })).status, 200);
    const { body } = await app.exchange(code);
    assert.equal(await statusOf(body.access_token), 401);
    assert.equal(await statusOf((await app.refresh(body.refresh_token ?? '')).body.access_token), 401);
  });
});

describe('signing out', () => {
  it('revokes the session’s access token; the application continues with its refresh token', async () => {
    const own = new Browser(browser.origin);
    await own.signIn('olivia@example.com');
    const { app, access, refresh } = await connectedApplication(own);
    assert.equal((await own.post('/api/auth/sign-out', {})).status, 200);
    assert.equal(await statusOf(access), 401);
    const { body } = await app.refresh(refresh);
    assert.equal(await statusOf(body.access_token), 200);
  });
});

describe('expired records', () => {
  it('are deleted when new ones are created: tokens, codes, and unconnected applications', async () => {
    const kept = await connectedApplication(browser);
    const unused = new RawApplication(browser.origin);
    await unused.register();
    await fixture.api.rows("update oauth_clients set created_at = now() - interval '31 days'");
    await fixture.api.rows(
      "update oauth_refresh_tokens set expires_at = now() - interval '1 hour' where revoked is not null",
    );
    await browser.answer(kept.app.request());
    await fixture.api.rows("update verifications set expires_at = now() - interval '1 hour'");
    await new RawApplication(browser.origin).register();
    await kept.app.refresh(kept.refresh);
    const clients = await fixture.api.rows<{ id: string }>('select client_id as id from oauth_clients');
    const ids = clients.map(({ id }) => id);
    assert.deepEqual([ids.includes(kept.app.clientId), ids.includes(unused.clientId)], [true, false]);
    const { over } = await fixture.api.row<{ over: number }>(
      'select (select count(*) from verifications where expires_at < now()) + (select count(*) ' +
        'from oauth_refresh_tokens where expires_at < now()) as over',
    );
    assert.equal(Number(over), 0);
  });
});

describe('the list of connected applications', () => {
  it('has the application’s description and its permissions', async () => {
    const app = new RawApplication(browser.origin);
    await app.register({
      client_name: 'Words',
      client_uri: 'https://words.example',
      redirect_uris: ['http://127.0.0.1:1/'],
    });
    const response = await browser.get(`/api/auth/oauth2/application?client_id=${app.clientId}`);
    const offer = (await response.json()) as {
      application: object;
      username: string;
      access: { eligible: boolean };
      permissions: { name: string; allows: string }[];
    };
    assert.deepEqual(offer.application, { clientId: app.clientId, name: 'Words', uri: 'https://words.example' });
    assert.deepEqual([offer.username, offer.access.eligible], ['olivia', true]);
    assert.ok(offer.permissions.some(({ name, allows }) => name === 'content:delete' && /Delete content/.test(allows)));
    assert.ok(!offer.permissions.some(({ name }) => name === 'api_key:manage'));
  });

  it('requires the account’s session, not a key or application', async () => {
    const { access } = await connectedApplication(browser);
    for (const path of ['application?client_id=x', 'connections']) {
      const address = `${browser.origin}/api/auth/oauth2/${path}`;
      assert.equal((await fetch(address)).status, 401);
      for (const token of [fixture.key, access])
        assert.equal((await fetch(address, { headers: { authorization: `Bearer ${token}` } })).status, 401);
    }
    for (const [clientId, status] of [
      ['unknown', 404],
      ['\0', 400],
    ] as const) {
      const address = `/api/auth/oauth2/application?client_id=${encodeURIComponent(clientId)}`;
      assert.equal((await browser.get(address)).status, status);
      assert.equal((await browser.post('/api/auth/oauth2/disconnect', { clientId })).status, status);
    }
  });
});

describe('the token endpoint', () => {
  it('refuses invalid forms, unknown grants and unknown clients with OAuth errors', async () => {
    const address = `${browser.origin}/api/auth/oauth2/token`;
    const json = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    assert.deepEqual([json.status, ((await json.json()) as { error: string }).error], [415, 'invalid_request']);
    const app = new RawApplication(browser.origin);
    await app.register();
    const refusals: readonly [Record<string, string>, string][] = [
      [{}, 'invalid_request'],
      [{ grant_type: 'password', username: 'olivia', password: 'x' }, 'unsupported_grant_type'],
      [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
      [{ grant_type: 'authorization_code' }, 'invalid_request'],
      [{ grant_type: 'refresh_token', refresh_token: 'rgr_nothing' }, 'invalid_grant'],
      [{ grant_type: 'refresh_token', refresh_token: 'nothing of ours' }, 'invalid_grant'],
    ];
    for (const [form, error] of refusals) {
      const { status, body } = await app.token(form);
      assert.deepEqual([status, body.error], [400, error], JSON.stringify(form));
    }
    const large = await app.post('token', { grant_type: 'x'.repeat(20_000) });
    assert.deepEqual([large.status, ((await large.json()) as { error: string }).error], [413, 'invalid_request']);
  });
});

describe('limits', () => {
  it('allow 30 registrations per hour and address, and then return Retry-After', async () => {
    let last = new Response();
    for (let count = 0; count < 31 && last.status !== 429; count += 1)
      last = await new RawApplication(browser.origin).register();
    assert.equal(last.status, 429);
    assert.ok(Number(last.headers.get('retry-after')) > 0);
    assert.match(await last.text(), /temporarily_unavailable/);
  });
});
