import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeClip } from '../support/clips.ts';
import type { Member } from '../support/members.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, publishByProgram, reloadUntil, untilFocused } from '../support/steps.ts';

/** What viewers keep and are told: Watch later, playlists, notifications. */
const stage = sharedStage();
let creator: Member;
let video: { id: string; path: string };

before(async () => {
  creator = await stage.account();
  makeClip(stage.folder, 'kites.mp4', 8);
  video = await publishByProgram(stage, creator.key, { title: 'Kites', summary: '', filename: 'kites.mp4' });
});

test('a viewer saves a video to Watch later and to a new playlist, and takes both back', async () => {
  const { page, context, errors } = await stage.signedIn();
  await page.goto(video.path);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Save to…' });
  await dialog.getByLabel('Watch later').check();
  await dialog.getByRole('button', { name: 'New playlist' }).click();
  await dialog.getByLabel('Title').fill('Things that fly');
  assert.deepEqual(await accessibilityViolations(page), []);
  await dialog.getByRole('button', { name: 'Create' }).click();
  const mine = dialog.getByLabel('Things that fly');
  await mine.waitFor();
  assert.equal(await mine.isChecked(), true);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await untilFocused(page, 'Save');

  await page.goto('/playlists');
  await page.getByRole('link', { name: 'Things that fly' }).waitFor();
  await page.getByText('Private · updated').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('link', { name: 'Watch later' }).first().click();
  await page.getByRole('heading', { name: 'Watch later', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Kites' }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('link', { name: 'Play all' }).click();
  await page.getByRole('region', { name: 'Watch later' }).getByText('1 of 1').waitFor();

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await mine.uncheck();
  await page.keyboard.press('Escape');
  await page.goto('/watch-later');
  await page.getByRole('button', { name: 'Remove Kites from Watch later' }).click();
  await page.getByRole('heading', { name: 'Nothing to watch later yet' }).waitFor();
  await page.goto('/playlists');
  await page.getByText('0 videos').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('what could not be saved is shown as it is, with the reason', async () => {
  const { page, context } = await stage.signedIn();
  await page.goto(video.path);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Save to…' });
  const box = dialog.getByLabel('Watch later');
  await box.waitFor();
  await context.setOffline(true);
  await box.click();
  await dialog.getByRole('alert').getByText('The server could not be reached.').waitFor();
  assert.equal(await box.isChecked(), false);
  await dialog.getByRole('button', { name: 'New playlist' }).click();
  await dialog.getByLabel('Title').fill('Typed offline');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('form').getByRole('alert').waitFor();
  assert.equal(await dialog.getByLabel('Title').inputValue(), 'Typed offline');
  await context.setOffline(false);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByLabel('Typed offline').waitFor();
  await context.close();
});

test('what was typed stays when the session has ended, and is saved after signing in again', async () => {
  const { page, context, member } = await stage.signedIn();
  await page.goto(video.path);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Save to…' });
  await dialog.getByRole('button', { name: 'New playlist' }).click();
  await dialog.getByLabel('Title').fill('Typed before');
  await context.clearCookies();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('alert').getByText('You are signed out.').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  const opening = context.waitForEvent('page');
  await dialog.getByRole('link', { name: 'Sign in in a new tab' }).click();
  const other = await opening;
  await other.getByLabel('Email').fill(member.email);
  await other.getByLabel('Password').fill(member.password);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByRole('heading', { name: 'Studio' }).waitFor();
  assert.equal(await dialog.getByLabel('Title').inputValue(), 'Typed before');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByLabel('Typed before').waitFor();
  await context.close();
});

test('a dialog with many playlists is searched and read page by page', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const create = 'mutation ($input: PlaylistInput!) { createPlaylist(input: $input) { id } }';
  for (let number = 1; number <= 30; number += 1)
    await callApi(stage.baseUrl, member.key, create, { input: { title: `List ${number}`, visibility: 'PRIVATE' } });
  await page.goto(video.path);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Save to…' });
  await dialog.getByLabel('List 30', { exact: true }).waitFor();
  assert.equal(await dialog.getByRole('checkbox').count(), 26);
  await dialog.getByRole('button', { name: 'Show more playlists' }).click();
  await dialog.getByLabel('List 1', { exact: true }).waitFor();
  await dialog.getByRole('searchbox').fill('LIST 7');
  await dialog.getByLabel('List 30', { exact: true }).waitFor({ state: 'detached' });
  await dialog.getByLabel('List 7', { exact: true }).check();
  await dialog.getByRole('searchbox').fill('nothing like it');
  await dialog.getByText('None of your playlists is called “nothing like it”.').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('a card is saved from its menu, with undo', async () => {
  const { page, context, errors } = await stage.signedIn();
  await page.goto('/');
  const card = page.getByRole('article').filter({ hasText: 'Kites' }).first();
  await card.hover();
  await card.getByRole('button', { name: 'Actions for Kites' }).click();
  assert.deepEqual(await accessibilityViolations(page), []);
  await card.getByRole('button', { name: 'Save to Watch later' }).click();
  await page.getByText('Saved to Watch later').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Removed from Watch later').waitFor();
  await card.getByRole('button', { name: 'Actions for Kites' }).press('Enter');
  await card.getByRole('button', { name: 'Save to playlist' }).press('Enter');
  await page.getByRole('dialog', { name: 'Save to…' }).getByLabel('Watch later').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('the bell tells of a reply and of a new video; settings and reading are kept', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const { channel } = await callApi<{ channel: { id: string } }>(stage.baseUrl, creator.key, '{ channel { id } }', {});
  const follow = 'mutation ($id: DID!) { followChannel(channel: $id) { ok } }';
  await callApi(stage.baseUrl, member.key, follow, { id: channel.id });
  const write =
    'mutation ($id: DID!, $body: String!, $parent: DID) ' +
    '{ createComment(contentId: $id, body: $body, parent: $parent) { id } }';
  const comment = async (key: string, body: string, parent?: string): Promise<string> => {
    const made = await callApi<{ createComment: { id: string } }>(stage.baseUrl, key, write, {
      id: video.id,
      body,
      parent,
    });
    return made.createComment.id;
  };
  await comment(creator.key, 'At the beach.', await comment(member.key, 'Where was that?'));
  const news = { title: 'Kites, part two', summary: '', filename: 'kites.mp4' };
  await publishByProgram(stage, creator.key, news);
  await page.goto('/');
  const bell = page.getByRole('button', { name: 'Notifications, 2 unread' });
  await reloadUntil(page, bell);
  await bell.click();
  await page.getByRole('link', { name: /published “Kites, part two”/ }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('link', { name: /replied: “At the beach.”/ }).click();
  await page.getByRole('heading', { name: 'Kites', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await page.getByRole('link', { name: 'All notifications' }).click();
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);

  await page.goto('/settings/account');
  const videos = page.getByRole('checkbox', { name: 'New videos of channels you follow In Reelgraph' });
  await videos.uncheck();
  await page.getByRole('region', { name: 'Notifications' }).getByText('Saved.').waitFor();
  await page.reload();
  assert.equal(await videos.isChecked(), false);
  assert.deepEqual(await accessibilityViolations(page), []);

  await page.goto('/unsubscribe#token=forged');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByText('This link is not complete, or was changed.').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  assert.deepEqual(
    errors.filter((error) => !error.includes('400')),
    [],
  );
  await context.close();
});
