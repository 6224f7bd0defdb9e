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
          `${PUBLISH.replace('UPLOAD', '...Its')} fragment Its on PublishVideoPayload { upload { endpoint } }`,
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
