import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { accessibilityViolations } from './accessibility.ts';
import { makeCaptionedClip, makeClip, newVisitor, type Platform, startBrowser, startPlatform } from './harness.ts';
import {
  graphql,
  newPerson,
  openDeveloperAccess,
  paste,
  play,
  shownKey,
  signOut,
  signUp,
  untilCaption,
  untilPlaying,
  uploadInStudio,
} from './steps.ts';

let platform: Platform;
let browser: Browser;

before(async () => {
  [platform, browser] = await Promise.all([startPlatform(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await platform?.stop();
});

const PUBLISH = `mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } upload { curlCommand } } }`;
const WAIT = `mutation ($input: WaitForProcessingInput!) { waitForProcessing(input: $input) { status error } }`;

test('a newcomer signs up, takes a key, uploads by the pasted command, and anyone can watch until it is unpublished', async () => {
  const owner = await newVisitor(browser, platform.baseUrl);
  await signUp(owner.page);
  const { key, command } = await openDeveloperAccess(owner.page);
  assert.match(await paste(command, platform.folder), /"authenticated":\s*true/);

  const file = "it's a clip.mp4";
  makeClip(platform.folder, file);
  const { size } = await import('node:fs/promises').then(({ stat }) => stat(`${platform.folder}/${file}`));
  const opened = await graphql(platform.baseUrl, key, PUBLISH, {
    input: { title: 'From the command line', filename: file, size, publish: true },
  });
  assert.equal(opened.body.errors, undefined, JSON.stringify(opened.body.errors));
  const { publishVideo } = opened.body.data as { publishVideo: { content: { id: string }; upload: { curlCommand: string } } }; // as selected
  await paste(publishVideo.upload.curlCommand, platform.folder);
  const waited = await graphql(platform.baseUrl, key, WAIT, { input: { contentId: publishVideo.content.id, timeoutSeconds: 90 } });
  assert.deepEqual(waited.body.data, { waitForProcessing: { status: 'COMPLETE', error: null } });

  const guest = await newVisitor(browser, platform.baseUrl);
  await guest.page.goto('/');
  await guest.page.getByRole('link', { name: 'From the command line' }).first().click();
  await untilPlaying(guest.page);
  await guest.page.mouse.move(400, 300);
  await guest.page.getByRole('button', { name: 'Quality' }).click();
  const levels = await guest.page.getByRole('menuitemradio').allInnerTexts();
  assert.ok(levels.some((level) => level.includes('360p')) && levels.some((level) => level.includes('Auto')), levels.join());
  const address = guest.page.url();
  assert.equal(await guest.page.title(), 'From the command line · Reelgraph');
  const served = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
  assert.match(served, /<meta property="og:title" content="From the command line"/);
  const [, poster = ''] = /<meta property="og:image" content="([^"]+)"/.exec(served) ?? [];
  assert.match((await fetch(poster)).headers.get('content-type') ?? '', /^image\/jpeg/);

  await owner.page.goto('/settings/developer');
  await owner.page.getByText('last used').waitFor();
  await owner.page.goto('/studio');
  await owner.page.getByRole('button', { name: 'Unpublish' }).click();
  await owner.page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
  const late = await newVisitor(browser, platform.baseUrl);
  await late.page.goto(address);
  await late.page.getByRole('heading', { name: 'Not found' }).waitFor();
  await owner.page.goto(address);
  await owner.page.getByText('Not published: only you can see this page').waitFor();
  for (const visitor of [owner, guest, late]) {
    assert.deepEqual(visitor.faults, []);
    await visitor.context.close();
  }
});

test('a creator uploads in the studio, publishes, hides, renames and deletes', async () => {
  const { page, context, faults } = await newVisitor(browser, platform.baseUrl);
  await signUp(page);
  const row = await uploadInStudio(page, makeClip(platform.folder, 'studio.mp4', 3), 'From the studio', false);
  await row.getByRole('button', { name: 'Publish', exact: true }).click({ timeout: 90_000 });
  await row.getByText('Published', { exact: true }).waitFor();
  await row.getByRole('link', { name: 'Edit From the studio' }).click();
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByLabel('Title').fill('Renamed');
  await details.getByLabel(/^Private/).check();
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByText('Saved.').waitFor();
  await page.goto('/studio');
  const renamed = page.getByRole('listitem', { name: 'Renamed' });
  await renamed.getByText('Private').waitFor();
  await renamed.getByRole('link', { name: 'Renamed', exact: true }).click();
  await untilPlaying(page);

  const guest = await newVisitor(browser, platform.baseUrl);
  await guest.page.goto(page.url());
  await guest.page.getByRole('heading', { name: 'Not found' }).waitFor();
  await guest.context.close();

  await page.goto('/studio');
  await page.getByRole('button', { name: 'Delete Renamed' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Nothing here yet').waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test('an upload that one visit began is finished by another, with the same file and no other', async () => {
  const { page, context } = await newVisitor(browser, platform.baseUrl);
  await signUp(page);
  const clip = makeClip(platform.folder, 'halted.mp4', 2);
  await page.route('**/uploads/**', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()));
  await uploadInStudio(page, clip, 'Halted', false);
  const later = await context.newPage();
  await later.goto('/studio');
  const row = later.getByRole('listitem', { name: 'Halted' });
  await row.getByText('The file has not been uploaded yet.').waitFor();
  await row.getByLabel('File for halted.mp4').setInputFiles(makeClip(platform.folder, 'another.mp4', 1));
  await row.getByText('the upload was begun with one of').waitFor();
  await row.getByLabel('File for halted.mp4').setInputFiles(clip);
  await row.getByText('Ready', { exact: true }).waitFor({ timeout: 90_000 });
  await context.close();
});

test('a file that is no video is refused in words the uploader understands', async () => {
  const { page, context } = await newVisitor(browser, platform.baseUrl);
  await signUp(page);
  await page.goto('/studio');
  await page
    .getByLabel('Video file')
    .setInputFiles({ name: 'notes.mp4', mimeType: 'video/mp4', buffer: Buffer.from('Just a few words.\n'.repeat(50)) });
  await page.getByRole('button', { name: 'Upload' }).click();
  const row = page.getByRole('listitem', { name: 'notes' });
  await row.getByText('Failed', { exact: true }).waitFor({ timeout: 60_000 });
  assert.match(await row.innerText(), /text/i);
  await context.close();
});

test('signing out closes the studio, and signing in leads back to where one wanted to be', async () => {
  const { page, context, faults } = await newVisitor(browser, platform.baseUrl);
  const person = await signUp(page);
  await signOut(page);
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  await page.goto('/settings/developer');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Developer Settings' }).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test('a browser whose session was ended elsewhere still sees public pages, and is led to sign in for its own', async () => {
  const { page, context, faults } = await newVisitor(browser, platform.baseUrl);
  await signUp(page);
  const cookies = await context.cookies();
  await signOut(page);
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  await context.addCookies(cookies);
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  for (const own of ['/studio', '/graphql']) {
    await context.addCookies(cookies);
    await page.goto(own);
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test('a taken username is explained at its field', async () => {
  const first = await newVisitor(browser, platform.baseUrl);
  const person = await signUp(first.page);
  const second = await newVisitor(browser, platform.baseUrl);
  await second.page.goto('/sign-up');
  await second.page.getByLabel('Username').fill(person.username);
  await second.page.getByLabel('E-mail').fill(newPerson().email);
  await second.page.getByLabel('Password').fill(person.password);
  await second.page.getByRole('button', { name: 'Create account' }).click();
  await second.page.getByRole('alert').waitFor();
  assert.equal(await second.page.getByLabel('Username').getAttribute('aria-invalid'), 'true');
  await first.context.close();
  await second.context.close();
});

test('regenerating warns about every connected application, and only the confirmed one kills the old key', async () => {
  const { page, context, faults } = await newVisitor(browser, platform.baseUrl);
  await signUp(page);
  const { key } = await openDeveloperAccess(page);
  const works = async (candidate: string): Promise<number> =>
    (await graphql(platform.baseUrl, candidate, '{ verifyConnection { authenticated } }')).status;
  await page.getByRole('button', { name: 'Regenerate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Regenerate the API key?' });
  await dialog.getByText('Every connected application must be updated').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await works(key), 200);
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await dialog.getByRole('button', { name: 'Regenerate' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const next = await shownKey(page);
  assert.notEqual(next, key);
  assert.deepEqual([await works(key), await works(next)], [401, 200]);
  await page.reload();
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByRole('button', { name: 'Copy key' }).waitFor();
  assert.equal(await shownKey(page), next);
  assert.deepEqual(faults, []);
  await context.close();
});

test('the player obeys the keyboard', async () => {
  const { page, context, faults } = await newVisitor(browser, platform.baseUrl);
  await signUp(page);
  const row = await uploadInStudio(page, makeClip(platform.folder, 'keys.mp4', 12), 'Keys', false);
  await row.getByRole('link', { name: 'Keys', exact: true }).click({ timeout: 90_000 });
  await untilPlaying(page);
  const video = page.locator('video');
  const state = <Value>(property: string): Promise<Value> => page.evaluate(`document.querySelector('video').${property}`);
  await page.keyboard.press('k');
  assert.equal(await state('paused'), true);
  await page.keyboard.press('5');
  assert.ok(Math.abs((await state<number>('currentTime')) - 6) < 0.5);
  await page.keyboard.press('ArrowLeft');
  assert.ok(Math.abs((await state<number>('currentTime')) - 1) < 0.5);
  await page.keyboard.press('l');
  assert.ok(Math.abs((await state<number>('currentTime')) - 11) < 0.5);
  await page.keyboard.press('m');
  await page.keyboard.press('>');
  assert.deepEqual([await state('muted'), await state('playbackRate')], [true, 1.25]);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Quality' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.match(await page.getByRole('button', { name: 'Quality' }).innerText(), /^\d+p/);
  await page.reload();
  await video.waitFor();
  assert.equal(await state('muted'), true);
  assert.deepEqual(faults, []);
  await context.close();
});

test('captions that came with the file are chosen in the player, toggled by a key and remembered', async () => {
  const { page, context, faults } = await newVisitor(browser, platform.baseUrl);
  await signUp(page);
  const cue = (text: string): string => `1\n00:00:01,000 --> 00:00:07,000\n${text}\n`;
  const clip = makeCaptionedClip(platform.folder, 'talk.mp4', { ger: cue('Guten <i>Morgen</i>'), eng: cue('Good morning') });
  const row = await uploadInStudio(page, clip, 'Talk', false);
  await row.getByRole('link', { name: 'Talk', exact: true }).click({ timeout: 90_000 });
  await untilPlaying(page);
  await page.keyboard.press('k');
  const shown = (text: string | null): Promise<void> => untilCaption(page, text);
  await shown(null);
  const menu = page.getByRole('button', { name: 'Captions' });
  await menu.click();
  assert.deepEqual(await page.getByRole('menuitemradio').allInnerTexts(), ['Off', 'Deutsch', 'English']);
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await page.keyboard.press('5');
  await shown('Good morning');
  const start = await page.evaluate<number>(
    "[...document.querySelector('video').textTracks].flatMap((t) => [...(t.activeCues ?? [])])[0].startTime",
  );
  assert.ok(Math.abs(start - 1) < 0.02, `the caption starts at ${start} s`);
  await page.keyboard.press('c');
  await shown(null);
  await page.keyboard.press('c');
  await shown('Good morning');
  await menu.click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await shown('Guten Morgen');
  await page.reload();
  await page.getByText('/ 0:08').waitFor();
  await page.keyboard.press('5');
  await shown('Guten Morgen');
  await menu.click();
  await page.getByRole('menuitemradio', { name: 'Off' }).click();
  await shown(null);
  await page.reload();
  await page.getByText('/ 0:08').waitFor();
  await menu.waitFor();
  await page.keyboard.press('5');
  await shown(null);
  assert.deepEqual(faults, []);
  await context.close();
});

test('playback survives a lost connection', async () => {
  const { page, context } = await newVisitor(browser, platform.baseUrl);
  await signUp(page);
  const row = await uploadInStudio(page, makeClip(platform.folder, 'long.mp4', 120, '320x180'), 'Long', false);
  await row.getByRole('link', { name: 'Long', exact: true }).waitFor({ timeout: 120_000 });
  const address = await row.getByRole('link', { name: 'Long', exact: true }).getAttribute('href');
  await page.goto(address ?? '');
  await page.locator('video').waitFor();
  await play(page);
  await context.setOffline(true);
  await page.keyboard.press('9');
  await page.getByText('Reconnecting…').waitFor();
  await context.setOffline(false);
  await page.getByText('Reconnecting…').waitFor({ state: 'hidden' });
  await untilPlaying(page);
  await context.close();
});

test('the explorer opens for signed-in browsers, knows the schema and runs a query', async () => {
  const { page, context, faults } = await newVisitor(browser, platform.baseUrl);
  await page.goto('/graphql');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  const person = newPerson();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Username').fill(person.username);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.locator('.graphiql-query-editor').getByText('verifyConnection').waitFor();
  await page.locator('.result-window .CodeMirror').waitFor();
  await page.getByRole('button', { name: /Execute query/ }).click();
  await page.locator('.result-window').getByText(person.username).first().waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test('every page is usable by keyboard and screen reader, in both lights and on a narrow phone', async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    const { page, context, faults } = await newVisitor(browser, platform.baseUrl, { colorScheme, viewport: { width: 360, height: 740 } });
    const found: string[] = [];
    const check = async (path: string): Promise<void> => {
      await page.goto(path);
      await page.locator('h1').waitFor();
      found.push(...(await accessibilityViolations(page)).map((fault) => `${colorScheme} ${path}: ${fault}`));
    };
    for (const path of ['/', '/sign-in', '/sign-up', '/nowhere']) await check(path);
    await signUp(page);
    for (const path of ['/', '/studio', '/settings/developer']) await check(path);
    assert.deepEqual(found, []);
    await page.goto('/');
    await page.locator('h1').waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').innerText(), 'Skip to the content');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator(':focus').getAttribute('id'), 'main');
    assert.deepEqual(faults, []);
    await context.close();
  }
});
