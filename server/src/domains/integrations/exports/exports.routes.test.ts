import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { createRouter } from '../../../http/router.ts';
import { openTestS3Storage, type TestS3Storage } from '../../../platform/storage/testing.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../../catalog/testing.ts';
import { linesOf, order, READ, work } from './exports.fixture.ts';
import { exportRoutes } from './exports.routes.ts';

const DAY_MS = 86_400_000;

const STORES = {
  'the file system': async () => undefined,
  S3: openTestS3Storage,
} as const;

for (const [place, openStorage] of Object.entries(STORES))
  describe(`the file of an export on ${place}`, () => {
    let storage: TestS3Storage | undefined;
    let api: TestCatalog;
    let anna: Person;
    let server: { address: string; close(): Promise<void> };
    let id: string;
    let path: string;
    let text: string;

    before(async () => {
      storage = await openStorage();
      api = await openTestCatalog({ jobs: true, ...(storage && { storage }) });
      anna = await api.person('anna');
      for (let n = 0; n < 30; n += 1) await api.content(anna, { title: `Schöner Tag ${n}`, status: 'PUBLISHED' });
      const match = createRouter(exportRoutes(api.platform));
      const handle: ReturnType<typeof exportRoutes>[number]['handle'] = (incoming, response, context) => {
        const found = match(incoming.method ?? '', context.url.pathname);
        assert.equal(found.kind, 'found');
        if (found.kind === 'found') return found.route.handle(incoming, response, { ...context, params: found.params });
      };
      server = await serveAssetRoutes([{ method: '*', path: '/exports/*', handle }]);
      // Objects with lists are parts of their own.
      const query = '{ contents { edges { node { id metadata { title } comments { edges { node { id } } } } } } }';
      id = await order(api, anna, query);
      await work(api, id, { partBytes: 1 });
      assert.equal((await api.row<{ n: number }>('select count(*)::int as n from data_export_parts')).n, 30);
      text = (await linesOf(api, id)).map((line) => `${JSON.stringify(line)}\n`).join('');
      path = new URL(await address()).pathname;
    });
    after(async () => {
      await server.close();
      await api.close();
      await storage?.close();
    });

    const address = async (): Promise<string> => (await api.ok(anna, READ, { id })).dataExport.url;

    function get(headers: Record<string, string> = {}, { method = 'GET', at = path } = {}) {
      return new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
        const outgoing = request(`${server.address}${at}`, { method, headers }, async (incoming) => {
          const chunks: Buffer[] = [];
          for await (const chunk of incoming) chunks.push(chunk as Buffer); // no encoding is set
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) });
        });
        outgoing.on('error', reject).end();
      });
    }

    it('is sent whole, under a name that says what it is', async () => {
      const { status, headers, bytes } = await get();
      assert.deepEqual([status, bytes.toString()], [200, text]);
      assert.equal(headers['content-length'], String(bytes.length));
      assert.equal(headers['content-type'], 'application/jsonl');
      assert.match(
        headers['content-disposition'] ?? '',
        /^attachment; filename\*=UTF-8''contents-\d{4}-\d\d-\d\d\.jsonl$/,
      );
      assert.equal(headers['cache-control'], 'private, no-store');
    });

    it('is sent uncompressed, whatever the client accepts', async () => {
      const { status, headers, bytes } = await get({ 'accept-encoding': 'gzip, br' });
      assert.deepEqual([status, headers['content-encoding'], bytes.toString()], [200, undefined, text]);
    });

    it('continues at every byte', async () => {
      const whole = Buffer.from(text);
      for (const start of [0, 1, 97, 1_000, whole.length - 1]) {
        const part = await get({ range: `bytes=${start}-`, 'accept-encoding': 'gzip' });
        assert.deepEqual(
          [part.status, part.headers['content-encoding'], part.headers['content-range']],
          [206, undefined, `bytes ${start}-${whole.length - 1}/${whole.length}`],
        );
        assert.ok(part.bytes.equals(whole.subarray(start)));
      }
      const middle = await get({ range: 'bytes=50-149' });
      assert.ok(middle.bytes.equals(whole.subarray(50, 150)));
      const beyond = await get({ range: `bytes=${whole.length}-` });
      assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, `bytes */${whole.length}`]);
    });

    it('has conditions and HEAD', async () => {
      const head = await get({}, { method: 'HEAD' });
      assert.deepEqual([head.status, head.bytes.length], [200, 0]);
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(text)));
      const etag = head.headers.etag ?? '';
      assert.equal((await get({ 'if-none-match': etag })).status, 304);
      assert.equal((await get({ range: 'bytes=0-9', 'if-range': etag })).status, 206);
      assert.equal((await get({ range: 'bytes=0-9', 'if-range': '"other"' })).status, 200);
    });

    it('is found at a genuine address only', async () => {
      const [, , own = '', ticket = '', name = ''] = path.split('/');
      const [expires = '', signature = ''] = ticket.split('.');
      const other = await order(api, anna, '{ contents { edges { node { id } } } }');
      for (const at of [
        `/exports/${own}/${Number(expires) + 1}.${signature}/${name}`,
        `/exports/${own}/${expires}.${signature.slice(1)}x/${name}`,
        `/exports/${other.split('/')[1]}/${ticket}/${name}`,
        `/exports/x/${ticket}/${name}`,
        `/exports/${own}/0/${name}`,
      ])
        assert.equal((await get({}, { at })).status, 404, at);
    });

    it('has an address that expires after a day, the file after a week', async () => {
      const old = path;
      api.clock.advance(DAY_MS + 3_600_000);
      assert.equal((await get({}, { at: old })).status, 401);
      const renewed = new URL(await address()).pathname;
      assert.equal((await get({}, { at: renewed })).status, 200);
      api.clock.advance(5 * DAY_MS + 22 * 3_600_000);
      const last = new URL(await address()).pathname;
      assert.equal((await get({}, { at: last })).status, 200);
      api.clock.advance(3_600_000);
      assert.notEqual((await get({}, { at: last })).status, 200);
      assert.equal((await api.ok(anna, READ, { id })).dataExport.url, null);
    });

    it('may be empty', async () => {
      const none = await order(api, anna, '{ contents(filter: { query: "nothing" }) { edges { node { id } } } }');
      await work(api, none);
      const { url } = (await api.ok(anna, READ, { id: none })).dataExport;
      const { status, headers, bytes } = await get({ 'accept-encoding': 'gzip' }, { at: new URL(url).pathname });
      assert.deepEqual([status, bytes.length, headers['content-encoding']], [200, 0, undefined]);
    });
  });
