import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Accounts, createAccount, declareAccounts, registerAccounts } from '../domains/accounts/index.ts';
import { declareChannels } from '../domains/channels/index.ts';
import { createEngine, documentIdOf, Graph, type Services } from '../gql/index.ts';
import { ManualClock } from '../platform/clock.ts';
import { readConfig } from '../platform/config/config.ts';
import { secretsFrom } from '../platform/config/secret-key.ts';
import { createTestDatabase, type TestDatabase } from '../platform/db/testing.ts';
import { openJobs } from '../platform/jobs/jobs.ts';
import { createLogger } from '../platform/log.ts';
import { DiskStore } from '../platform/storage/disk-store.ts';
import { UNLIMITED_SPACE } from '../platform/storage/storage-space.ts';
import { createHttpServer, type HttpServer } from './server.ts';
import { BASE_URL, sendRaw } from './testing.ts';

const VERIFY = '{ verifyConnection { authenticated user { username } permissions } }';
const PUBLIC = 'query Channels { channels { totalCount } }';
const PRIVATE = 'query Own { me { username } }';
const GRAPHQL_TYPE = 'application/graphql-response+json';

interface Answer {
  data?: {
    verifyConnection?: { authenticated: boolean; user: { username: string } };
    regenerateApiKey?: { key: string };
  } | null;
  errors?: { message: string; extensions: { code: string; suggestedFix: string; documentation: string } }[];
  extensions?: { cost?: { requested: number } };
}

interface Described {
  readonly name: string;
  readonly description: string;
}

/** Two instances with one database, with the real engine and the real accounts. */
describe('the edge over the real engine', () => {
  let test: TestDatabase;
  let folder: string;
  const clock = new ManualClock(Date.now());
  const secrets = secretsFrom(Buffer.alloc(32, 9));
  const config = readConfig({ BASE_URL });
  const log = createLogger({ level: 'silent' });
  const instances: { server: HttpServer; accounts: Accounts; address: string }[] = [];

  before(async () => {
    test = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-edge-'));
    const jobs = openJobs({ url: test.url, db: test.db, log, worker: false });
    const storage = { store: new DiskStore(folder), space: UNLIMITED_SPACE };
    const platform = { config, clock, log, db: test.db, secrets, jobs, ...storage };
    const graph = new Graph();
    declareChannels(graph, declareAccounts(graph));
    const schema = graph.schema();
    for (let count = 0; count < 2; count += 1) {
      const accounts = registerAccounts(platform, {
        databaseUrl: test.url,
        version: '1.2.3',
        quotaOf: (id) => engine.quotaOf(id),
      });
      const { viewerSource, authorize, services } = accounts;
      const env = { baseUrl: BASE_URL, namespace: config.DID_NAMESPACE };
      // Only what the declared part of the schema uses; the other domains' services are not part of this test.
      const ownServices = { accounts: services } as Services;
      const trustedDocuments = new Map([PUBLIC, PRIVATE].map((text) => [documentIdOf(text), text]));
      const engine = createEngine({
        schema,
        db: test.db,
        clock,
        viewerSource,
        authorize,
        env,
        services: ownServices,
        log,
        trustedDocuments,
      });
      const server = createHttpServer({
        platform,
        version: '1.2.3',
        routes: accounts.routes,
        engine,
        credentials: accounts,
        webRoot: folder,
      });
      const address = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
      instances.push({ server, accounts, address });
    }
  });
  after(async () => {
    for (const { server, accounts } of instances) {
      await server.close({ graceMs: 0 });
      await accounts.stop();
    }
    await test.close();
    await rm(folder, { recursive: true, force: true });
  });

  const send = async (
    instance: number,
    headers: Record<string, string>,
    query = VERIFY,
  ): Promise<{ status: number; body: Answer; response: Response }> => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    };
    const response = await fetch(`${instances[instance]?.address}/graphql`, init);
    return { status: response.status, body: (await response.json()) as Answer, response };
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const newAccount = async (username: string) => {
    const platform = { db: test.db, clock, secrets };
    const account = {
      email: `${username}@example.com`,
      username,
      password: 'correct horse',
      subscription: { plan: 'CREATOR_PLUS', state: 'TRIALING' } as const,
      apiKey: true,
    };
    return (await createAccount(platform, account)).apiKey ?? '';
  };

  it('returns the cost with every response, also for a malformed key', async () => {
    const address = instances[0]?.address ?? '';
    for (const headers of [{}, { authorization: 'Bearer nonsense' }]) {
      const response = await fetch(`${address}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query: VERIFY }),
      });
      assert.equal(response.status, 401);
      const result = (await response.json()) as { extensions: unknown };
      assert.deepEqual(result.extensions, { cost: { requested: 0, actual: 0, available: 2_000, restoreRate: 100 } });
    }
  });

  it('returns errors and descriptions in the language of the request, and says so', async () => {
    const german = { 'accept-language': 'de' };
    const refused = await send(0, { ...bearer('rg_1'), ...german });
    const [error] = refused.body.errors ?? [];
    assert.equal(refused.response.headers.get('content-language'), 'de');
    assert.match(error?.message ?? '', /^Das ist kein API-Schlüssel dieser Plattform/);
    assert.match(error?.extensions.suggestedFix ?? '', /rg_/);
    assert.equal(error?.extensions.code, 'UNAUTHENTICATED');
    const unknown = await send(0, german, '{ nothing }');
    assert.equal(unknown.body.errors?.[0]?.message, 'Ein gültiger API-Schlüssel ist erforderlich.');
    await newAccount('polyglot');
    const signedIn = await fetch(`${instances[0]?.address}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: BASE_URL },
      body: JSON.stringify({ email: 'polyglot@example.com', password: 'correct horse' }),
    });
    const session = { origin: BASE_URL, cookie: signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
    const query = '{ developerSettings { tokenPermissions { name description } } }';
    const described = async (headers: Record<string, string>) => {
      const { body, response } = await send(0, { ...session, ...headers }, query);
      const { tokenPermissions } = (body.data as unknown as { developerSettings: { tokenPermissions: Described[] } })
        .developerSettings;
      const read = tokenPermissions.find(({ name }) => name === 'channel:read');
      return [response.headers.get('content-language'), read?.description];
    };
    assert.deepEqual(await described(german), ['de', 'Kanäle lesen']);
    assert.deepEqual(await described({}), [null, 'Read channels']);
  });

  it('waits at most 15 seconds for the body of sign-in, token and registration requests', async (t) => {
    const port = Number(new URL(instances[0]?.address ?? '').port);
    const realNow = performance.now.bind(performance);
    let passedMs = 0;
    t.mock.method(performance, 'now', () => realNow() + passedMs);
    /** Sends one byte per second of the mocked clock; returns the response, and when the connection was closed. */
    async function sendSlowly(path: string): Promise<{ received: string; seconds: number }> {
      const socket = connect(port, '127.0.0.1');
      let received = '';
      const closed = once(socket, 'close');
      socket.on('error', () => {}).on('data', (chunk) => (received += chunk.toString()));
      socket.write(`POST ${path} HTTP/1.1\r\nHost: ${new URL(BASE_URL).host}\r\n`);
      socket.write('Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n');
      let seconds = 0;
      for (; seconds < 60 && received === ''; seconds += 1) {
        socket.write(' ');
        passedMs += 1_000;
        await sleep(60);
      }
      if (received === '') socket.destroy();
      await closed;
      return { received, seconds };
    }
    for (const path of ['/api/auth/sign-in/email', '/api/auth/oauth2/token', '/api/auth/oauth2/register']) {
      const { received, seconds } = await sendSlowly(path);
      assert.match(received, /^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*not complete within 15 seconds/i, path);
      assert.ok(seconds >= 15 && seconds < 20, `${path} answered after ${seconds} s`);
    }
  });

  it('does not wait for the rest of a body that is too large', async () => {
    const port = Number(new URL(instances[0]?.address ?? '').port);
    for (const path of ['/api/auth/sign-in/email', '/api/auth/oauth2/token', '/api/auth/oauth2/register']) {
      const head =
        `POST ${path} HTTP/1.1\r\nHost: ${new URL(BASE_URL).host}\r\nContent-Type: ` +
        `application/json\r\nContent-Length: 1000000\r\n\r\n`;
      // Returns once the connection is closed; the body is never sent.
      assert.match(await sendRaw(port, head), /^HTTP\/1\.1 413 [\s\S]*larger than 16384 bytes/, path);
    }
  });

  it('checks a key in one round trip and returns the cost', async () => {
    const key = await newAccount('ann');
    const { roundTrips } = test.db.statistics;
    const { status, body } = await send(0, bearer(key));
    assert.equal(test.db.statistics.roundTrips - roundTrips, 1);
    assert.equal(status, 200);
    assert.equal(body.data?.verifyConnection?.user.username, 'ann');
    assert.ok((body.extensions?.cost?.requested ?? 0) > 0);
  });

  it('refuses wrong, malformed, missing and lapsed keys with their status and fix', async () => {
    const key = await newAccount('ben');
    const unknown = key.replace(/^rg_./, (start) => (start === 'rg_a' ? 'rg_b' : 'rg_a'));
    const cases: [headers: Record<string, string>, status: number, code: string][] = [
      [{}, 401, 'UNAUTHENTICATED'],
      [bearer('nonsense'), 401, 'UNAUTHENTICATED'],
      [bearer(unknown), 401, 'UNAUTHENTICATED'],
      [{ authorization: 'Basic YTpi' }, 401, 'UNAUTHENTICATED'],
    ];
    for (const [headers, status, code] of cases) {
      const result = await send(0, headers);
      assert.equal(result.status, status, JSON.stringify(headers));
      assert.equal(result.body.errors?.[0]?.extensions.code, code);
      assert.equal(result.body.errors?.[0]?.extensions.documentation, `${BASE_URL}/docs/errors/${code.toLowerCase()}`);
      assert.match(result.response.headers.get('www-authenticate') ?? '', /^Bearer/);
    }
    clock.advance(15 * 86_400_000);
    const lapsed = await send(0, bearer(key));
    assert.equal(lapsed.status, 403);
    assert.equal(lapsed.body.errors?.[0]?.extensions.code, 'UNAUTHORIZED');
    assert.ok(lapsed.body.errors?.[0]?.extensions.suggestedFix);
  });

  const signIn = async (username: string): Promise<string> => {
    const response = await fetch(`${instances[0]?.address}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: BASE_URL },
      body: JSON.stringify({ email: `${username}@example.com`, password: 'correct horse' }),
    });
    assert.equal(response.status, 200, await response.text());
    return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };

  it('signs in with a cookie; a replaced key is invalid on every instance immediately', async () => {
    const key = await newAccount('cid');
    const cookie = await signIn('cid');
    assert.equal((await send(1, { cookie, origin: 'http://evil.test' })).status, 403);
    assert.equal((await send(1, bearer(key))).status, 200);
    const regenerated = await send(0, { cookie, origin: BASE_URL }, 'mutation { regenerateApiKey { key } }');
    const fresh = regenerated.body.data?.regenerateApiKey?.key ?? '';
    assert.match(fresh, /^rg_/, JSON.stringify(regenerated.body));
    assert.deepEqual([(await send(0, bearer(key))).status, (await send(1, bearer(key))).status], [401, 401]);
    assert.deepEqual([(await send(0, bearer(fresh))).status, (await send(1, bearer(fresh))).status], [200, 200]);
    assert.equal((await send(0, bearer(fresh), 'mutation { regenerateApiKey { key } }')).status, 403);
  });

  it('serves public pages to a browser with an expired session, and clears the cookie', async () => {
    await newAccount('eva');
    const page = (document: string, cookie: string) =>
      fetch(`${instances[1]?.address}/graphql?${new URLSearchParams({ documentId: documentIdOf(document) })}`, {
        headers: { cookie },
      });
    const ends: [string, () => unknown][] = [
      ['removed', () => test.db.run({ name: 'sign_out', text: 'delete from sessions' }, [])],
      ['expired', () => clock.advance(31 * 86_400_000)],
    ];
    for (const [how, end] of ends) {
      const cookie = await signIn('eva');
      const alive = await page(PRIVATE, cookie);
      assert.deepEqual([alive.status, alive.headers.getSetCookie()], [200, []], how);
      await end();
      const open = await page(PUBLIC, cookie);
      assert.equal(open.status, 200, how);
      assert.match(await open.text(), /"totalCount":[1-9]/, how);
      const closed = await page(PRIVATE, cookie);
      assert.equal(closed.status, 401, how);
      for (const { headers } of [open, closed]) {
        const [forgotten = ''] = headers.getSetCookie();
        assert.ok(
          forgotten.startsWith(`${cookie.split('=')[0]}=;`) && forgotten.includes('Max-Age=0'),
          `${how}: ${forgotten}`,
        );
      }
    }
  });

  it('follows GraphQL over HTTP for documents that cannot run and for mutations by GET', async () => {
    const key = await newAccount('dan');
    for (const query of [
      '{',
      '{ nothing }',
      'query A { me { id } } query B { me { id } }',
      'query ($a: Int!) { verifyConnection { authenticated } }',
    ]) {
      const asJson = await send(0, bearer(key), query);
      assert.equal(asJson.status, 200, query);
      assert.equal(asJson.body.errors?.[0]?.extensions.code, 'GRAPHQL_VALIDATION_FAILED', query);
      assert.equal((await send(0, { ...bearer(key), accept: GRAPHQL_TYPE }, query)).status, 400, query);
    }
    const get = (query: string) =>
      fetch(`${instances[0]?.address}/graphql?${new URLSearchParams({ query })}`, { headers: bearer(key) });
    assert.equal((await get(VERIFY)).status, 200);
    const mutation = await get('mutation { regenerateApiKey { key } }');
    assert.equal(mutation.status, 405);
    assert.equal(mutation.headers.get('allow'), 'POST');
    assert.equal((await send(0, bearer(key))).status, 200);
  });
});
