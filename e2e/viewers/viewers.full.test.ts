import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import {
  callApi,
  newPerson,
  type Person,
  publishByProgram,
  reloadUntil,
  shortOf,
  untilFocused,
  untilPlaying,
} from '../support/steps.ts';

/** Viewers: search, like, follow, comment, play a playlist. */
const stage = sharedStage();
let creator: Page;
const videos: { id: string; path: string }[] = [];
let playlistPath: string;

const PLAYLIST =
  'mutation ($input: CreatePlaylistWithItemsInput!) ' +
  '{ createPlaylistWithItems(input: $input) { playlist { id } } }';

before(async () => {
  const { page, member } = await stage.signedIn();
  creator = page;
  const { key } = member;
  makeClip(stage.folder, 'clip.mp4', 31);
  const summary = 'Ships and lamps.\n0:00 Ships\n0:10 Lamps\n0:20 Stars';
  for (const title of ['Harbour at dawn', 'Harbour at night'])
    videos.push(await publishByProgram(stage, key, { title, summary, filename: 'clip.mp4' }));
  const input = { title: 'Harbour evenings', visibility: 'PUBLIC', contentIds: videos.map(({ id }) => id) };
  const { createPlaylistWithItems } = await callApi<{ createPlaylistWithItems: { playlist: { id: string } } }>(
    stage.baseUrl,
    key,
    PLAYLIST,
    {
      input,
    },
  );
  playlistPath = `/playlist/${shortOf(createPlaylistWithItems.playlist.id)}`;
});

async function signUpFrom(page: Page, person: Person): Promise<void> {
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Username').fill(person.username);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
}

test('a visitor signs up to like a video, returns, follows and comments; the creator pins the comment and gives it a heart', async () => {
  const { page, context, errors } = await stage.visitor();
  const [video] = videos;
  assert.ok(video);
  await page.goto(video.path);
  await page.getByRole('button', { name: /^Like, / }).click();
  const person = newPerson();
  await signUpFrom(page, person);
  await page.getByRole('heading', { name: 'Harbour at dawn' }).waitFor();
  await page.getByRole('button', { name: 'Like, 0 likes' }).click();
  await page.getByRole('button', { name: 'Like, 1 like' }).waitFor();
  await page.getByRole('button', { name: /^Follow / }).click();
  await page.getByText('1 follower').waitFor();

  await page.getByLabel('Add a comment').fill('The lamps at 0:12 <b>shine</b>.');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  const comment = page.getByRole('article', { name: `Comment by ${person.username}` });
  await comment.getByText('<b>shine</b>').waitFor();
  await page.reload();
  await comment.getByText('<b>shine</b>').waitFor();
  await comment.getByRole('button', { name: /^More actions/ }).click();
  await comment.getByRole('button', { name: 'Edit' }).click();
  await page.keyboard.press('Escape');
  await page.getByLabel('Edit your comment').waitFor({ state: 'detached' });
  await untilFocused(page, `Comment by ${person.username}`);
  assert.equal(await page.getByRole('button', { name: 'Like, 1 like' }).getAttribute('aria-pressed'), 'true');

  await creator.goto(video.path);
  const menu = creator.getByRole('button', { name: `More actions for the comment by ${person.username}` });
  await menu.click();
  await creator.getByRole('button', { name: 'Pin', exact: true }).click();
  await creator.getByText('Pinned').waitFor();
  await menu.click();
  await creator.getByRole('button', { name: 'Heart', exact: true }).click();
  await creator.getByText('Loved by').waitFor();
  await creator.getByRole('button', { name: `Reply to ${person.username}` }).click();
  await creator.getByLabel('Add a reply').fill('They do.');
  await creator.getByRole('button', { name: 'Reply', exact: true }).click();
  await creator.getByText('They do.').waitFor();
  await untilFocused(creator, `Reply to ${person.username}`);

  await page.reload();
  await page.getByRole('button', { name: '1 reply' }).click();
  await page.getByText('They do.').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.goto('/feed');
  await page.getByRole('link', { name: 'Harbour at dawn' }).waitFor();
  await page.goto('/liked');
  await page.getByRole('link', { name: 'Harbour at dawn' }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('search opens with a key, tolerates typos, and shows tips without results', async () => {
  const { page, context, errors } = await stage.visitor();
  await page.goto('/');
  await page.getByRole('heading', { name: 'Latest videos' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('harbuor');
  await page.keyboard.press('Enter');
  await page.waitForURL(/q=harbuor/);
  // The page before shows it too, in two lists, until the results are there.
  await page.getByRole('link', { name: 'Harbour at night' }).first().waitFor();
  await page.getByRole('link', { name: 'Playlists' }).click();
  await page.getByRole('link', { name: 'Harbour evenings' }).waitFor();
  assert.match(page.url(), /q=harbuor/);
  await page.goto('/search?q=zzzzqqqq&type=videos');
  await page.getByRole('heading', { name: 'No results found' }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('the search box suggests videos and channels, and what was searched for before', async () => {
  const { page, context, errors } = await stage.visitor();
  await page.goto('/');
  const box = page.getByRole('combobox', { name: 'Search' });
  await box.fill('harbour at n');
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await list
    .getByRole('option', { name: /^Harbour at night/ })
    .first()
    .waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(/q=harbour/);
  // The page that opens takes the focus, and the suggestions close.
  await until(
    () => page.evaluate<boolean>("document.activeElement.id === 'main'"),
    () => 'the results do not have the focus',
  );
  await box.fill('harb');
  await list.getByRole('option', { name: /^harbour at n ?, Recent search/ }).waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await box.fill('harbour at dawn');
  await list
    .getByRole('option', { name: /^Harbour at dawn ?, Video/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Harbour at dawn', level: 1 }).waitFor();
  await box.fill('');
  await page.getByRole('button', { name: 'Clear recent searches' }).click();
  await box.click();
  await page.getByRole('heading', { name: 'Harbour at dawn', level: 1 }).waitFor();
  assert.equal(await list.count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

/** Views are aggregated every two seconds. */
const untilBothAreThere = (page: Page) =>
  reloadUntil(page, page.getByRole('button', { name: /^Remove Harbour at .* from watch history$/ }).nth(1));

test('a playlist plays its videos in order, and the history can be cleared', THOROUGH, async () => {
  const { page, context, errors } = await stage.signedIn();
  await page.goto(playlistPath);
  await page.getByRole('heading', { name: 'Harbour evenings', level: 1 }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('link', { name: 'Play all' }).click();
  await page.getByRole('heading', { name: 'Harbour at dawn', level: 1 }).waitFor();
  await untilPlaying(page);
  await page.keyboard.press('9');
  await page.getByRole('heading', { name: 'Harbour at night', level: 1 }).waitFor();
  await page.getByText('2 of 2').waitFor();
  await page.getByRole('button', { name: /Lamps/ }).click();
  await untilPlaying(page);
  await page.getByRole('link', { name: 'Reelgraph, home' }).click();
  await page.getByRole('link', { name: 'History' }).click();
  await untilBothAreThere(page);
  await page.getByRole('button', { name: 'Remove Harbour at dawn from watch history' }).click();
  await page.getByRole('link', { name: 'Harbour at dawn' }).waitFor({ state: 'detached' });
  await untilFocused(page, 'Harbour at night');
  await page.getByRole('button', { name: 'Clear watch history' }).click();
  await page.getByRole('button', { name: 'Clear history' }).click();
  await page.getByRole('heading', { name: 'No watch history yet' }).waitFor();
  await untilFocused(page, 'History');
  assert.deepEqual(errors, []);
  await context.close();
});

test('visitors browse by the navigation, at the side on desks and at the bottom on phones', async () => {
  const desk = await stage.visitor({ viewport: { width: 1280, height: 800 } });
  const phone = await stage.visitor({ viewport: { width: 390, height: 844 } });
  for (const { page, errors, context } of [desk, phone]) {
    await page.goto('/');
    const browse = page.getByRole('navigation', { name: 'Browse' });
    for (const [link, heading] of [
      ['Trending', 'Trending'],
      ['Shorts', 'Shorts'],
      ['Series', 'Series'],
    ] as const) {
      await browse.getByRole('link', { name: link }).click();
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await browse.locator('[aria-current=page]', { hasText: link }).waitFor();
      assert.deepEqual(await accessibilityViolations(page), []);
    }
    assert.equal(await browse.getByRole('link', { name: 'History' }).count(), 0, 'it is for people who are signed in');
    assert.deepEqual(errors, []);
    await context.close();
  }
});

test('a channel is found by its handle, and its address by identifier leads there', async () => {
  const { page, context, errors } = await stage.visitor();
  const owner = await stage.account();
  const { channel } = await callApi<{ channel: { id: string; handle: string } }>(
    stage.baseUrl,
    owner.key,
    '{ channel { id handle } }',
    {},
  );
  await page.goto('/');
  await page.evaluate(`history.pushState(null, '', '/@${channel.handle.toUpperCase()}')`);
  await page.waitForURL((url) => url.pathname === `/@${channel.handle}`);
  await page.getByText(`@${channel.handle} ·`).waitFor();
  await page.goto(`/channel/${shortOf(channel.id)}`);
  await page.waitForURL((url) => url.pathname === `/@${channel.handle}`);
  await page.getByText(`@${channel.handle} ·`).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('the home page has the latest videos of followed channels', async () => {
  const { page, context, member, errors } = await stage.signedIn();
  await page.goto('/');
  await page.getByRole('region', { name: 'Latest videos' }).waitFor();
  const shelf = page.getByRole('region', { name: 'Following' });
  assert.equal(await shelf.count(), 0);
  const channel = `query ($id: DID!) { content(id: $id) { channel { id } } }`;
  const { content } = await callApi<{ content: { channel: { id: string } } }>(stage.baseUrl, member.key, channel, {
    id: videos[0]?.id,
  });
  const follow = 'mutation ($channel: DID!) { followChannel(channel: $channel) { channel { id } } }';
  await callApi(stage.baseUrl, member.key, follow, { channel: content.channel.id });
  await page.reload();
  await shelf.getByRole('link', { name: 'Harbour at night' }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('a search for spaces is no search', async () => {
  const { page, context, errors } = await stage.visitor();
  await page.goto('/search?q=%20%20');
  await page.getByRole('heading', { name: 'What are you looking for?' }).waitFor();
  assert.match(await page.title(), /^Search · /);
  assert.deepEqual(errors, []);
  await context.close();
});

test('shorts are moved by keys, one for each screen, and the address follows', async () => {
  const { key } = await stage.account();
  makeClip(stage.folder, 'short.mp4', 4, '90x160');
  const made: { id: string }[] = [];
  for (const title of ['Gulls', 'Waves'])
    made.push(await publishByProgram(stage, key, { title, summary: '', filename: 'short.mp4', contentType: 'SHORT' }));
  const [gulls, waves] = made.map(({ id }) => shortOf(id));
  const { page, context, errors } = await stage.visitor({ viewport: { width: 390, height: 844 } });
  await page.goto('/shorts');
  await page.waitForURL((url) => url.searchParams.get('v') === waves);
  const isPlaying = (title: string): Promise<boolean> =>
    page
      .getByRole('article', { name: title })
      .locator('video')
      .evaluateAll((videos) =>
        (videos as unknown as { paused: boolean; currentTime: number }[]).some(
          ({ paused, currentTime }) => !paused && currentTime > 0,
        ),
      );
  await until(
    () => isPlaying('Waves'),
    () => 'the first short does not play',
  );
  const shown = page.getByRole('article', { name: 'Waves' });
  await shown.getByRole('button', { name: /^Follow / }).waitFor();
  await shown.getByRole('button', { name: /^Comments/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Comments' });
  await dialog.getByRole('button', { name: 'Sign in to comment' }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  await page.waitForURL((url) => url.searchParams.get('v') === gulls);
  await until(
    async () => (await isPlaying('Gulls')) && !(await isPlaying('Waves')),
    () => 'the second short does not play alone',
  );
  assert.equal(await page.evaluate<number>('scrollY'), 0, 'only the feed moves');
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.keyboard.press('ArrowUp');
  await page.waitForURL((url) => url.searchParams.get('v') === waves);
  await page.goto('/');
  const shelf = page.getByRole('region', { name: 'Shorts' });
  assert.equal(await shelf.getByRole('link', { name: 'Gulls' }).getAttribute('href'), `/shorts?v=${gulls}`);
  const latest = page.getByRole('region', { name: 'Latest videos' });
  await latest.getByRole('link', { name: 'Harbour at dawn' }).waitFor();
  assert.equal(await latest.getByRole('link', { name: 'Gulls' }).count(), 0);
  await page.goto(videos[0]?.path ?? '');
  const upNext = page.getByRole('region', { name: 'Up next' });
  await upNext.getByRole('link', { name: 'Harbour at night' }).waitFor();
  assert.equal(await upNext.getByRole('link', { name: 'Gulls' }).count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});
