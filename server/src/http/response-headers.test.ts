import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openRestFixture, type RestFixture } from '../docs/openapi/testing.ts';

let fixture: RestFixture;
before(async () => {
  fixture = await openRestFixture();
});
after(() => fixture?.close());

const JSON_BODY = { 'content-type': 'application/json' };
/** Refuses responses without a coding, so that the size of a response does not matter. */
const CODED = { 'accept-encoding': 'gzip, identity;q=0' };

const withKey = () => ({ authorization: `Bearer ${fixture.key}` });

function graphql(query: string, headers: Record<string, string> = {}, variables: object = {}): Promise<Response> {
  const body = JSON.stringify({ query, variables });
  return fixture.send('POST', { path: '/graphql', headers: { ...JSON_BODY, ...headers }, body });
}

const codingOf = ({ headers }: Response): string | null => headers.get('content-encoding');

describe('compressed responses', () => {
  const VIDEO = { title: 'A video', filename: 'a.mp4', size: 5 };
  const PUBLISH = 'mutation($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } UPLOAD } }';

  it('are those of operations that reveal nothing', async () => {
    const plain = await graphql('{ me { username } }', { ...withKey(), ...CODED });
    assert.deepEqual([plain.status, codingOf(plain)], [200, 'gzip']);
    assert.match(await plain.text(), /"username":"olivia"/);
    const published = await graphql(PUBLISH.replace('UPLOAD', ''), { ...withKey(), ...CODED }, { input: VIDEO });
    assert.deepEqual([published.status, codingOf(published)], [200, 'gzip']);
    assert.match(await published.text(), /"content":\{"id"/);
  });

  it('are not those of operations that reveal a key, a token or an address with permission', async () => {
    const cases: [name: string, reveals: RegExp, response: Promise<Response>][] = [
      [
        'the address of an upload',
        /"endpoint":"http/,
        graphql(PUBLISH.replace('UPLOAD', 'upload { endpoint }'), { ...withKey(), ...CODED }, { input: VIDEO }),
      ],
      [
        'the same in a fragment',
        /"endpoint":"http/,
        graphql(
          `${PUBLISH.replace('UPLOAD', '...Its')} fragment Its on PublishVideoResult { upload { endpoint } }`,
          { ...withKey(), ...CODED },
          { input: VIDEO },
        ),
      ],
      [
        'a signing key',
        /"privateKey":"-----BEGIN/,
        graphql('mutation { createSigningKey(input: {}) { privateKey } }', { ...withKey(), ...CODED }),
      ],
      ['a key', /"key":"rg_/, fixture.browser.post('/graphql', { query: 'mutation { revealApiKey { key } }' }, CODED)],
    ];
    for (const [name, reveals, pending] of cases) {
      const response = await pending;
      assert.match(await response.text(), reveals, name);
      assert.deepEqual([response.status, codingOf(response)], [200, null], name);
    }
  });

  it('are not those of sign-in, OAuth and uploads', async () => {
    const credentials = JSON.stringify({ email: 'olivia@example.com', password: 'wrong password' });
    const registration = JSON.stringify({ redirect_uris: ['http://127.0.0.1/callback'] });
    const origin = { origin: fixture.baseUrl };
    const cases: [method: string, path: string, headers: Record<string, string>, body: string][] = [
      ['POST', '/api/auth/sign-in/email', { ...JSON_BODY, ...origin }, credentials],
      ['POST', '/api/auth/oauth2/register', JSON_BODY, registration],
      ['PUT', await fixture.upload(5), {}, 'abcde'],
    ];
    for (const [method, path, headers, body] of cases) {
      const response = await fixture.send(method, { path, headers: { ...headers, ...CODED }, body });
      assert.ok((await response.text()).length > 10, path);
      assert.equal(codingOf(response), null, path);
    }
  });
});

describe('RateLimit headers', () => {
  /** Accounts of tests have a million points. */
  const COST = '"cost";q=1000000;w=10000';
  const limitsOf = ({ headers }: Response) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];
  const metadata = async () => {
    const pairs = { contentId: await fixture.content(), filename: 'a.mp4', hint: 'LANDSCAPE_VIDEO' };
    return Object.entries(pairs).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`);
  };

  it('say what is left of the points of an account, as extensions.cost does', async () => {
    const response = await graphql('{ me { username } }', withKey());
    const { extensions } = (await response.json()) as { extensions: { cost: { available: number } } };
    const [policy, state] = limitsOf(response);
    assert.equal(policy, COST);
    assert.match(state ?? '', /^"cost";r=\d+;t=\d{1,2}$/);
    assert.ok(state?.startsWith(`"cost";r=${extensions.cost.available};`), `${state} ${extensions.cost.available}`);
  });

  it('are not those of the first time in a replayed response', async () => {
    const headers = { ...withKey(), 'idempotency-key': 'rate-limits' };
    const query = 'mutation { createContent(input: { title: "A day" }) { id } }';
    const send = () => graphql(query, headers);
    const [first, replayed] = [await send(), await send()];
    assert.match(first.headers.get('ratelimit') ?? '', /^"cost";r=/);
    assert.deepEqual([replayed.headers.get('idempotency-replayed'), limitsOf(replayed)], ['true', [COST, null]]);
  });

  it('of /mcp have the concurrent requests, too', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { ...JSON_BODY, ...withKey(), accept: 'application/json, text/event-stream' };
    const response = await fixture.send('POST', { path: '/mcp', headers, body });
    await response.arrayBuffer();
    const [policy, state] = limitsOf(response);
    assert.equal(policy, `${COST}, "concurrency";q=200;qu="concurrent-requests"`);
    assert.match(state ?? '', /^"cost";r=\d+;t=\d{1,2}, "concurrency";r=199$/);
  });

  it('of a new upload have the uploads that may be open', async () => {
    const open = async () =>
      fixture.send('POST', {
        path: '/uploads',
        headers: {
          ...{ 'tus-resumable': '1.0.0', 'upload-length': '5', 'upload-metadata': (await metadata()).join() },
          ...withKey(),
        },
      });
    const left = async () => {
      const [policy, state] = limitsOf(await open());
      assert.equal(policy, '"open-uploads";q=1000');
      return Number(/^"open-uploads";r=(\d+)$/.exec(state ?? '')?.[1]);
    };
    const before = await left();
    assert.ok(before > 900 && before < 1_000);
    assert.equal(await left(), before - 1);
  });

  it('of a wrong password have the attempts that are left, and of the next ones the wait', async () => {
    const signIn = (password: string) =>
      fixture.browser.post('/api/auth/sign-in/email', { email: 'nobody@example.com', password });
    const seen: (string | null)[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const [policy, state] = limitsOf(await signIn('a wrong password'));
      assert.equal(policy, '"attempts";q=5;w=3600');
      seen.push(state ?? null);
    }
    assert.deepEqual(seen.slice(0, 5), [
      '"attempts";r=4;t=3600',
      '"attempts";r=3;t=3600',
      '"attempts";r=2;t=3600',
      '"attempts";r=1;t=3600',
      '"attempts";r=0;t=30',
    ]);
    assert.match(seen[5] ?? '', /^"attempts";r=0;t=(?:30|29)$/);
  });

  it('of playback and its reports have what is left to an address', async () => {
    const playback = await fixture.send('GET', { path: await fixture.playback('') });
    assert.deepEqual(limitsOf(playback), ['"playback";q=600;w=30', '"playback";r=599;t=1']);
    const body = JSON.stringify({ events: [await fixture.event()] });
    const report = await fixture.send('POST', { path: '/api/engagement', body });
    assert.deepEqual(limitsOf(report), ['"engagement";q=3000;w=30', '"engagement";r=2999;t=1']);
  });
});
