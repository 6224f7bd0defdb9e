import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { GraphqlResult } from '../graphql/graphql-endpoint.ts';
import { GOOD_KEY, startTestServer, type TestServer } from '../testing.ts';

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  gzip: gunzipSync,
};
const ALL = 'gzip, deflate, br, zstd';
const LONG = 'Ein Tag am Meer, schön. '.repeat(1_000);
const SHORT = 'A day at the sea.';
const QUERY = new URLSearchParams({ query: '{ hello }' }).toString();

let at: TestServer;
before(async () => {
  at = await startTestServer();
});
after(() => at.close());

interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** A request without the headers that fetch adds. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${at.address}${path}`, { method, headers }, async (incoming) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer); // no encoding is set
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) });
    });
    outgoing.on('error', reject).end();
  });
}

/** The response to a query whose result is `text`. */
function ask(text: string, headers: Record<string, string>, rest: Partial<GraphqlResult> = {}, method = 'GET') {
  at.engine.next = { body: { data: { hello: text } }, failure: null, ...rest };
  return raw(`/graphql?${QUERY}`, { authorization: `Bearer ${GOOD_KEY}`, ...headers }, method);
}

describe('the compression of responses to operations', () => {
  for (const [accepted, coding] of [
    [ALL, 'zstd'],
    ['gzip, br', 'br'],
    ['gzip, zstd', 'zstd'],
    ['gzip', 'gzip'],
    ['br;q=0.1, gzip', 'gzip'],
  ] as const)
    it(`uses ${coding} for ${accepted}`, async () => {
      const { status, headers, bytes } = await ask(LONG, { 'accept-encoding': accepted });
      assert.deepEqual(
        [status, headers['content-encoding'], headers['content-length'], headers.vary],
        [200, coding, String(bytes.length), 'accept, accept-encoding, reelgraph-version'],
      );
      assert.ok(bytes.length < 2_000);
      assert.deepEqual(JSON.parse(String(DECODERS[coding]?.(bytes))), { data: { hello: LONG } });
    });

  it('leaves out what is short, and what the client does not want', async () => {
    const cases: [text: string, headers: Record<string, string>][] = [
      [SHORT, { 'accept-encoding': ALL }],
      [LONG, {}],
      [LONG, { 'accept-encoding': '' }],
      [LONG, { 'accept-encoding': 'identity' }],
      [LONG, { 'accept-encoding': 'identity, gzip;q=0.5' }],
      [LONG, { 'accept-encoding': 'deflate, *;q=0' }],
    ];
    for (const [text, accepting] of cases) {
      const { headers, bytes } = await ask(text, accepting);
      assert.deepEqual(
        [headers['content-encoding'], headers['content-length'], headers.vary],
        [undefined, String(bytes.length), 'accept, accept-encoding, reelgraph-version'],
        JSON.stringify(accepting),
      );
      assert.deepEqual(JSON.parse(bytes.toString()), { data: { hello: text } });
    }
  });

  it('includes what is short for clients that refuse anything else', async () => {
    const { headers, bytes } = await ask(SHORT, { 'accept-encoding': 'gzip, identity;q=0' });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.deepEqual(JSON.parse(String(gunzipSync(bytes))), { data: { hello: SHORT } });
  });

  it('leaves out what reveals a secret, whatever the client accepts', async () => {
    for (const accepted of [ALL, 'gzip, identity;q=0']) {
      const { headers, bytes } = await ask(LONG, { 'accept-encoding': accepted }, { revealing: true });
      assert.equal(headers['content-encoding'], undefined);
      assert.deepEqual(JSON.parse(bytes.toString()), { data: { hello: LONG } });
    }
  });

  it('has the same headers for HEAD', async () => {
    const got = await ask(LONG, { 'accept-encoding': ALL });
    const head = await ask(LONG, { 'accept-encoding': ALL }, {}, 'HEAD');
    assert.deepEqual([head.headers['content-encoding'], head.bytes.length], ['zstd', 0]);
    assert.equal(head.headers['content-length'], got.headers['content-length']);
  });

  it('leaves out streams', async () => {
    const headers = { 'accept-encoding': 'gzip, identity;q=0', accept: 'text/event-stream' };
    const { headers: sent, bytes } = await ask(LONG, headers);
    assert.deepEqual([sent['content-type'], sent['content-encoding']], ['text/event-stream; charset=utf-8', undefined]);
    assert.match(bytes.toString(), /^:\n\nevent: next\ndata: \{"data"/);
  });
});

describe('the compression of text', () => {
  it('of the styles of error pages and of metrics depends on its size and the client', async () => {
    for (const path of ['/docs/page.css', '/metrics']) {
      const plain = await raw(path);
      assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'accept-encoding'], path);
      const small = await raw(path, { 'accept-encoding': 'gzip, identity;q=0' });
      assert.equal(small.headers['content-encoding'], 'gzip', path);
      const text = gunzipSync(small.bytes).toString();
      if (path !== '/metrics') assert.equal(text, plain.bytes.toString(), path);
      const head = await raw(path, { 'accept-encoding': 'gzip, identity;q=0' }, 'HEAD');
      assert.deepEqual([head.headers['content-encoding'], head.bytes.length], ['gzip', 0], path);
    }
  });
});
