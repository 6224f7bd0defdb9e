import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { editCaptions, writeCaptions } from '../support/caption-steps.ts';
import { makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { ask, callApi, chooseInRow, openEditTab, untilVisibility, uploadInStudio } from '../support/steps.ts';

const stage = sharedStage();

const READY = { timeout: 60_000 };

/** On Free, as most creators are. */
const asCreator = async () => stage.signedIn({}, await stage.account('FREE'));

test('a creator creates a series and a playlist, adds captions, chapters and a thumbnail, reviews a comment, restores and invites', async () => {
  const { page, context, errors } = await asCreator();
  const row = await uploadInStudio(page, makeClip(stage.folder, 'sea.mp4', 31), 'Morning by the sea', true);
  const processed = untilVisibility(row, 'Public');
  const helper = await asCreator();
  await processed;

  await makeSeries(page);
  await makePlaylist(page);
  await describeVideo(page);
  await reviewComment(page, helper.page);
  await deleteAndRestore(page);

  await studioPage(page, 'Channel');
  const storage = page.getByRole('region', { name: 'Storage' });
  await storage
    .getByText(/^[1-9][\d.]* [kM]B$/)
    .nth(2)
    .waitFor();
  const { channel } = (await ask(page, '{ me { channel { id } } }')).me;
  const invite = `mutation ($channel: DID!, $username: String!) {
    inviteChannelMember(id: $channel, input: { username: $username, role: MANAGER }) { invitation { id } } }`;
  const { inviteChannelMember } = await ask(page, invite, { channel: channel.id, username: helper.member.username });
  await ask(helper.page, 'mutation ($id: DID!) { acceptChannelInvitation(id: $id) { channel { id } } }', {
    id: inviteChannelMember.invitation.id,
  });
  await page.reload();
  const people = page.getByRole('region', { name: 'Members' });
  const role = people.getByLabel(`Role of ${helper.member.username}`);
  await role.waitFor();
  assert.equal(await role.inputValue(), 'MANAGER');
  await sound(page);

  await helper.page.goto('/studio/videos');
  const desks = helper.page.getByLabel('Channel', { exact: true });
  await desks.selectOption(await desks.locator('option', { hasText: '(manager)' }).getAttribute('value'));
  await studioPage(helper.page, 'Videos');
  await helper.page.getByRole('row', { name: 'Morning by the sea' }).waitFor();
  for (const visitor of [errors, helper.errors]) assert.deepEqual(visitor, []);
  await helper.context.close();
  await context.close();
});

test('videos are searched, sorted and changed in bulk, and failures are listed', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const create = async (title: string): Promise<string> => {
    const document = 'mutation ($title: String!) { createContent(input: { title: $title }) { id } }';
    const made = await callApi<{ createContent: { id: string } }>(stage.baseUrl, member.key, document, { title });
    return made.createContent.id;
  };
  await create('Apple');
  const cherry = await create('Cherry');
  await create('Banana');
  await page.goto('/studio/videos');
  const titles = () =>
    page
      .locator('tbody')
      .getByRole('row')
      .evaluateAll((rows) => rows.map((row) => row.ariaLabel));
  const untilTitles = (wanted: readonly string[]) =>
    until(
      async () => JSON.stringify(await titles()) === JSON.stringify(wanted),
      () => `the list is not ${wanted}`,
    );
  await untilTitles(['Banana', 'Cherry', 'Apple']);
  await page.getByRole('columnheader', { name: 'Video' }).getByRole('link').click();
  await untilTitles(['Apple', 'Banana', 'Cherry']);
  await page.getByRole('columnheader', { name: 'Video' }).getByRole('link').click();
  await untilTitles(['Cherry', 'Banana', 'Apple']);
  await page.getByLabel('Search by title').fill('aN');
  await untilTitles(['Banana']);
  await page.getByLabel('Search by title').fill('');
  await untilTitles(['Cherry', 'Banana', 'Apple']);
  await page.getByLabel('Status', { exact: true }).selectOption('Failed');
  await page.getByText('No videos match.').waitFor();
  await sound(page);
  await page.getByRole('link', { name: 'Show all' }).click();
  await untilTitles(['Banana', 'Cherry', 'Apple']);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Likes' }).uncheck();
  await page.getByRole('columnheader', { name: 'Likes' }).waitFor({ state: 'detached' });

  await page.getByLabel('Select all').check();
  const selected = page.getByRole('region', { name: 'Selected videos' });
  await selected.getByText('3 selected').waitFor();
  await sound(page);
  await callApi(stage.baseUrl, member.key, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: cherry });
  await selected.getByRole('button', { name: 'Visibility' }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Unlisted/)
    .check();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  for (const title of ['Apple', 'Banana']) {
    await page.getByRole('row', { name: title }).getByText('Unlisted when ready').waitFor();
  }
  assert.match(await selected.getByRole('alert').innerText(), /Cherry: There is no such content/);
  await page.getByRole('row', { name: 'Cherry' }).waitFor({ state: 'detached' });
  await sound(page);
  await selected.getByRole('button', { name: 'Dismiss' }).click();

  for (const title of ['Apple', 'Banana']) await page.getByLabel(`Select ${title}`).check();
  await selected.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('dialog').getByLabel('Language').selectOption('de');
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await selected.waitFor({ state: 'detached' });
  for (const category of ['Music', 'Travel']) {
    for (const title of ['Apple', 'Banana']) await page.getByLabel(`Select ${title}`).check();
    await selected.getByRole('button', { name: 'Categories' }).click();
    const dialog = page.getByRole('dialog', { name: 'Categories' });
    assert.equal(await dialog.getByLabel('What to do').inputValue(), 'add');
    await dialog.getByLabel(category).check();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await selected.waitFor({ state: 'detached' });
  }
  for (const title of ['Apple', 'Banana']) await page.getByLabel(`Select ${title}`).check();
  await selected.getByRole('button', { name: 'Playlist' }).click();
  const adding = page.getByRole('dialog', { name: 'Add to a playlist' });
  await adding.getByLabel('Title').fill('Fruit');
  await adding.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('status').getByText('Added to Fruit.').waitFor();
  await selected.waitFor({ state: 'detached' });
  const languages =
    'query ($id: DID!) { channel(id: $id) { contents(sort: TITLE) { edges { node { metadata { language ' +
    'categories { edges { node { name } } } } } } } } }';
  const found = await callApi(stage.baseUrl, member.key, languages, { id: member.channelId });
  assert.match(JSON.stringify(found), /"de".*"Music".*"Travel".*"de".*"Music".*"Travel"/);

  await page.setViewportSize({ width: 390, height: 844 });
  await sound(page);
  await chooseInRow(page.getByRole('row', { name: 'Apple' }), 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('row', { name: 'Apple' }).waitFor({ state: 'detached' });
  assert.deepEqual(errors, []);
  await context.close();
});

test('a video is processed again while it is watched, unless its uploaded file is gone', THOROUGH, async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const row = await uploadInStudio(page, makeClip(stage.folder, 'again.mp4', 20, '640x360'), 'Again', true);
  await untilVisibility(row, 'Public');
  await row.getByRole('progressbar').waitFor({ state: 'detached', ...READY });
  await row.getByRole('link', { name: 'Edit Again' }).click();
  await openEditTab(page, 'Video');
  const panel = page.getByRole('region', { name: 'Video file' });
  const again = panel.getByRole('button', { name: 'Process again…' });
  const dialog = page.getByRole('dialog', { name: 'Process this video again?' });
  await again.click();
  await dialog.getByText('Viewers can watch the current version').waitFor();
  await sound(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.postData()?.includes('ProcessAgain')) sent.push(request.url());
  });
  // An uploaded file that is not kept is deleted when its processing is complete.
  const keep = 'mutation ($id: DID!) { updateChannel(id: $id, input: { keepOriginals: false }) { channel { id } } }';
  await callApi(stage.baseUrl, member.key, keep, { id: member.channelId });
  await again.click();
  await dialog.getByRole('button', { name: 'Process again' }).click();
  await dialog.waitFor({ state: 'detached' });
  const progress = page.getByRole('progressbar');
  await progress.waitFor();
  assert.equal(await panel.getByRole('button', { name: 'Processing…' }).getAttribute('aria-busy'), 'true');
  await page.locator('main').getByText('Public', { exact: true }).waitFor();
  await sound(page);
  await progress.waitFor({ state: 'detached', ...READY });
  assert.equal(sent.length, 1);

  const videos = 'assets { videos { edges { node { url } } } }';
  const files = `query ($id: DID!) { channel(id: $id) { contents { edges { node { ${videos} } } } } }`;
  const isFileGone = async () =>
    JSON.stringify(await callApi(stage.baseUrl, member.key, files, { id: member.channelId })).includes('"url":null');
  await until(isFileGone, 'the uploaded file is not deleted');
  await again.click();
  await dialog.getByRole('button', { name: 'Process again' }).click();
  await dialog.getByRole('alert').getByText('The original file of this video was deleted').waitFor();
  await sound(page);
  await page.locator('main').getByText('Public', { exact: true }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

/** A series with a season and two episodes, the second one put first. */
async function makeSeries(page: Page): Promise<void> {
  await studioPage(page, 'Series');
  await page.getByRole('button', { name: 'New series' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('Tides');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByLabel('Season title').fill('Spring');
  await page.getByRole('button', { name: 'Add season' }).click();
  await page.getByRole('list', { name: 'Seasons' }).getByRole('link', { name: 'Spring' }).click();
  const episodes = page.getByRole('list', { name: 'Episodes' });
  for (const title of ['Ebb', 'Flood']) {
    await page.getByLabel('Episode title').fill(title);
    await page.getByRole('button', { name: 'Add episode' }).click();
    await episodes.getByRole('listitem', { name: title }).waitFor();
  }
  const moved = page.waitForResponse((response) => response.url().endsWith('/graphql'));
  await page.getByRole('button', { name: 'Move Flood up' }).click();
  await page.getByText('Moved Flood to position 1 of 2.').waitFor();
  await moved;
  await sound(page);
  await page.reload();
  await episodes.waitFor();
  assert.deepEqual(await episodes.getByRole('link').allInnerTexts(), ['Flood', 'Ebb']);
}

/** A playlist with one video of the channel. */
async function makePlaylist(page: Page): Promise<void> {
  await studioPage(page, 'Playlists');
  await page.getByRole('button', { name: 'New playlist' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('By the water');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const adding = page.getByRole('region', { name: 'Add videos' });
  await adding.getByLabel('Morning by the sea').check();
  await adding.getByRole('button', { name: 'Add to playlist' }).click();
  await page
    .getByRole('list', { name: 'Playlist videos' })
    .getByRole('listitem', { name: 'Morning by the sea' })
    .waitFor();
  await sound(page);
}

/** Not on the Free plan; in a trial, from the published range without own data. */
async function predictClicks(page: Page): Promise<void> {
  const video = page.url();
  const panel = page.getByRole('region', { name: 'Performance prediction' });
  await panel.getByRole('button', { name: 'Predict' }).click();
  await panel.getByRole('alert').getByText('Start the 14-day trial').waitFor();
  await page.goto('/settings/developer');
  await page.getByRole('button', { name: 'Start 14-day trial' }).click();
  await page.getByRole('button', { name: 'Generate API key' }).waitFor();
  await page.goto(video);
  await panel.getByRole('button', { name: 'Predict' }).click();
  await panel.getByText('There is no data from this platform yet').waitFor();
  await panel.getByText('Use a larger image: 160x90').waitFor();
}

/** Captions, chapters, a frame as thumbnail, a prediction, and comments only after review. */
async function describeVideo(page: Page): Promise<void> {
  await studioPage(page, 'Videos');
  await page.getByRole('link', { name: 'Edit Morning by the sea' }).click();
  await openEditTab(page, 'Captions');
  const captions = page.getByRole('region', { name: 'Captions', exact: true });
  await captions.getByText('Add captions').click();
  await captions.getByLabel('Text', { exact: true }).fill('1\n00:00:00,500 --> 00:00:03,000\nThe tide comes in.\n');
  await captions.getByRole('button', { name: 'Add', exact: true }).click();
  await captions.getByRole('listitem', { name: 'English' }).waitFor();
  await editCaptions(page);
  await writeCaptions(page);

  await openEditTab(page, 'Chapters');
  const chapters = page.getByRole('region', { name: 'Chapters' });
  await chapters.getByLabel('Timestamps and titles').fill('0:00 Ebb\nlater Flood');
  await chapters.getByRole('button', { name: 'Save' }).click();
  await chapters.getByText('Line 2 needs a timestamp and a title').waitFor();
  await chapters.getByLabel('Timestamps and titles').fill('0:00 Ebb\n0:10 Slack water\n0:20 Flood');
  await chapters.getByRole('button', { name: 'Save' }).click();
  await chapters.getByText('Saved.').waitFor();
  const start = chapters.getByRole('slider', { name: 'Start of Flood' });
  await start.press('ArrowRight');
  await start.press('Shift+ArrowLeft');
  assert.equal(await start.getAttribute('aria-valuetext'), '20 seconds');
  await start.press('ArrowRight');
  assert.match(await chapters.getByLabel('Timestamps and titles').inputValue(), /0:21 Flood/);
  await chapters.getByText('Unsaved changes').waitFor();
  await sound(page);
  await chapters.getByRole('button', { name: 'Discard changes' }).click();
  assert.match(await chapters.getByLabel('Timestamps and titles').inputValue(), /0:20 Flood/);

  await openEditTab(page, 'Details');
  const thumbnail = page.getByRole('region', { name: 'Thumbnail' });
  const picture = thumbnail.locator('picture img').first();
  const former = await picture.getAttribute('src');
  await thumbnail
    .getByLabel('Thumbnail file')
    .setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('hello') });
  await thumbnail.getByRole('alert').getByText('This is not an image in a supported format.').waitFor();
  await thumbnail.getByText('Select from video').click();
  await thumbnail.getByLabel('Time').fill('25');
  await thumbnail.getByRole('button', { name: 'Use this frame' }).click();
  await thumbnail.getByText('Thumbnail updated.').waitFor(READY);
  await thumbnail.locator(`picture img:not([src="${former}"])`).first().waitFor();

  await openEditTab(page, 'Tests');
  await predictClicks(page);
  await openEditTab(page, 'Comments');
  const saved = page.waitForResponse((response) => response.url().endsWith('/graphql'));
  await page.getByLabel('Who can comment').selectOption('HOLD_ALL');
  await saved;
  await sound(page);
}

/** Comments are held until the creator approves them. */
async function reviewComment(page: Page, viewer: Page): Promise<void> {
  await viewer.goto(page.url().replace('/studio/content/', '/watch/').replace(/\?.*$/, ''));
  for (const text of ['What a morning', 'What an evening']) {
    await viewer.getByLabel('Add a comment').fill(text);
    await viewer.getByRole('button', { name: 'Comment', exact: true }).click();
    await viewer.getByRole('article').getByText(text).waitFor();
  }
  await studioPage(page, 'Comments');
  const inbox = page.getByRole('region', { name: 'Comments on your videos' });
  await inbox.getByRole('link', { name: 'Held for review 2' }).click();
  const morning = inbox.getByRole('listitem').filter({ hasText: 'What a morning' });
  const evening = inbox.getByRole('listitem').filter({ hasText: 'What an evening' });
  await evening.getByRole('checkbox').check();
  await sound(page);
  await morning.getByRole('button', { name: 'Approve', exact: true }).click();
  await morning.waitFor({ state: 'detached' });
  await evening.getByRole('button', { name: 'Approve', exact: true }).click();
  await inbox.getByText('No comments are held for review.').waitFor();
  await answerComments(page, viewer);
}

/** The inbox follows what viewers write; a comment is answered, hearted, pinned, and its author blocked in place. */
async function answerComments(page: Page, viewer: Page): Promise<void> {
  const inbox = page.getByRole('region', { name: 'Comments on your videos' });
  const comment = (text: string) => inbox.getByRole('listitem').filter({ hasText: text });
  const choose = async (text: string, name: string | RegExp): Promise<void> => {
    await comment(text)
      .getByRole('button', { name: /^More actions/ })
      .click();
    await comment(text).getByRole('button', { name }).click();
  };
  await inbox.getByRole('link', { name: 'Unanswered' }).click();
  await comment('What a morning')
    .getByRole('button', { name: /^Reply to/ })
    .click();
  await comment('What a morning').getByRole('textbox').fill('Thank you');
  await comment('What a morning').getByRole('button', { name: 'Reply', exact: true }).click();
  await comment('What a morning').waitFor({ state: 'detached' });
  await sound(page);
  await inbox.getByRole('link', { name: 'All', exact: true }).click();
  await comment('Thank you').waitFor();
  await choose('What a morning', 'Heart');
  await comment('What a morning').getByText('Loved by').waitFor();
  await choose('What a morning', 'Pin');
  await comment('What a morning').getByText('Pinned').waitFor();
  // Held again, and shown without a reload.
  await viewer.getByLabel('Add a comment').fill('What a night');
  await viewer.getByRole('button', { name: 'Comment', exact: true }).click();
  await comment('What a night').getByText('Held for review').waitFor();
  await sound(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await sound(page);
  await choose('What a night', /^Block /);
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
  await comment('What a night').waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Deletes and restores. */
async function deleteAndRestore(page: Page): Promise<void> {
  await studioPage(page, 'Videos');
  await chooseInRow(page.getByRole('row', { name: 'Morning by the sea' }), 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('row', { name: 'Morning by the sea' }).waitFor({ state: 'detached' });
  await studioPage(page, 'Trash');
  await page.getByText('30 days left').waitFor();
  await sound(page);
  await page.getByRole('button', { name: 'Restore Morning by the sea' }).click();
  await page.getByText('Trash is empty').waitFor();
  await studioPage(page, 'Videos');
  await page.getByRole('row', { name: 'Morning by the sea' }).waitFor();
}

async function studioPage(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Studio' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

/** Checks the accessibility of the current page. */
async function sound(page: Page): Promise<void> {
  assert.deepEqual(await accessibilityViolations(page), []);
}
