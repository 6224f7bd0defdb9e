import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { codeOfGuide } from '../../server/src/docs/testing.ts';
import { newVisitor } from '../support/browser.ts';
import { makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, graphql } from '../support/steps.ts';

/** The guide "Call the API from a web page": its page on another server, with the built client. */
const ROOT = join(import.meta.dirname, '../..');
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' };
const stage = sharedStage();
let site: Server;
/** On another site than the platform, which is at localhost. */
let elsewhere: string;
let key: string;
let clip: { readonly path: string; readonly bytes: number };

before(async () => {
  const client = join(stage.folder, 'reelgraph');
  // As the package is built; its types are checked elsewhere.
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), [
    ...['-p', join(ROOT, 'clients/typescript/tsconfig.build.json'), '--outDir', client],
    ...['--noCheck', '--declaration', 'false'],
  ]);
  const [page = ''] = await codeOfGuide('web-pages', 'html');
  site = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const text =
      pathname === '/'
        ? page.replace('http://localhost:4000', stage.baseUrl)
        : pathname.startsWith('/reelgraph/') &&
          (await readFile(join(stage.folder, pathname), 'utf8').catch(() => null));
    if (!text) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(pathname)] ?? TYPES['.html'] }).end(text);
  });
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  elsewhere = `http://127.0.0.1:${(site.address() as AddressInfo).port}`; // it listens on TCP
  ({ key } = await stage.account());
  const path = makeClip(stage.folder, 'harbour.mp4', 3, '320x180');
  await appendFile(path, freeBox(4 * 1024 * 1024));
  clip = { path, bytes: (await stat(path)).size };
});

after(async () => {
  site?.close();
  site?.closeAllConnections();
});

/** Padding (ISO/IEC 14496-12, 8.1.2): a file that takes a while to send, but not to process. */
function freeBox(bytes: number): Buffer {
  const box = Buffer.alloc(bytes);
  box.writeUInt32BE(bytes, 0);
  box.write('free', 4, 'latin1');
  return box;
}

/** The text of the page, or the first number of a byte count. */
const said = (page: Page) => page.getByRole('status').innerText();
const sentBytes = async (page: Page) => Number(/^(\d+) of \d+ bytes$/.exec(await said(page))?.[1] ?? Number.NaN);

async function untilSent(page: Page, bytes: number): Promise<number> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const sent = await sentBytes(page);
    if (sent >= bytes) return sent;
    assert.ok(Date.now() < deadline, `the page shows "${await said(page)}", not ${bytes} bytes`);
    await page.waitForTimeout(50);
  }
}

async function begin(page: Page): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('Video').setInputFiles(clip.path);
  await page.getByRole('button', { name: 'Upload' }).click();
}

test('a page of another site uploads through a broken connection and a closed page, and follows events', async () => {
  const { page, context, errors } = await newVisitor(stage.browser, elsewhere);
  const network = await context.newCDPSession(page);
  const connect = (offline: boolean, uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput });
  const offsets: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  await page.goto('/');
  const slow = Math.ceil(clip.bytes / 12);
  await network.send('Network.enable');
  await connect(false, slow);
  await begin(page);
  const before = await untilSent(page, 1);

  const broken = page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH');
  await connect(true, slow);
  await broken;
  await connect(false, slow);
  const reached = await untilSent(page, before + 1);
  assert.ok(reached < clip.bytes, 'the page is left while the file is on its way');

  await page.reload();
  const first = offsets.length;
  await connect(false, -1);
  await begin(page);
  await page.getByRole('status').getByText('Published').waitFor({ timeout: 90_000 });
  assert.ok((offsets[first] ?? 0) >= reached, `went on at ${offsets[first]}, not behind ${reached}`);
  const item = page.getByRole('listitem').filter({ hasText: 'CONTENT_PUBLISHED' });
  await item.waitFor();

  const id = (await item.innerText()).split(' ')[1] ?? '';
  const text =
    'query ($id: DID!) { content(id: $id) { status metadata { title } assets { videos(first: 1) { edges { node ' +
    '{ sizeBytes } } } } } }';
  const { content } = await callApi<{ content: unknown }>(stage.baseUrl, key, text, { id });
  const videos = { edges: [{ node: { sizeBytes: clip.bytes } }] };
  assert.deepEqual(content, { status: 'PUBLISHED', metadata: { title: 'harbour.mp4' }, assets: { videos } });
  assert.deepEqual(errors, []);
  await context.close();
});

test('a page of another site uploads to an upload address without a key', async () => {
  const announce = (await codeOfGuide('web-pages', 'graphql'))[0] ?? '';
  const input = { title: 'From a visitor', filename: 'a.mp4', size: 5 };
  const { body } = await graphql(stage.baseUrl, key, announce, { input });
  const { publishVideo } = body.data as { publishVideo: { upload: { endpoint: string } } }; // as selected
  const [send = ''] = await codeOfGuide('web-pages', 'js');
  const { page, context } = await newVisitor(stage.browser, elsewhere);
  await page.goto('/');
  const program = `(async () => {
    const endpoint = ${JSON.stringify(publishVideo.upload.endpoint)};
    const file = new File(['bytes'], 'a.mp4', { type: 'video/mp4' });
    const answer = ${send.replace(/;\s*$/, '')};
    return (await answer.json()).upload.state;
  })()`;
  assert.equal(await page.evaluate(program), 'FINISHED');
  await context.close();
});

test('the session of a signed-in visitor cannot be used by pages of other origins', async () => {
  // An additional header on every request would cause preflights.
  const { page, context, member } = await stage.signedIn({ extraHTTPHeaders: {} });
  await page.goto('/');
  const whoAmI = (init: object) =>
    page.evaluate<string>(`(async () => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: '{"query":"{ me { username } }"}', ...${JSON.stringify(init)} };
      const answer = await fetch('${stage.baseUrl}/graphql', init).catch((error) => error);
      return answer instanceof Error ? answer.name : answer.status + ' ' + (await answer.text());
    })()`);
  const asText = { headers: { 'content-type': 'text/plain' } };
  assert.match(await whoAmI({}), new RegExp(`^200 .*"${member.username}"`), 'its own pages use the session');
  const sibling = elsewhere.replace('127.0.0.1', 'localhost');
  for (const origin of [sibling, elsewhere]) {
    await page.goto(origin);
    assert.match(await whoAmI({}), /^401 .*"UNAUTHENTICATED"/, origin);
    for (const init of [{}, asText])
      assert.equal(await whoAmI({ ...init, credentials: 'include' }), 'TypeError', origin);
  }
  await context.close();
});
