import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorsOf, GOOD_KEY, SESSION_COOKIE, sendRaw, startTestServer, type TestServer } from '../testing.ts';

const JSON_HEADER = { 'content-type': 'application/json' };
const KEY = { ...JSON_HEADER, authorization: `Bearer ${GOOD_KEY}` };
const SMALL = 16 * 1024;

describe('body limits of /graphql', () => {
  let at: TestServer;
  before(async () => {
    at = await startTestServer();
  });
  after(() => at.close());

  const padded = (bytes: number) => {
    const empty = JSON.stringify({ documentId: 'sha256:00', variables: { pad: '' } });
    return empty.replace('"pad":""', `"pad":"${'x'.repeat(bytes - empty.length)}"`);
  };
  const post = (body: string, headers: Record<string, string>) =>
    at.fetch('/graphql', { method: 'POST', headers, body });

  it('are 16 KiB without a credential, and 1 MiB with one', async () => {
    assert.equal((await post(padded(SMALL), JSON_HEADER)).status, 401); // the engine saw it
    const seen = at.engine.seen.length;
    const refused = await post(padded(SMALL + 1), JSON_HEADER);
    assert.deepEqual([refused.status, at.engine.seen.length], [413, seen]);
    const [error] = (await errorsOf(refused)).errors;
    assert.match(error?.message ?? '', /larger than 16384 bytes/);
    assert.match(error?.extensions?.['suggestedFix'] ?? '', /API key/);
    const cookie = { ...JSON_HEADER, cookie: SESSION_COOKIE, 'sec-fetch-site': 'same-origin' };
    for (const headers of [KEY, cookie]) {
      await post(padded(1024 * 1024), headers);
      assert.equal(at.engine.seen.at(-1)?.bytes, 1024 * 1024);
    }
    assert.equal((await post(padded(1024 * 1024 + 1), KEY)).status, 413);
  });

  it('hold without Content-Length', async () => {
    const body = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 20; part += 1) controller.enqueue(Buffer.alloc(1_000, 'x'));
        controller.close();
      },
    });
    const response = await at.fetch('/graphql', {
      method: 'POST',
      headers: JSON_HEADER,
      body,
      duplex: 'half',
    } as RequestInit);
    assert.equal(response.status, 413);
  });

  it('refuse a larger Content-Length and a malformed key without reading', async () => {
    const head = (lines: string[]) =>
      [
        'POST /graphql HTTP/1.1',
        'Host: reelgraph.test',
        'Content-Type: application/json',
        'Connection: close',
        ...lines,
        '',
        '',
      ].join('\r\n');
    // The body is never sent: the response does not wait for it.
    const large = await sendRaw(at.port, head(['Content-Length: 1000000']));
    assert.match(large, /^HTTP\/1\.1 413 /);
    const forged = await sendRaw(at.port, head(['Content-Length: 1000000', 'Authorization: Bearer rg_forged']));
    assert.match(forged, /^HTTP\/1\.1 401 [\s\S]*"code":"UNAUTHENTICATED"/);
    assert.equal(
      at.engine.seen.some(({ bytes }) => bytes === 1_000_000),
      false,
    );
  });

  it('refuse deep nesting, in bodies and in addresses', async () => {
    const deep = `{"query":"{ hello }","variables":{"a":${'['.repeat(19)}${']'.repeat(19)}}}`;
    const refused = await post(deep, KEY);
    assert.equal(refused.status, 400);
    assert.match((await errorsOf(refused)).errors[0]?.message ?? '', /nested more than 20 levels/);
    const search = new URLSearchParams({ query: '{ hello }', variables: `{"a":${'['.repeat(20)}${']'.repeat(20)}}` });
    assert.equal((await at.fetch(`/graphql?${search}`, { headers: { authorization: KEY.authorization } })).status, 400);
    assert.equal((await post(deep.replace('[[', '[').replace(']]', ']'), KEY)).status, 200);
  });
});
