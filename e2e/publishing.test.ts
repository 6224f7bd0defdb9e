import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../server/src/testing/until.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { makeClip, makePaddedClip } from './support/clips.ts';
import { sharedStage } from './support/stage.ts';
import {
  callApi,
  chooseInRow,
  graphql,
  openDeveloperAccess,
  openEditTab,
  paste,
  publishInStudio,
  signUp,
  untilPlaying,
  uploadDock,
  uploadInStudio,
} from './support/steps.ts';

/** Publishing: with the curl command, in the studio, over two visits. */
const stage = sharedStage();

const PUBLISH =
  'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) ' +
  '{ content { id } upload { curlCommand } } }';
const WAIT = `mutation ($input: WaitForProcessingInput!) { waitForProcessing(input: $input) { status error } }`;

test('a new user signs up, gets a key, uploads with the curl command, and anyone can watch until it is unpublished', async () => {
  const owner = await stage.visitor();
  await signUp(owner.page);
  const { key, command } = await openDeveloperAccess(owner.page);
  assert.match(await paste(command, stage.folder), /"authenticated":\s*true/);

  const file = "it's a clip.mp4";
  makeClip(stage.folder, file, 5, '640x360');
  const { size } = await stat(join(stage.folder, file));
  const opened = await graphql(stage.baseUrl, key, PUBLISH, {
    input: { title: 'From the command line', filename: file, size, publish: true },
  });
  assert.equal(opened.body.errors, undefined, JSON.stringify(opened.body.errors));
  const { publishVideo } = opened.body.data as {
    publishVideo: { content: { id: string }; upload: { curlCommand: string } };
  }; // as selected
  await paste(publishVideo.upload.curlCommand, stage.folder);
  const waited = await graphql(stage.baseUrl, key, WAIT, {
    input: { contentId: publishVideo.content.id, timeoutSeconds: 90 },
  });
  assert.deepEqual(waited.body.data, { waitForProcessing: { status: 'COMPLETE', error: null } });

  const guest = await stage.visitor();
  await guest.page.goto('/');
  await guest.page.getByRole('link', { name: 'From the command line' }).first().click();
  await untilPlaying(guest.page);
  await guest.page.mouse.move(400, 300);
  await guest.page.getByRole('button', { name: 'Quality' }).click();
  const levels = await guest.page.getByRole('menuitemradio').allInnerTexts();
  assert.ok(
    levels.some((level) => level.includes('360p')) && levels.some((level) => level.includes('Auto')),
    levels.join(),
  );
  const address = guest.page.url();
  assert.equal(await guest.page.title(), 'From the command line · Reelgraph');
  const served = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
  assert.match(served, /<meta property="og:title" content="From the command line"/);
  const [, poster = ''] = /<meta property="og:image" content="([^"]+)"/.exec(served) ?? [];
  assert.match((await fetch(poster)).headers.get('content-type') ?? '', /^image\/jpeg/);

  await owner.page.goto('/settings/developer');
  await owner.page.getByText('last used').waitFor();
  await owner.page.goto('/studio');
  const row = owner.page.getByRole('row', { name: 'From the command line' });
  await chooseInRow(row, 'Unpublish');
  await row.getByText('Ready', { exact: true }).waitFor();
  const late = await stage.visitor();
  await late.page.goto(address);
  await late.page.getByRole('heading', { name: 'Not found' }).waitFor();
  await owner.page.goto(address);
  await owner.page.getByText('Not published: only channel members can see this page').waitFor();
  for (const visitor of [owner, guest, late]) {
    assert.deepEqual(visitor.errors, []);
    await visitor.context.close();
  }
});

test('a creator uploads in the studio, publishes, hides, renames and deletes', async () => {
  const { page, context, errors } = await stage.signedIn();
  const row = await uploadInStudio(page, makeClip(stage.folder, 'studio.mp4', 3), 'From the studio', false);
  await row.getByText('Ready', { exact: true }).waitFor({ timeout: 90_000 });
  await publishInStudio(page, row);
  await row.getByText('Published', { exact: true }).waitFor();
  await row.getByRole('link', { name: 'Edit From the studio' }).click();
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByLabel('Title').fill('Renamed');
  await details.getByText('Unsaved changes').waitFor();
  await openEditTab(page, 'Captions');
  const leaving = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
  await leaving.getByRole('button', { name: 'Keep editing' }).click();
  assert.deepEqual(await accessibilityViolations(page), []);
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByText('Saved.').waitFor();
  await details.getByLabel('Title').fill('Not this');
  await details.getByRole('button', { name: 'Discard changes' }).click();
  assert.equal(await details.getByLabel('Title').inputValue(), 'Renamed');
  await page.getByRole('button', { name: 'Change visibility' }).click();
  const visibility = page.getByRole('dialog', { name: 'Visibility' });
  await visibility.getByLabel(/^Private/).check();
  await visibility.getByRole('button', { name: 'Save' }).click();
  await visibility.waitFor({ state: 'detached' });
  await page.goto('/studio');
  const renamed = page.getByRole('row', { name: 'Renamed' });
  await renamed.getByText('Private').waitFor();
  await renamed.getByRole('link', { name: 'Watch Renamed' }).click();
  await untilPlaying(page);

  const guest = await stage.visitor();
  await guest.page.goto(page.url());
  await guest.page.getByRole('heading', { name: 'Not found' }).waitFor();
  await guest.context.close();

  await page.goto('/studio');
  await chooseInRow(page.getByRole('row', { name: 'Renamed' }), 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No videos yet').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('five files are dropped, the network is cut in the middle of two, and all are published in the end', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const names = ['One', 'Two', 'Three', 'Four', 'Five'];
  const clips = names.map((name) => makePaddedClip(stage.folder, `${name}.mp4`));
  await page.goto('/studio/channel');
  await page.getByRole('heading', { level: 1, name: 'Channel' }).waitFor();
  const network = await context.newCDPSession(page);
  const emulate = (offline: boolean, uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput });
  await emulate(false, 150_000);
  await dropFiles(page, clips);
  const dock = uploadDock(page);
  const item = (name: string) => dock.getByRole('listitem', { name, exact: true });
  const partOf = async (name: string) =>
    Number(await item(name).getByRole('progressbar').getAttribute('aria-valuenow', { timeout: 500 }));
  for (const name of ['One', 'Two']) {
    await until(async () => (await partOf(name).catch(() => 0)) > 0, `${name} is not sent`);
    await item(name).getByText(/kB\/s/).waitFor();
  }
  await emulate(true, 150_000);
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
  await elsewhere.page.goto('/studio');
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
  await item.getByText('Published', { exact: true }).waitFor({ timeout: 90_000 });
  await context.close();
});

test('a cancelled upload leaves nothing behind but a draft in the trash', async () => {
  const { page, context } = await stage.signedIn();
  await page.route('**/uploads/**', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await uploadInStudio(page, makeClip(stage.folder, 'cancelled.mp4', 1), 'Cancelled', false);
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
  await page.goto('/studio');
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

test('a file that is not a video is refused with a message', async () => {
  const { page, context } = await stage.signedIn();
  await page.goto('/studio');
  await page
    .getByLabel('Video files')
    .setInputFiles({ name: 'notes.mp4', mimeType: 'video/mp4', buffer: Buffer.from('Just a few words.\n'.repeat(50)) });
  await page.getByRole('dialog', { name: 'Details' }).getByRole('button', { name: 'Save' }).click();
  const item = uploadDock(page).getByRole('listitem', { name: 'notes' });
  await item.getByText(/text/i).waitFor({ timeout: 60_000 });
  const row = page.getByRole('row', { name: 'notes' });
  await row.getByText('Failed', { exact: true }).waitFor();
  assert.match(await row.innerText(), /text/i);
  await context.close();
});
