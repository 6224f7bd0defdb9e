import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type AgentFixture, openAgentFixture } from '../testing.ts';
import { Browser, CALLBACK, RawApplication } from './oauth-testing.ts';

// Runs alone: the sign-in library has process-wide state, which other instances would share.

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const MINUTE_MS = 60_000;

let documents: Server;
let requests: string[] = [];
/** What the server of the application sends; null: 404. */
let published: Record<string, unknown> | null;
let fixture: AgentFixture;
let origin: string;
let browser: Browser;
let app: RawApplication;

before(async () => {
  documents = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (!published) return void response.writeHead(404).end();
    const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=600' };
    response.writeHead(200, headers).end(JSON.stringify({ client_id: addressOf(request.url ?? ''), ...published }));
  });
  await new Promise<void>((done) => documents.listen(0, '127.0.0.1', done));
  const { port } = documents.address() as AddressInfo;
  fixture = await openAgentFixture({ env: { FETCH_ALLOW: `127.0.0.1:${port}` } });
  origin = new URL(fixture.address).origin;
  browser = new Browser(origin);
  await browser.signIn('olivia@example.com');
});
after(async () => {
  await fixture?.close();
  documents.closeAllConnections();
  documents.close();
});

let paths = 0;
beforeEach(() => {
  requests = [];
  published = { client_name: 'Raw agent', redirect_uris: [CALLBACK] };
  app = new RawApplication(origin);
  paths += 1;
  app.clientId = addressOf(`/clients/${paths}`);
});

const addressOf = (path: string) => `http://127.0.0.1:${(documents.address() as AddressInfo).port}${path}`;
const statusOf = async (token = '') => (await fixture.post(LIST, { authorization: `Bearer ${token}` })).status;
const clients = () =>
  fixture.api.rows<{ client_id: string; name: string; redirect_uris: string[] }>(
    'select client_id, name, redirect_uris from oauth_clients where client_id = $1',
    [app.clientId],
  );
const refusal = async () => {
  const page = await browser.open(app.request());
  assert.equal(page.origin + page.pathname, `${origin}/connect`);
  return [page.searchParams.get('error'), page.searchParams.get('error_description')];
};

describe('an application with a metadata document', () => {
  it('is connected without registering, and refreshes its tokens while the document is unavailable', async () => {
    const code = (await browser.answer(app.request())).searchParams.get('code') ?? '';
    published = null;
    const { body } = await app.exchange(code);
    assert.equal(await statusOf(body.access_token), 200);
    const refreshed = await app.refresh(body.refresh_token ?? '');
    assert.equal(await statusOf(refreshed.body.access_token), 200);
    assert.equal(requests.length, 1, 'it is read once, when the person is asked');

    const listed = await (await browser.get('/api/auth/oauth2/connections')).json();
    assert.ok((listed as { connections: { clientId: string }[] }).connections.some((c) => c.clientId === app.clientId));
    const ended = await browser.post('/api/auth/oauth2/disconnect', { clientId: app.clientId });
    assert.equal(ended.status, 200);
    assert.equal(await statusOf(refreshed.body.access_token), 401);
  });

  it('is shown with the name and the address of the document', async () => {
    await browser.open(app.request());
    const query = new URLSearchParams({ client_id: app.clientId });
    const { application } = (await (await browser.get(`/api/auth/oauth2/application?${query}`)).json()) as {
      application: object;
    };
    assert.deepEqual(application, { clientId: app.clientId, name: 'Raw agent', uri: null });
  });

  it('is read again once its lifetime is over, and then has its new redirect addresses only', async () => {
    const moved = 'https://app.example/callback';
    await browser.open(app.request());
    published = { client_name: 'Moved agent', redirect_uris: [moved] };
    assert.equal((await browser.open(app.request())).pathname, '/connect');
    assert.equal(requests.length, 1);

    fixture.api.clock.advance(11 * MINUTE_MS);
    const stopped = await browser.open(app.request());
    assert.equal(stopped.searchParams.get('error'), 'invalid_redirect');
    assert.deepEqual(await clients(), [{ client_id: app.clientId, name: 'Moved agent', redirect_uris: [moved] }]);

    fixture.api.clock.advance(11 * MINUTE_MS);
    published = null;
    const [error, why] = await refusal();
    assert.equal(error, 'invalid_client');
    assert.match(why ?? '', /has the status 404/);
  });

  const refused: readonly [string, Record<string, unknown>, RegExp][] = [
    ['of another client', { client_id: 'https://app.example/client.json' }, /about another client_id/],
    ['with a script as redirect address', { redirect_uris: ['javascript:alert(1)'] }, /reverse-domain/],
    ['with http that is not the loopback', { redirect_uris: ['http://app.example/callback'] }, /loopback/],
    ['with a fragment', { redirect_uris: [`${CALLBACK}#x`] }, /fragment/],
    ['with a secret', { client_secret: 'x' }, /Remove client_secret/],
  ];
  for (const [name, part, reason] of refused) {
    it(`${name} is refused with a reason, and not stored`, async () => {
      published = { ...published, ...part };
      const [error, why] = await refusal();
      assert.equal(error, 'invalid_client');
      assert.match(why ?? '', reason);
      assert.deepEqual(await clients(), []);
    });
  }

  it('on a private address is refused without a request', async () => {
    app.clientId = app.clientId.replace('http:', 'https:').replace('127.0.0.1', 'localhost');
    const [error, why] = await refusal();
    assert.equal(error, 'invalid_client');
    assert.match(why ?? '', /Publish it on the public internet/);
    assert.deepEqual([requests, await clients()], [[], []]);
  });

  it('with an address that is not in its normal form is an invalid request', async () => {
    app.clientId = addressOf('/a/../client.json');
    const [error, why] = await refusal();
    assert.equal(error, 'invalid_request');
    assert.match(why ?? '', /must be an https URL with a path/);
    assert.deepEqual(requests, []);
  });

  it('that nobody was asked about gets no token, and its document is not read', async () => {
    const { status, body } = await app.exchange('x'.repeat(32));
    assert.deepEqual([status >= 400, requests], [true, []]);
    assert.equal(body.access_token, undefined);
  });

  it('is deleted an hour after it was read, unless it is connected', async () => {
    const connected = app.clientId;
    await browser.answer(app.request());
    app.clientId = addressOf('/clients/unused');
    await browser.open(app.request());
    await fixture.api.rows(
      "update oauth_clients set updated_at = updated_at - interval '2 hours' where client_id = any ($1)",
      [[connected, app.clientId]],
    );
    const unused = app.clientId;
    app.clientId = addressOf('/clients/next');
    await browser.open(app.request());
    const left = await fixture.api.rows<{ client_id: string }>(
      'select client_id from oauth_clients where client_id = any ($1)',
      [[connected, unused]],
    );
    assert.deepEqual(left, [{ client_id: connected }]);
  });
});
