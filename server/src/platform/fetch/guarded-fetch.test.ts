import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, it } from 'node:test';
import { AppError } from '../../kernel/errors.ts';
import { until } from '../../testing/until.ts';
import { readFetchAllow } from './fetch-allow.ts';
import { createGuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts';

let server: Server;
let port: number;
let requests: string[] = [];
const ROUTES: Record<string, RequestListener> = {
  '/video.mp4': (_, response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end('a video'),
  '/missing': (_, response) => response.writeHead(404).end('no'),
  '/chunked': (_, response) => {
    response.write('12345');
    response.end('67890');
  },
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/relative': (_, response) => response.writeHead(301, { location: 'video.mp4' }).end(),
  '/to-private': (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/video.mp4` }).end(),
  '/to-file': (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/broken': (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('some', () => response.destroy());
  },
  '/slow': (_, response) => void response.writeHead(200).write('x'),
};

before(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    (ROUTES[request.url ?? ''] ?? ROUTES['/missing'])?.(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** `trusted.test` is on the operator's list, `rebound.test` is not; both resolve to loopback. */
const resolve = async (host: string) =>
  host === 'mixed.test' ? ['8.8.8.8', '127.0.0.1'] : host.endsWith('.test') ? ['127.0.0.1'] : [];

async function fetchText(
  url: string,
  options: Partial<GuardedFetchOptions> & { maxBytes?: number; timeoutMs?: number } = {},
) {
  requests = [];
  const { fetch, close } = createGuardedFetch({ allow: readFetchAllow('trusted.test'), resolve, ...options });
  try {
    const fetched = await fetch(url, { maxBytes: options.maxBytes ?? 1_000, timeoutMs: options.timeoutMs ?? 5_000 });
    return { ...fetched, text: (await buffer(fetched.stream)).toString() };
  } finally {
    await close();
  }
}

const invalid = (pattern: RegExp) => (error: unknown) =>
  error instanceof AppError &&
  error.code === 'INVALID_INPUT' &&
  error.field === 'sourceUrl' &&
  pattern.test(error.message);

it('fetches from a host the operator lists, with size and type', async () => {
  const fetched = await fetchText(`http://trusted.test:${port}/video.mp4`);
  assert.equal(fetched.text, 'a video');
  assert.equal(fetched.contentType, 'video/mp4');
});

it('follows redirects, relative ones too', async () => {
  const fetched = await fetchText(`http://trusted.test:${port}/relative`);
  assert.equal(fetched.text, 'a video');
  assert.equal(fetched.url, `http://trusted.test:${port}/video.mp4`);
});

it('allows a listed host with a port for that port only', async () => {
  await fetchText(`http://trusted.test:${port}/video.mp4`, { allow: readFetchAllow(`other, TRUSTED.test:${port} `) });
  await assert.rejects(
    fetchText(`http://trusted.test:${port}/video.mp4`, { allow: readFetchAllow('trusted.test:1') }),
    invalid(/not on the public internet/),
  );
});

it('refuses a host with any private address, before sending anything', async () => {
  for (const url of [`http://rebound.test:${port}/video.mp4`, `http://mixed.test:${port}/video.mp4`]) {
    await assert.rejects(fetchText(url), invalid(/not on the public internet/));
  }
  assert.deepEqual(requests, []);
});

it('refuses private addresses in any notation', async () => {
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0',
    '169.254.169.254',
    '10.0.0.1',
  ]) {
    await assert.rejects(fetchText(`http://${host}:${port}/video.mp4`), invalid(/not on the public internet/), host);
  }
  assert.deepEqual(requests, []);
});

it('refuses localhost through the real resolver', async () => {
  const { fetch, close } = createGuardedFetch({ allow: readFetchAllow('') });
  await assert.rejects(
    fetch(`http://localhost:${port}/video.mp4`, { maxBytes: 10, timeoutMs: 5_000 }),
    invalid(/not on the public internet/),
  );
  await close();
});

it('refuses a redirect to a private address', async () => {
  await assert.rejects(fetchText(`http://trusted.test:${port}/to-private`), invalid(/not on the public internet/));
  assert.deepEqual(requests, ['/to-private']);
});

it('refuses redirects to other schemes, and redirect loops', async () => {
  await assert.rejects(fetchText(`http://trusted.test:${port}/to-file`), invalid(/"file:" are not supported/));
  await assert.rejects(fetchText(`http://trusted.test:${port}/loop`), invalid(/more than 5 times/));
  assert.equal(requests.length, 6);
});

for (const [url, pattern] of [
  ['not an address', /not a URL/],
  ['ftp://example.com/a', /"ftp:" are not supported/],
  ['file:///etc/passwd', /"file:" are not supported/],
  ['http://user:secret@example.com/', /username or password/],
  [`http://example.com/${'a'.repeat(3_000)}`, /longer than/],
  ['http://unknown.invalid/', /no host named unknown.invalid/],
] as const) {
  it(`refuses ${url.slice(0, 40)}`, () => assert.rejects(fetchText(url), invalid(pattern)));
}

it('refuses any status but 200', async () => {
  await assert.rejects(fetchText(`http://trusted.test:${port}/missing`), invalid(/status 404/));
});

it('refuses responses that are too large, declared or not', async () => {
  await assert.rejects(
    fetchText(`http://trusted.test:${port}/video.mp4`, { maxBytes: 6 }),
    invalid(/larger than 6 bytes/),
  );
  await assert.rejects(
    fetchText(`http://trusted.test:${port}/chunked`, { maxBytes: 9 }),
    invalid(/larger than 9 bytes/),
  );
  assert.equal((await fetchText(`http://trusted.test:${port}/chunked`, { maxBytes: 10 })).text, '1234567890');
});

it('reports an interrupted transfer as retryable', async () => {
  await assert.rejects(
    fetchText(`http://trusted.test:${port}/broken`),
    (error) => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE',
  );
});

it('reports an interruption before the body is read', async () => {
  const { fetch, close } = createGuardedFetch({ allow: readFetchAllow('trusted.test'), resolve });
  const { stream } = await fetch(`http://trusted.test:${port}/broken`, { maxBytes: 1_000, timeoutMs: 5_000 });
  await until(() => stream.destroyed, 'the transfer breaks off');
  await assert.rejects(buffer(stream), (error) => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE');
  await close();
});

it('times out', async () => {
  await assert.rejects(fetchText(`http://trusted.test:${port}/slow`, { timeoutMs: 200 }), invalid(/took too long/));
});
