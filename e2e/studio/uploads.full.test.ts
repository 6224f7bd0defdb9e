import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeClip, makePaddedClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, uploadDock, uploadInStudio } from '../support/steps.ts';

/** The upload dock: several files, broken connections, reloads, and files that are refused. */
const stage = sharedStage();
/** Bytes a second. */
const SLOW = 50_000;

test('five files are dropped, the network is cut in the middle of two, and all are published in the end', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const names = ['One', 'Two', 'Three', 'Four', 'Five'];
  const clips = names.map((name) => makePaddedClip(stage.folder, `${name}.mp4`));
  await page.goto('/studio/channel');
  await page.getByRole('heading', { level: 1, name: 'Channel' }).waitFor();
  const network = await context.newCDPSession(page);
  const emulate = (offline: boolean, uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput });
  // So slow that both are being sent when it is cut, also on a busy machine.
  await emulate(false, SLOW);
  await dropFiles(page, clips);
  const dock = uploadDock(page);
  const item = (name: string) => dock.getByRole('listitem', { name, exact: true });
  const partOf = async (name: string) =>
    Number(await item(name).getByRole('progressbar').getAttribute('aria-valuenow', { timeout: 500 }));
  for (const name of ['One', 'Two']) {
    await until(async () => (await partOf(name).catch(() => 0)) > 0, `${name} is not sent`);
    await item(name).getByText(/kB\/s/).waitFor();
  }
  await emulate(true, SLOW);
  for (const name of ['One', 'Two']) await item(name).getByText('No network.').waitFor();
  assert.ok((await partOf('One')) < 100 && (await partOf('Two')) < 100);
  assert.deepEqual(await accessibilityViolations(page), []);
  await emulate(false, -1);
  // They stay beside other pages.
  await page.getByRole('navigation', { name: 'Studio' }).getByRole('link', { name: 'Playlists' }).click();
  for (const name of names)
    await item(name)
      .getByText(/^(Playable|Ready)/)
      .waitFor({ timeout: 90_000 });
  const listed = async () => {
    const document =
      'query ($id: DID!) { channel(id: $id) { contents { edges { node { status metadata { title visibility } } } } } }';
    const { channel } = await callApi<Listed>(stage.baseUrl, member.key, document, { id: member.channelId });
    return channel.contents.edges.map(
      ({ node }) => `${node.metadata.title} ${node.status} ${node.metadata.visibility}`,
    );
  };
  assert.deepEqual(
    await listed(),
    names.toReversed().map((name) => `${name} READY PRIVATE`),
  );
  for (const name of names) {
    await item(name)
      .getByRole('button', { name: `Edit details of ${name}` })
      .click();
    const details = page.getByRole('dialog', { name: 'Details' });
    await details.getByLabel(/^Public/).check();
    await details.getByRole('button', { name: 'Save' }).click();
    await details.waitFor({ state: 'detached' });
  }
  assert.deepEqual(
    await listed(),
    names.toReversed().map((name) => `${name} PUBLISHED PUBLIC`),
  );
  // What is on the server is not found again.
  await page.reload();
  const isForgotten = async () => (await page.evaluate("localStorage.getItem('reelgraph.uploads')")) === null;
  await until(isForgotten, 'the uploads are found again');
  assert.equal(await dock.count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

const PUBLISH = 'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } } }';

interface Published {
  readonly publishVideo: { readonly content: { readonly id: string } };
}

interface Listed {
  readonly channel: {
    readonly contents: {
      readonly edges: readonly {
        readonly node: { readonly status: string; readonly metadata: { title: string; visibility: string } };
      }[];
    };
  };
}

/** Drops files on the page, as from another window. */
async function dropFiles(page: Page, paths: readonly string[]): Promise<void> {
  const files = await Promise.all(
    paths.map(async (path) => ({ name: basename(path), base64: await readFile(path, 'base64') })),
  );
  const drop = `((files) => {
    const dataTransfer = new DataTransfer();
    for (const { name, base64 } of files) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], name, { type: 'video/mp4' }));
    }
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  })(${JSON.stringify(files)})`;
  await page.evaluate(drop);
}

test('an upload continues by itself after a reload, and on another device with the same file only', async () => {
  const { page, context, member } = await stage.signedIn();
  const clip = makeClip(stage.folder, 'halted.mp4', 2);
  await page.route('**/uploads/**', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await uploadInStudio(page, clip, 'Halted', false);
  await uploadDock(page).getByText('The server cannot be reached. Trying again…', { exact: true }).waitFor();
  const elsewhere = await stage.signedIn({}, member);
  await elsewhere.page.goto('/studio/videos');
  const row = elsewhere.page.getByRole('row', { name: 'Halted' });
  await row.getByText('The file has not been uploaded yet.').waitFor();
  await row.getByLabel('File for halted.mp4').setInputFiles(makeClip(stage.folder, 'another.mp4', 1));
  await row.getByText('the upload was started with a file of').waitFor();
  await elsewhere.context.close();

  await page.unroute('**/uploads/**');
  await page.reload();
  const item = uploadDock(page).getByRole('listitem', { name: 'Halted' });
  await item.getByText('Ready', { exact: true }).waitFor({ timeout: 90_000 });
  await context.close();
});

test('a file that changed on disk during its upload is said to have, and can be uploaded as it is now', async () => {
  const { page, context } = await stage.signedIn();
  // A browser that cannot keep a copy of the file.
  await page.addInitScript('navigator.storage.estimate = async () => ({ quota: 0, usage: 0 })');
  const clip = makeClip(stage.folder, 'changing.mp4', 1);
  await page.route('**/uploads/**', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await uploadInStudio(page, clip, 'Changing', true);
  const item = uploadDock(page).getByRole('listitem', { name: 'Changing' });
  await item.getByText('The server cannot be reached.').waitFor();
  appendFileSync(clip, Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65])); // an empty `free` box
  await item.getByText('changing.mp4 was changed, moved or deleted on this device.').waitFor();
  await page.unroute('**/uploads/**');
  await item.getByLabel('File for changing.mp4').setInputFiles(clip);
  await item.getByText('the upload was started with a file of').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await item.getByRole('button', { name: 'Upload this file instead' }).click();
  await item.getByText('Public', { exact: true }).waitFor({ timeout: 90_000 });
  await context.close();
});

test('a cancelled upload leaves nothing behind but a draft in the trash', async () => {
  const { page, context } = await stage.signedIn();
  await page.route('**/uploads/**', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await uploadInStudio(page, makeClip(stage.folder, 'cancelled.mp4', 1), 'Cancelled', false);
  await uploadDock(page).getByRole('button', { name: 'Pause Cancelled' }).click();
  await page.unroute('**/uploads/**');
  await page.reload();
  await uploadDock(page)
    .getByText(/^Paused at 0 B of/)
    .waitFor();
  await uploadDock(page).getByRole('button', { name: 'Cancel Cancelled' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel upload' }).click();
  await uploadDock(page).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('No videos yet').waitFor();
  assert.equal(await uploadDock(page).count(), 0);
  await context.close();
});

test('a file beyond the limits is refused with the reason, beside one that is recognized as a short', async () => {
  const { page, context } = await stage.signedIn();
  await page.goto('/studio/videos');
  const good = {
    name: 'good.mp4',
    mimeType: 'video/mp4',
    buffer: await readFile(makeClip(stage.folder, 'good.mp4', 1, '90x160')),
  };
  const empty = { name: 'empty.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(0) };
  await page.getByLabel('Video files').setInputFiles([empty, good]);
  const dock = uploadDock(page);
  const refused = dock.getByRole('listitem', { name: 'empty' });
  await refused.getByRole('alert').getByText('empty files cannot be uploaded').waitFor();
  await refused.getByRole('button', { name: 'Try again' }).waitFor();
  const portrait = dock.getByRole('listitem', { name: 'good' });
  await portrait.getByText('Short · Private').waitFor();
  await portrait.getByText('Ready', { exact: true }).waitFor({ timeout: 90_000 });
  await page
    .getByRole('row', { name: 'good' })
    .getByText(/^Short/)
    .waitFor();
  await dock.getByRole('heading', { name: '1 of 2 uploads failed' }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await context.close();
});

test('a video whose address failed is fetched from another one, and a wrong address is refused at its field', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const clip = await readFile(makeClip(stage.folder, 'fetched.mp4', 3));
  const source = createServer(({ url }, response) => {
    if (url === '/fetched.mp4') response.end(clip);
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => source.listen(stage.receiverPort, '127.0.0.1', done));
  const at = (name: string) => `http://127.0.0.1:${stage.receiverPort}/${name}`;
  const input = { title: 'Fetched', sourceUrl: at('gone.mp4'), visibility: 'PRIVATE', publish: false };
  const { publishVideo } = await callApi<Published>(stage.baseUrl, member.key, PUBLISH, { input });
  await page.goto('/studio/videos');
  await page
    .getByRole('row', { name: 'Fetched' })
    .getByText(/status 404/)
    .waitFor({ timeout: 60_000 });
  await page.goto(`/studio/content/${publishVideo.content.id.split('/').at(-1)}`);
  await page.getByRole('link', { name: 'Upload another file' }).click();
  const panel = page.getByRole('region', { name: 'Video file', exact: true });
  const field = panel.getByLabel('Or the address of a file');
  const fetchFile = panel.getByRole('button', { name: 'Fetch file' });
  await field.fill('http://10.0.0.1/fetched.mp4');
  await fetchFile.click();
  await panel.getByRole('alert').getByText('10.0.0.1 is not on the public internet.').waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await accessibilityViolations(page), []);
  await field.fill(at('fetched.mp4'));
  await fetchFile.click();
  await panel.getByRole('button', { name: 'Replace video' }).waitFor({ timeout: 60_000 });
  assert.equal(await page.getByText(/status 404/).count(), 0);
  assert.equal(await field.inputValue(), '');
  assert.deepEqual(errors, []);
  await new Promise((done) => source.close(done));
  await context.close();
});

test('a file that is not a video is refused with a message', async () => {
  const { page, context } = await stage.signedIn();
  await page.goto('/studio/videos');
  await page
    .getByLabel('Video files')
    .setInputFiles({ name: 'notes.mp4', mimeType: 'video/mp4', buffer: Buffer.from('Just a few words.\n'.repeat(50)) });
  await page.getByRole('dialog', { name: 'Details' }).getByRole('button', { name: 'Save' }).click();
  const item = uploadDock(page).getByRole('listitem', { name: 'notes' });
  await item.getByText(/text/i).waitFor({ timeout: 60_000 });
  const row = page.getByRole('row', { name: 'notes' });
  await row.getByText(/text/i).waitFor();
  await uploadDock(page).getByRole('heading', { name: '1 of 1 upload failed' }).waitFor();
  await context.close();
});
