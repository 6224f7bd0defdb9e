import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { adminBeside } from '../../../e2e/support/instances.ts';
import { until } from '../../../server/src/testing/until.ts';
import { ProxiedPlatform, type PublishedVideo, tusHeaders } from './platform.ts';
import { PROXIES, RunningProxy } from './running-proxy.ts';
import { TestClient } from './tls-client.ts';

const MB = 1_000_000;
const WHOLE_UPLOAD = 300 * MB;
const ANNOUNCED = 5_000 * MB;
const SENT = 64 * MB;
/** How long an event may take: far less than an idle stream to its next sign of life, which comes after 15 s. */
const SOON_MS = 3_000;
const SUBSCRIPTION = 'subscription { eventsAfter { type subject } }';
const RENAME = 'mutation ($id: DID!, $input: ContentInput!) { updateContent(id: $id, input: $input) { id } }';

describe('the platform behind a proxy', { concurrency: 1 }, () => {
  let platform: ProxiedPlatform;
  let open: PublishedVideo;
  let secret: PublishedVideo;

  before(async () => {
    platform = await ProxiedPlatform.start();
    open = await platform.publish('PUBLIC');
    secret = await platform.publish('PRIVATE');
  });
  after(() => platform?.stop());

  for (const example of PROXIES)
    describe(example.name, () => {
      let proxy: RunningProxy;
      let client: TestClient;

      before(async () => {
        proxy = await RunningProxy.start(example, platform.ports, platform.certificate);
        client = new TestClient(platform.ports.https, readFileSync(platform.certificate.certFile, 'utf8'));
      });
      after(() => proxy?.stop());

      it('speaks HTTP/2', async () => {
        assert.deepEqual(await client.askHttp2('/healthz'), { status: 200, protocol: 'h2' });
      });

      it('passes on an upload of 5 GB while it is sent', async () => {
        const { path } = await platform.openUpload({ title: 'Five gigabytes', size: ANNOUNCED, publish: false });
        const before = platform.storedBytes();
        const headers = { ...platform.authorization, ...tusHeaders(0, ANNOUNCED) };
        const upload = client.open(path, { method: 'PATCH', headers });
        const failed = once(upload, 'error');
        await writeAll(upload, SENT);
        await until(
          () => platform.storedBytes() - before >= SENT / 2,
          () => `only ${platform.storedBytes() - before} bytes have reached the platform`,
        );
        upload.destroy(new Error('enough'));
        await failed;
        await until(async () => {
          const { status } = await client.ask(path, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } });
          return status === 204;
        }, 'the upload does not end');
      });

      it('takes a file of 300 MB', async (t) => {
        const { path } = await platform.openUpload({ title: 'A large file', size: WHOLE_UPLOAD, publish: false });
        const begun = performance.now();
        const upload = client.open(path, { method: 'PATCH', headers: tusHeaders(0, WHOLE_UPLOAD) });
        const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
        await writeAll(upload, WHOLE_UPLOAD);
        upload.end();
        const [response] = await answered;
        response.resume();
        assert.equal(response.statusCode, 204);
        assert.equal(response.headers['upload-offset'], String(WHOLE_UPLOAD));
        t.diagnostic(`${Math.round(WHOLE_UPLOAD / MB / ((performance.now() - begun) / 1_000))} MB/s`);
      });

      it('passes on events at once', async (t) => {
        const stream = client.open('/graphql', {
          method: 'POST',
          headers: { ...platform.authorization, accept: 'text/event-stream' },
        });
        stream.end(JSON.stringify({ query: SUBSCRIPTION }));
        const [response] = (await once(stream, 'response')) as [IncomingMessage];
        assert.equal(response.headers['content-type'], 'text/event-stream; charset=utf-8');
        let received = '';
        response.on('data', (chunk: Buffer) => {
          received += chunk.toString();
        });
        const ms = await untilEvent(() => received.includes(open.id));
        t.diagnostic(`${Math.round(ms)} ms from the call to the event`);
        stream.destroy();
      });

      it('passes on WebSockets', async () => {
        const socket = client.webSocket('/graphql', 'graphql-transport-ws', platform.authorization);
        const messages: string[] = [];
        socket.on('message', (data) => messages.push(String(data)));
        await once(socket, 'open');
        socket.send(JSON.stringify({ type: 'connection_init' }));
        await until(() => messages.some((each) => each.includes('connection_ack')));
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: SUBSCRIPTION } }));
        await untilEvent(() => messages.some((each) => each.includes(open.id)));
        const closed = once(socket, 'close');
        socket.close();
        await closed;
      });

      for (const [name, pathOf] of [
        ['a public segment', () => open.segment],
        ['a private segment', () => secret.segment],
        ['a public download', () => open.download],
        ['a private download', () => secret.download],
      ] as const)
        it(`answers ranges of ${name}`, async () => {
          const whole = (await platform.direct.ask(pathOf())).body;
          assert.ok(whole.length > 1_000, `${whole.length} bytes`);
          const part = await client.ask(pathOf(), { headers: { range: 'bytes=100-299' } });
          assert.equal(part.status, 206);
          assert.equal(part.headers['content-range'], `bytes 100-299/${whole.length}`);
          assert.deepEqual(part.body, whole.subarray(100, 300));
          const end = await client.ask(pathOf(), { headers: { range: 'bytes=-50' } });
          assert.deepEqual([end.status, end.body], [206, whole.subarray(-50)]);
        });

      it('answers 304 for what has not changed', async () => {
        const { headers } = await client.ask(open.segment);
        const again = await client.ask(open.segment, { headers: { 'if-none-match': headers.etag ?? '' } });
        assert.deepEqual([again.status, again.body.length], [304, 0]);
      });

      it('leaves compression to the platform', async () => {
        const plain = await client.ask('/schema.graphql', { headers: { 'accept-encoding': 'identity' } });
        assert.equal(plain.headers['content-encoding'], undefined);
        const [br, gzip] = [await encoded('br'), await encoded('gzip')];
        assert.deepEqual(brotliDecompressSync(br.body), plain.body);
        assert.deepEqual(gunzipSync(gzip.body), plain.body);
        const video = await client.ask(open.segment, { headers: { 'accept-encoding': 'br, gzip' } });
        assert.equal(video.headers['content-encoding'], undefined);
      });

      it('tells the address of the client, and not what it claims', async () => {
        const requestId = `address-${example.name.replaceAll(' ', '-')}`;
        const claims = { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.8', forwarded: 'for=203.0.113.9' };
        await client.ask('/robots.txt', { headers: { 'x-request-id': requestId, ...claims } });
        await until(() => platform.logged(requestId) !== null, 'the request was not logged');
        assert.equal(platform.logged(requestId)?.client, client.address);
      });

      if (example.caches)
        it('keeps what may be kept, and nothing else', async () => {
          const statusOf = async (path: string) => (await client.ask(path)).headers['x-cache-status'];
          await statusOf(open.segment);
          assert.equal(await statusOf(open.segment), 'HIT');
          for (const _ of [1, 2]) assert.equal(await statusOf(secret.segment), 'MISS');
          assert.equal(await statusOf(open.download), undefined);
        });

      if (example.passesRtmp)
        it('passes on RTMP, and RTMPS decrypted', async () => {
          const greeting = Buffer.concat([Buffer.from([3]), Buffer.alloc(1_536)]); // C0 and C1 of the handshake
          const { rtmpIn, rtmps } = platform.ports;
          const answers = [
            await client.exchangeBytes(rtmpIn, greeting, false),
            await client.exchangeBytes(rtmps, greeting, true),
          ];
          assert.deepEqual(
            answers.map(([version]) => version),
            [3, 3],
            'S0 has the version of the protocol',
          );
        });

      it('is found right by the doctor', async () => {
        const env = { ...platform.settings, NODE_EXTRA_CA_CERTS: platform.certificate.certFile };
        const { findings } = (await doctor(env)) as { findings: { check: string; state: string }[] };
        const found = findings.filter(({ check }) => check === 'proxy');
        assert.ok(found.length > 0, 'the doctor has a check of proxies');
        assert.deepEqual(
          found.filter(({ state }) => state === 'problem'),
          [],
        );
      });

      async function encoded(coding: string) {
        const answer = await client.ask('/schema.graphql', { headers: { 'accept-encoding': coding } });
        assert.equal(answer.headers['content-encoding'], coding);
        return answer;
      }

      /**
       * Changes the video until its event is seen, as a subscription begins some time after it was sent. Returns the
       * milliseconds since the last change.
       */
      async function untilEvent(isSeen: () => boolean): Promise<number> {
        for (let attempt = 1; attempt <= 5; attempt += 1) {
          const changedAt = performance.now();
          await platform.call(RENAME, { id: open.id, input: { title: `${example.name} ${performance.now()}` } });
          const isOver = () => isSeen() || performance.now() - changedAt > SOON_MS;
          await until(isOver);
          if (isSeen()) return performance.now() - changedAt;
        }
        return assert.fail('no event came');
      }
    });
});

/** Sends so many bytes of a body, as fast as they are taken. */
async function writeAll(upload: ReturnType<TestClient['open']>, size: number): Promise<void> {
  const chunk = Buffer.alloc(MB);
  for (let sent = 0; sent < size; sent += chunk.length) if (!upload.write(chunk)) await once(upload, 'drain');
}

/** Its findings, also where something else of the machine is a problem. */
async function doctor(env: Record<string, string>): Promise<unknown> {
  return adminBeside(env, 'doctor', '--json').catch((error: { stdout: string }) => JSON.parse(error.stdout));
}
