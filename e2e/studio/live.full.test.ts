import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { encoders } from '../support/encoder.ts';
import { sharedStage } from '../support/stage.ts';
import { untilFocused, untilPlaying } from '../support/steps.ts';

/** The page "Live" of the studio: inputs, their keys, and what they broadcast. */
const stage = sharedStage();
const publish = encoders();

/** Creates a live input in the page; its card. */
async function createInput(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'New live input' }).click();
  const dialog = page.getByRole('dialog', { name: 'New live input' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create' }).click();
  const card = page.getByRole('listitem', { name, exact: true });
  await card.waitFor();
  return card;
}

test('a creator goes live: an input, its key, an encoder, its health and a preview, and the end', async () => {
  const { page, context, errors } = await stage.signedIn();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
  const reports: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/engagement')) reports.push(request.postData() ?? '');
  });
  await page.goto('/studio');
  await page.getByRole('navigation', { name: 'Studio' }).getByRole('link', { name: 'Live' }).click();
  await page.getByRole('heading', { name: 'No live inputs yet' }).waitFor();

  const card = await createInput(page, 'Harbour camera');
  await untilFocused(page, 'New live input');
  await card.getByText('Not connected').waitFor();
  await card.getByText('Private · low latency · everything is recorded').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);

  await card.getByRole('button', { name: 'Copy address' }).click();
  await card.getByText('Copied').waitFor({ state: 'attached' });
  const address = await copied();
  assert.match(address, /^rtmp:\/\/localhost:\d+\/live$/);
  const shown = card.getByRole('status', { name: 'Stream key' });
  await card.getByRole('button', { name: 'Copy key' }).click();
  let former = '';
  const isCopied = async () => {
    former = await copied();
    return /^[\w-]{32}$/.test(former); // journeys beside this one copy, too
  };
  await until(isCopied, 'the key is not copied');
  assert.equal(await shown.count(), 0, 'copying does not show it');
  await card.getByRole('button', { name: 'Show key' }).click();
  assert.equal(await shown.innerText(), former);
  await card.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog', { name: 'Replace the stream key?' }).getByRole('button', { name: 'New key' }).click();
  await page.getByText('The stream key was replaced.').waitFor();
  const key = await shown.innerText();
  assert.notEqual(key, former);
  await card.getByRole('button', { name: 'Hide key' }).click();
  await shown.waitFor({ state: 'detached' });
  assert.notEqual(await publish(address, former).ended, '', 'the former key is refused');

  const { ended } = publish(address, key);
  await card.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await card.getByText(/^\d+ kbit\/s, \d+ pictures a second$/).waitFor();
  await card.getByText(/^Live since .* · just now · 0 watching now$/).waitFor();
  await untilPlaying(page);
  const isMuted = (): Promise<boolean> => page.evaluate("document.querySelector('video').muted");
  await page.keyboard.press('m');
  assert.equal(await isMuted(), true, 'the keys of the page are not those of the preview');
  await card.getByRole('button', { name: 'Pause (k)' }).focus();
  await page.keyboard.press('m');
  assert.equal(await isMuted(), false, 'while it has the focus, they are');
  await page.keyboard.press('m');
  assert.equal(await card.getByText('Viewers wait long').count(), 0);
  assert.notEqual(await publish(address, key).ended, '', 'another encoder is refused');
  await card.getByText('Another encoder is publishing to this live input.').waitFor();
  await card.getByText(/^The encoder was refused just now$/).waitFor();
  const watch = await card.getByRole('link', { name: 'Harbour camera' }).getAttribute('href');
  assert.match(watch ?? '', /^\/w\/[\w-]{11}$/);
  const edit = await card.getByRole('link', { name: 'Edit stream' }).getAttribute('href');
  assert.match(edit ?? '', /^\/studio\/content\/stream\/[0-9a-f-]{36}/);
  assert.deepEqual(await accessibilityViolations(page), []);

  await card.getByRole('button', { name: 'Clip the last 30 seconds' }).click();
  const form = page.getByRole('dialog', { name: 'New clip' });
  await form.getByText(/^You can clip from 0:00\.0 to 0:\d\d\.\d, at most 10 minutes\./).waitFor();
  assert.equal(await form.getByLabel('Title').inputValue(), 'Clip of Harbour camera');
  assert.equal(await form.getByLabel('Start').inputValue(), '0:00.0');
  assert.deepEqual(await accessibilityViolations(page), []);
  await form.getByLabel('End').fill('soon');
  await form.getByRole('button', { name: 'Save as clip' }).click();
  await form.getByText('Write a time such as 1:02.5.').waitFor();
  await form.getByLabel('End').fill('59:00');
  await form.getByRole('button', { name: 'Save as clip' }).click();
  await form.getByText('The broadcast has not come so far.').first().waitFor();
  await form.getByLabel('End').fill('0:01.5');
  await form.getByRole('button', { name: 'Save as clip' }).click();
  await card.getByText('The clip is being made.').waitFor();
  await untilFocused(page, 'Clip the last 30 seconds');
  const clip = await card.getByRole('link', { name: 'Open the clip' }).getAttribute('href');
  assert.match(clip ?? '', /^\/studio\/content\/[0-9a-f-]{36}$/);

  await card.getByRole('button', { name: 'End broadcast' }).click();
  const dialog = page.getByRole('dialog', { name: 'End broadcast?' });
  await dialog.getByText('The encoder is refused for a minute').waitFor();
  await dialog.getByRole('button', { name: 'End broadcast' }).click();
  await card.getByText('Not connected').waitFor();
  await untilFocused(page, 'Harbour camera');
  await ended;
  assert.equal(await card.locator('video').count(), 0);
  assert.deepEqual(reports, [], 'the preview is no view');
  await page.goto(watch ?? '');
  await page.getByRole('heading', { level: 1, name: 'Harbour camera' }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('a creator broadcasts camera and microphone of the browser, and stops', async () => {
  const { page, context, errors } = await stage.signedIn();
  await page.goto('/studio/live');
  const card = await createInput(page, 'Desk camera');
  await card.getByRole('button', { name: 'Go live from this browser' }).click();
  const own = card.getByRole('region', { name: 'This browser' });
  await own.getByRole('radio', { name: 'Camera' }).waitFor({ state: 'attached' });
  assert.deepEqual(await accessibilityViolations(page), []);
  await own.getByRole('button', { name: 'Start broadcast' }).click();
  await own.getByText('This browser broadcasts. Keep this page open.').waitFor();
  await card.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await card.getByText(/^\d+(?:\.\d+)? [kM]bit\/s, \d+(?:\.\d+)? pictures a second$/).waitFor();
  const preview = card.locator('video:not([aria-label="What is captured"])');
  await until(
    () => preview.evaluate((video) => (video as unknown as { currentTime: number }).currentTime > 3),
    'the preview never played',
  );
  assert.deepEqual(await accessibilityViolations(page), []);
  const watch = (await card.getByRole('link', { name: 'Desk camera' }).getAttribute('href')) ?? '';
  await own.getByRole('button', { name: 'Stop broadcast' }).click();
  await card.getByText('Not connected').waitFor();
  await card.getByRole('button', { name: 'Go live from this browser' }).waitFor();
  await page.goto(watch);
  await page.getByRole('heading', { level: 1, name: 'Desk camera' }).waitFor();
  await untilPlaying(page);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a live input is changed and deleted; what the API refuses is said at its field', async () => {
  const { page, context, errors } = await stage.signedIn();
  await page.goto('/studio/live');
  const card = await createInput(page, 'Garden');
  await createInput(page, 'Attic');
  await card.getByRole('button', { name: 'Edit Garden' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit live input' });
  await dialog.getByLabel('Name').fill(' ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('[name=name][aria-invalid=true]').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await dialog.getByLabel('Name').fill('Terrace');
  await dialog.getByLabel('Visibility').selectOption({ label: 'Unlisted: anyone with the link' });
  await dialog.getByLabel('Latency').selectOption({ label: 'Normal: 5 to 10 seconds, with fewer requests' });
  await dialog.getByLabel('Recording').selectOption({ label: 'Nothing is kept' });
  await dialog.getByLabel('Reconnect window in seconds').fill('2.5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const changed = page.getByRole('listitem', { name: 'Terrace', exact: true });
  await changed.getByText('Unlisted · normal latency · nothing is recorded').waitFor();
  await untilFocused(page, 'Edit Terrace');
  await changed.getByRole('button', { name: 'Edit Terrace' }).click();
  assert.equal(await dialog.getByLabel('Reconnect window in seconds').inputValue(), '2.5');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  for (const [name, next] of [
    ['Attic', 'Edit Terrace'],
    ['Terrace', 'Live'],
  ] as const) {
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('dialog', { name: 'Delete live input?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('listitem', { name, exact: true }).waitFor({ state: 'detached' });
    await untilFocused(page, next);
  }
  await page.getByRole('heading', { name: 'No live inputs yet' }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('a live input also receives SRT, with a passphrase that is replaced with the key', async () => {
  const { page, context, errors } = await stage.signedIn();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/studio/live');
  const card = await createInput(page, 'Bicycle');
  assert.equal(await card.getByText('SRT server').count(), 0);
  await card.getByRole('button', { name: 'Edit Bicycle' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit live input' });
  await dialog.getByLabel('Also receive SRT').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card.getByText(/^srt:\/\/127\.0\.0\.1:\d+$/).waitFor();
  await card.getByText('SRT passphrase: hidden').waitFor({ state: 'attached' });
  assert.deepEqual(await accessibilityViolations(page), []);

  await card.getByRole('button', { name: 'Copy address with passphrase' }).click();
  await card.getByText('Copied').waitFor({ state: 'attached' });
  const address: string = await page.evaluate('navigator.clipboard.readText()');
  assert.match(address, /^srt:\/\/127\.0\.0\.1:\d+\?passphrase=[A-Za-z0-9]{32}$/);
  await card.getByRole('button', { name: 'Show key' }).click();
  const passphrase = card.getByRole('status', { name: 'SRT passphrase' });
  assert.equal(await passphrase.innerText(), address.split('=')[1]);
  await card.getByRole('button', { name: 'New key' }).click();
  const replacing = page.getByRole('dialog', { name: 'Replace the stream key?' });
  await replacing.getByText('The passphrase for SRT is replaced, too.').waitFor();
  await replacing.getByRole('button', { name: 'New key' }).click();
  await page.getByText('The stream key was replaced.').waitFor();
  assert.notEqual(await passphrase.innerText(), address.split('=')[1]);
  assert.deepEqual(await accessibilityViolations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('broadcasts are published at other services, whose stream keys are not shown again', async () => {
  const { page, context, errors } = await stage.signedIn();
  await page.goto('/studio/live');
  const card = await createInput(page, 'Stage');
  await card.getByText('Broadcasts can be published at other services, too').waitFor();
  await card.getByRole('button', { name: 'Add target' }).click();
  const adding = page.getByRole('dialog', { name: 'New simulcast target' });
  await adding.getByLabel('Name').fill('Other service');
  await adding.getByLabel('Server').fill('rtmp://127.0.0.1/live');
  await adding.getByLabel('Stream key').fill('key-of-the-other-service');
  await adding.getByRole('button', { name: 'Add' }).click();
  await adding.locator('[name=url][aria-invalid=true]').waitFor();
  await adding.getByText('127.0.0.1 is not on the public internet.').first().waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await adding.getByLabel('Server').fill('rtmp://1.1.1.1/live');
  await adding.getByRole('button', { name: 'Add' }).click();
  await adding.waitFor({ state: 'detached' });
  const target = card.getByRole('listitem', { name: 'Other service', exact: true });
  await target.getByText('Ready for the next broadcast').waitFor();
  await untilFocused(page, 'Add target');
  assert.deepEqual(await accessibilityViolations(page), []);

  await target.getByRole('button', { name: 'Disable Other service' }).click();
  await target.getByText('Off', { exact: true }).waitFor();
  await target.getByRole('button', { name: 'Edit Other service' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit simulcast target' });
  assert.equal(await editing.getByLabel('Stream key').inputValue(), '');
  await editing.getByLabel('Name').fill('Second service');
  await editing.getByLabel('Stream key').fill('another-key');
  await editing.getByRole('button', { name: 'Save' }).click();
  const renamed = card.getByRole('listitem', { name: 'Second service', exact: true });
  await renamed.getByText('Off', { exact: true }).waitFor();
  await untilFocused(page, 'Edit Second service');
  assert.ok(!(await page.content()).includes('another-key'));
  await renamed.getByRole('button', { name: 'Enable Second service' }).click();
  await renamed.getByText('Ready for the next broadcast').waitFor();

  await renamed.getByRole('button', { name: 'Delete Second service' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete simulcast target?' });
  await deleting.getByRole('button', { name: 'Delete' }).click();
  await renamed.waitFor({ state: 'detached' });
  await untilFocused(page, 'Simulcast');
  assert.deepEqual(errors, []);
  await context.close();
});
