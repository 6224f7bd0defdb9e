import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import {
  chooseInRow,
  graphql,
  openDeveloperAccess,
  openEditTab,
  paste,
  publishInStudio,
  signUp,
  untilPlaying,
  untilVisibility,
  uploadInStudio,
} from '../support/steps.ts';

/** Publishing: with the curl command, and in the studio. */
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
  await owner.page.goto('/studio/videos');
  const row = owner.page.getByRole('row', { name: 'From the command line' });
  await chooseInRow(row, 'Unpublish');
  await untilVisibility(row, 'Private');
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

test('a creator uploads in the studio, publishes, hides, renames and deletes', THOROUGH, async () => {
  const { page, context, errors } = await stage.signedIn();
  const row = await uploadInStudio(page, makeClip(stage.folder, 'studio.mp4', 3), 'From the studio', false);
  await untilVisibility(row, 'Private');
  await publishInStudio(page, row);
  await untilVisibility(row, 'Public');
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
  await details.getByLabel('Keywords').fill(' ,bunny,, ');
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByText('Saved.').waitFor();
  assert.equal(await details.getByLabel('Keywords').inputValue(), 'bunny');
  await details.getByLabel('Title').fill('Not this');
  await details.getByRole('button', { name: 'Discard changes' }).click();
  assert.equal(await details.getByLabel('Title').inputValue(), 'Renamed');
  await page.getByRole('button', { name: 'Play Renamed' }).click();
  await untilPlaying(page);
  await page.getByRole('button', { name: 'Change visibility' }).click();
  const visibility = page.getByRole('dialog', { name: 'Visibility' });
  await visibility.getByLabel(/^Private/).check();
  await visibility.getByRole('button', { name: 'Save' }).click();
  await visibility.waitFor({ state: 'detached' });
  await page.goto('/studio/videos');
  const renamed = page.getByRole('row', { name: 'Renamed' });
  await renamed.getByRole('button', { name: 'Visibility of Renamed: Private' }).click();
  await visibility.getByLabel(/^Schedule/).check();
  const when = visibility.getByLabel('Date and time');
  await when.fill('2020-01-31T18:00');
  await visibility.getByRole('button', { name: 'Save' }).click();
  const problem = await when.evaluate((input) => 'validationMessage' in input && input.validationMessage);
  assert.equal(problem, 'Choose a date in the future.');
  await when.fill(`${new Date().getFullYear() + 1}-01-31T18:00`);
  await visibility.getByRole('button', { name: 'Save' }).click();
  await renamed.getByText('Scheduled').waitFor();
  await renamed.getByRole('link', { name: 'Watch Renamed' }).click();
  await untilPlaying(page);

  const guest = await stage.visitor();
  await guest.page.goto(page.url());
  await guest.page.getByRole('heading', { name: 'Not found' }).waitFor();
  await guest.context.close();

  await page.goto('/studio/videos');
  await chooseInRow(page.getByRole('row', { name: 'Renamed' }), 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No videos yet').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
