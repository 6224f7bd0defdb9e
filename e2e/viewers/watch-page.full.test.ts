import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeCaptionedClip, makeClip } from '../support/clips.ts';
import type { Member } from '../support/members.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, play, publishByProgram, shortOf, untilFocused, untilPlaying } from '../support/steps.ts';

/** The watch page beside the player: layout, transcript, end screen, mini player. */
const stage = sharedStage();
let creator: Member;
let first: { id: string; path: string };
let talk: { id: string; path: string };

const SUMMARY = ['About lamps.', 'They shine.', 'At night.', 'By the sea.', 'And by day.', 'The last line.'].join('\n');

before(async () => {
  creator = await stage.account();
  const { key } = creator;
  makeClip(stage.folder, 'lamps.mp4', 20);
  const cue = (at: number, text: string): string => `${at}\n00:00:0${at},000 --> 00:00:0${at + 2},000\n${text}\n`;
  const english = [cue(0, 'Good <i>morning</i>'), cue(2, 'The lamps are lit'), cue(4, 'Good night')].join('\n');
  makeCaptionedClip(stage.folder, 'talk.mp4', { eng: english, ger: cue(0, 'Guten Morgen') });
  const notes = `https://a.test/b, javascript:alert(1), <img src=x onerror=alert(1)>, 0:03, @${creator.username}`;
  first = await publishByProgram(stage, key, {
    title: 'Lamps by night',
    summary: `${SUMMARY}\n${notes}`,
    filename: 'lamps.mp4',
  });
  const allow = 'mutation ($id: DID, $input: ContentInput!) { updateContent(id: $id, input: $input) { id } }';
  await callApi(stage.baseUrl, key, allow, { id: first.id, input: { allowDownload: true } });
  talk = await publishByProgram(stage, key, { title: 'Lamps explained', summary: '', filename: 'talk.mp4' });
});

const DESK = { viewport: { width: 1440, height: 900 } };

/** A property of the video of the page. */
const video = <Value>(page: Page, property: string): Promise<Value> =>
  page.evaluate(`document.querySelector('video').${property}`);

/** Waits until an expression is true in a page. */
const untilTrue = (page: Page, expression: string): Promise<number> =>
  until(
    () => page.evaluate<boolean>(expression),
    () => `It is never true: ${expression}`,
  );

test('without scripts, pages have title, description and links, and those of a video play it', async () => {
  const { page, context, errors } = await stage.visitor({ javaScriptEnabled: false });
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Reelgraph' }).waitFor();
  await page.getByRole('heading', { level: 2, name: 'Latest videos' }).waitFor();
  await page.getByRole('link', { name: 'Lamps by night' }).click();
  await page.getByRole('heading', { level: 1, name: 'Lamps by night' }).waitFor();
  await page.getByText(/^About lamps./).waitFor();
  const playsFrom = async (): Promise<void> => {
    assert.match((await page.locator('video').getAttribute('poster')) ?? '', /\.webp/);
    const sources = page.locator('video > source');
    const files = await Promise.all([0, 1].map(async (at) => (await sources.nth(at).getAttribute('src')) ?? ''));
    assert.match(files[0] ?? '', /\/master\.m3u8/);
    assert.match(files[1] ?? '', /\.mp4$/);
    const response = await page.request.get(files[1] ?? '', { headers: { range: 'bytes=0-99' } });
    assert.deepEqual([response.status(), response.headers()['content-type']], [206, 'video/mp4']);
    assert.equal(await page.getByText(/needs JavaScript/).count(), 0);
  };
  await playsFrom();
  await page.getByRole('link', { name: creator.username }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Lamps by night' }).waitFor();
  await page.goto(`/embed/${first.id.split('/').at(-1)}`);
  await playsFrom();
  await page.goto('/sign-in');
  await page.getByText(/^This page needs JavaScript/).waitFor(); // a string is not looked for in noscript
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: 'Latest videos' }).waitFor();
  // Chromium reports the scripts, which it does not load.
  assert.deepEqual(
    errors.filter((error) => !error.endsWith('.js')),
    [],
  );
  await context.close();
});

test('on a desk, video, title and related videos are above the fold; theatre is remembered; the menu leads on', async () => {
  const { page, context, errors } = await stage.visitor(DESK);
  await page.goto(first.path);
  const player = page.getByRole('region', { name: 'Player: Lamps by night' });
  const upNext = page.getByRole('region', { name: 'Up next' });
  await upNext.getByRole('article').first().waitFor();
  const bottomOf = async (locator: ReturnType<Page['locator']>): Promise<number> => {
    const box = await locator.boundingBox();
    return box ? box.y + box.height : assert.fail('it is not shown');
  };
  assert.ok((await bottomOf(page.getByRole('heading', { level: 1 }))) < 900);
  assert.ok((await bottomOf(upNext.getByRole('article').first())) < 900);
  const narrow = (await player.boundingBox())?.width ?? 0;
  await page.keyboard.press('t');
  await page.getByRole('button', { name: 'Default view (t)' }).waitFor({ state: 'attached' });
  assert.ok(((await player.boundingBox())?.width ?? 0) > narrow + 300);
  assert.ok((await bottomOf(page.getByRole('heading', { level: 1 }))) <= 900);
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.reload();
  await page.getByRole('button', { name: 'Default view (t)' }).waitFor({ state: 'attached' });
  await page.keyboard.press('t');
  await page.getByRole('button', { name: 'Theatre mode (t)' }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Browse' }).click();
  const menu = page.getByRole('navigation', { name: 'Browse' });
  await menu.getByRole('link', { name: 'Shorts' }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await menu.getByRole('link', { name: 'Trending' }).click();
  await page.getByRole('heading', { level: 1, name: 'Trending' }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('before playback at most one segment of the video is loaded, and the others afterwards', async () => {
  const { page, context, errors } = await stage.visitor(DESK);
  // What a test evaluates counts as the press without which nothing plays by itself.
  await page.addInitScript("Object.defineProperty(UserActivation.prototype, 'hasBeenActive', { get: () => false })");
  let segments = 0;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\.m4s$/.test(pathname) && !pathname.includes('/audio/')) segments += 1;
  });
  await page.goto(first.path);
  await page.getByText('/ 0:20').waitFor();
  await page.waitForLoadState('networkidle');
  assert.ok(segments <= 1, `${segments} segments were loaded`);
  await play(page);
  await until(
    async () => segments >= 4,
    () => `only ${segments} segments were loaded`,
  );
  assert.deepEqual(errors, []);
  await context.close();
});

test('the description shows its first lines until more is wanted', async () => {
  const { page, context, errors } = await stage.visitor();
  await page.goto(first.path);
  const more = page.getByRole('button', { name: 'Show more', exact: true });
  await more.waitFor();
  const text = page.getByText('The last line.');
  const height = async (): Promise<number> => (await text.boundingBox())?.height ?? 0;
  const before = await height();
  await more.press('Enter');
  assert.ok((await height()) > before);
  await page.getByRole('button', { name: 'Show less' }).click();
  assert.equal(await height(), before);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a description has links, mentions and times that seek, and nothing else of it is markup', async () => {
  const { page, context, errors } = await stage.visitor();
  await page.goto(first.path);
  await page.getByRole('button', { name: 'Show more', exact: true }).click();
  const link = page.getByRole('link', { name: 'https://a.test/b' });
  assert.equal(await link.getAttribute('href'), 'https://a.test/b');
  assert.equal(await link.getAttribute('rel'), 'nofollow ugc noopener');
  const text = page.getByRole('paragraph').filter({ has: link });
  assert.equal(await text.locator('img').count(), 0);
  assert.deepEqual(await text.locator('a').evaluateAll((links) => links.map((each) => each.getAttribute('href'))), [
    'https://a.test/b',
    `/@${creator.username}`,
  ]);
  await untilTrue(page, "document.querySelector('video')?.readyState > 1");
  await page.getByRole('button', { name: '0:03, go to this time' }).click();
  await untilTrue(page, "document.querySelector('video').currentTime >= 3");
  assert.deepEqual(errors, []);
  await context.close();
});

test('a notification of a reply leads to that comment, and the video waits', async () => {
  const comment = async (key: string, body: string, parent: string | null): Promise<string> => {
    const document = `mutation ($contentId: DID!, $body: String!, $parent: DID) {
      createComment(contentId: $contentId, body: $body, parent: $parent) { id }
    }`;
    const variables = { contentId: first.id, body, parent };
    return (await callApi<{ createComment: { id: string } }>(stage.baseUrl, key, document, variables)).createComment.id;
  };
  const reader = await stage.account();
  const start = await comment(creator.key, 'The first lamp', null);
  const reply = await comment(reader.key, ['The lamp', ...'by the sea and far'.split(' '), 'end'].join('\n'), start);
  await comment(reader.key, 'Another thread', null);
  const notified = async (): Promise<boolean> => {
    const query = '{ notifications(first: 10) { edges { node { kind } } } }';
    type Kinds = { notifications: { edges: { node: { kind: string } }[] } };
    const { notifications } = await callApi<Kinds>(stage.baseUrl, creator.key, query, {});
    return notifications.edges.some(({ node }) => node.kind === 'COMMENT_REPLY');
  };
  await until(notified, () => 'There is no notification of the reply.');
  const { page, context, errors } = await stage.signedIn({}, creator);
  await page.goto('/notifications');
  await page.getByRole('link', { name: /replied: “The lamp/ }).click();
  const named = page.locator('article[aria-current=true]');
  await named.getByText('far').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('comment'), shortOf(reply));
  await untilTrue(
    page,
    "document.querySelector('article[aria-current=true]')?.getBoundingClientRect().bottom < innerHeight",
  );
  assert.equal(
    await page
      .getByRole('article', { name: /^Comment by / })
      .nth(1)
      .getAttribute('aria-current'),
    'true',
  );
  await untilTrue(page, "document.querySelector('video')?.readyState > 1");
  assert.equal(await video(page, 'paused'), true);
  const height = async (): Promise<number> => (await named.boundingBox())?.height ?? 0;
  const cut = await height();
  await named.getByRole('button', { name: 'Read more' }).click();
  assert.ok((await height()) > cut);
  const form = page.getByLabel('Add a comment');
  await form.fill('x'.repeat(4_600));
  await page.getByText('4,600 / 5,000').waitFor();
  assert.equal(await form.getAttribute('maxlength'), '5000');
  assert.deepEqual(errors, []);
  await context.close();
});

test('without a connection a page says so, and loads by itself afterwards', async () => {
  const { page, context } = await stage.signedIn({}, creator);
  await page.goto('/studio');
  const videos = page.getByRole('navigation', { name: 'Studio' }).getByRole('link', { name: 'Videos' });
  await videos.waitFor();
  await context.setOffline(true);
  await videos.click();
  await page.getByRole('alert').getByText('Check your connection and try again.', { exact: true }).waitFor();
  assert.equal(await videos.isVisible(), true);
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Lamps by night' }).first().waitFor();
  await context.close();

  const visitor = await stage.visitor();
  await visitor.page.goto(first.path);
  const like = visitor.page.getByRole('button', { name: /^Like/ }).first();
  await like.waitFor();
  await visitor.context.setOffline(true);
  await like.click();
  await visitor.page.getByRole('alert').getByText('The server could not be reached.').waitFor();
  await visitor.context.setOffline(false);
  await visitor.page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await visitor.context.close();
});

test('a video has one address, to which its former one leads with the start time', async () => {
  const { page, context, errors } = await stage.visitor();
  await page.goto(first.path);
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  assert.match(link, /\/w\/[A-Za-z0-9_-]{11}$/);
  assert.equal(new URL(link).pathname, first.path);
  await page.goto(`/watch/${first.id.split('/').at(-1)}?t=5`);
  await page.getByRole('heading', { name: 'Lamps by night', level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, `${first.path}?t=5`);
  const missing = await page.goto('/w/AAAAAAAAAAA');
  assert.equal(missing?.status(), 404);
  assert.deepEqual(
    errors.filter((error) => !error.includes('404')),
    [],
  );
  await context.close();
});

test('the transcript follows the video, is searchable, and its lines seek', async () => {
  for (const viewport of [DESK.viewport, { width: 390, height: 844 }]) {
    const { page, context, errors } = await stage.visitor({ viewport });
    await page.goto(talk.path);
    await play(page);
    await page.keyboard.press('k');
    await page.getByRole('button', { name: 'Transcript', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Transcript' });
    await panel.getByRole('button', { name: /The lamps are lit/ }).click();
    await panel.locator('[aria-current]', { hasText: 'The lamps are lit' }).waitFor();
    assert.ok(Math.abs((await video<number>(page, 'currentTime')) - 2) < 0.2);
    await panel.getByRole('searchbox').fill('GOOD');
    await panel.getByText('2 lines found').waitFor();
    assert.equal(await panel.getByRole('listitem').count(), 2);
    assert.deepEqual(await accessibilityViolations(page), []);
    await panel.getByRole('searchbox').fill('');
    await panel.getByLabel('Language of the transcript').selectOption({ label: 'Deutsch' });
    await panel.getByRole('button', { name: /Guten Morgen/ }).waitFor();
    await panel.getByRole('button', { name: 'Close the transcript' }).click();
    await panel.waitFor({ state: 'detached' });
    assert.deepEqual(errors, []);
    await context.close();
  }
});

/** To the end of the video, by its keys. */
async function playToTheEnd(page: Page): Promise<void> {
  await play(page);
  await page.keyboard.press('9');
  await until(
    () => video<boolean>(page, 'ended'),
    () => 'the video does not end',
  );
}

/** Some seconds, in which the page draws. */
const untilFrames = (page: Page, count: number): Promise<unknown> =>
  page.evaluate(`new Promise((done) => {
    let left = ${count};
    const next = () => (left-- > 0 ? requestAnimationFrame(next) : done());
    next();
  })`);

test('after the end the next video starts, unless that is cancelled, switched off, or something is being written', async () => {
  const { page, context, errors } = await stage.signedIn(DESK);
  await page.goto(first.path);
  await page.getByRole('region', { name: 'Up next' }).getByRole('article').first().waitFor();
  await playToTheEnd(page);
  await page.getByText(/^Up next in \d/).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('button', { name: 'Cancel' }).click();
  const related = page.getByRole('list', { name: 'Related videos' });
  await related.waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);

  await page.getByLabel('Autoplay next video').uncheck();
  await page.reload();
  await playToTheEnd(page);
  await related.waitFor();
  await page.getByLabel('Autoplay next video').check();
  await page.getByLabel('Add a comment').fill('Half a sentence');
  const left = await page.getByText(/^Up next in \d/).innerText();
  await untilFrames(page, 150);
  assert.equal(await page.getByText(/^Up next in \d/).innerText(), left, 'the page would have been left');
  await page.getByLabel('Add a comment').fill('');
  await page.getByRole('button', { name: 'Play now' }).click();
  await page.getByRole('region', { name: /^Player: (?!Lamps by night)/ }).waitFor();
  await untilPlaying(page);
  assert.deepEqual(errors, []);
  await context.close();
});

test('the video plays on in the mini player on other pages, until it is closed', async () => {
  const { page, context, errors } = await stage.visitor(DESK);
  await page.goto(first.path);
  await play(page);
  await page.evaluate(`document.querySelector('video').dataset.same = 'yes'`);
  const mini = page.getByRole('region', { name: 'Mini player: Lamps by night' });
  await page.getByRole('link', { name: 'Reelgraph, home' }).click();
  await page.getByRole('heading', { name: 'Latest videos' }).waitFor();
  await mini.waitFor();
  await untilFocused(page, await page.evaluate('document.activeElement.textContent.trim()'));
  await untilPlaying(page);
  assert.equal(await video(page, 'dataset.same'), 'yes', 'it is the same video element');
  assert.deepEqual(await accessibilityViolations(page), []);
  await mini.getByRole('button', { name: 'Pause' }).click();
  assert.equal(await video(page, 'paused'), true);
  await mini.getByRole('button', { name: 'Play', exact: true }).click();
  const time = await video<number>(page, 'currentTime');
  await mini.getByRole('link', { name: 'Return to Lamps by night' }).click();
  await page.getByRole('heading', { name: 'Lamps by night', level: 1 }).waitFor();
  await mini.waitFor({ state: 'hidden' });
  assert.equal(await video(page, 'dataset.same'), 'yes');
  assert.ok((await video<number>(page, 'currentTime')) >= time);
  await page.getByRole('link', { name: 'Reelgraph, home' }).click();
  await mini.getByRole('button', { name: 'Close the mini player' }).click();
  await mini.waitFor({ state: 'detached' });
  assert.equal(await page.locator('video').count(), 0);

  await page.getByRole('link', { name: 'Lamps by night' }).first().click();
  await play(page);
  await page.keyboard.press('k');
  await page.getByRole('link', { name: 'Reelgraph, home' }).click();
  await page.getByRole('heading', { name: 'Latest videos' }).waitFor();
  assert.equal(await mini.count(), 0, 'a video that was paused is left');
  assert.deepEqual(errors, []);
  await context.close();
});
