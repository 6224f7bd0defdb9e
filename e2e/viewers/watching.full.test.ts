import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import {
  callApi,
  countNoPresses,
  holdBack,
  play,
  publishByProgram,
  reloadUntil,
  untilPlaying,
} from '../support/steps.ts';

/** The watch page: chapters, comments, embeds, downloads. */
const stage = sharedStage();
let creator: Page;
let key: string;
let video: { id: string; path: string };

const COMMENT =
  'mutation ($contentId: DID!, $body: String!) { createComment(contentId: $contentId, body: $body) { id } }';
const CHANGE = 'mutation ($id: DID!, $input: ContentInput!) { updateContent(id: $id, input: $input) { id } }';

before(async () => {
  const { page, member } = await stage.signedIn();
  creator = page;
  key = member.key;
  makeClip(stage.folder, 'clip.mp4', 31);
  const summary = '0:00 Ships\n0:10 Lamps\n0:20 Stars';
  video = await publishByProgram(stage, key, { title: 'Harbour', summary, filename: 'clip.mp4' });
});

const change = (input: object): Promise<unknown> => callApi(stage.baseUrl, key, CHANGE, { id: video.id, input });

test('pressing play while the source is attached is not lost', async () => {
  const { page, context, errors } = await stage.visitor();
  // The player requests the playlist right before it attaches the source.
  await page.addInitScript(`(() => {
    const { open } = XMLHttpRequest.prototype;
    Object.defineProperty(UserActivation.prototype, 'hasBeenActive', { get: () => false });
    XMLHttpRequest.prototype.open = function (...request) {
      XMLHttpRequest.prototype.open = open;
      document.querySelector('video').play().catch(() => {});
      return open.apply(this, request);
    };
  })()`);
  await page.goto(video.path, { waitUntil: 'commit' });
  await page.evaluate('"what a test evaluates counts as the press without which browsers play nothing"');
  await untilPlaying(page);
  assert.deepEqual(errors, []);
  await context.close();
});

test('chapters divide the seek bar, with names and keyboard navigation', async () => {
  const { page, context, errors } = await stage.visitor();
  await page.goto(video.path);
  await play(page);
  await page.keyboard.press('k');
  const player = page.getByRole('region', { name: 'Player: Harbour' });
  const bar = player.getByRole('slider', { name: 'Position' });
  await bar.focus();
  await page.keyboard.press('PageUp');
  assert.equal(await bar.getAttribute('aria-valuetext'), '10 seconds of 31 seconds, Lamps');
  await player.locator('[aria-hidden="true"]', { hasText: 'Lamps' }).first().waitFor();
  await page.keyboard.press('PageUp');
  assert.match((await bar.getAttribute('aria-valuetext')) ?? '', /^20 seconds .* Stars$/);
  await page.keyboard.press('PageDown');
  assert.match((await bar.getAttribute('aria-valuetext')) ?? '', /Lamps$/);
  await page.getByRole('listitem').getByRole('button', { name: /Stars/ }).click();
  assert.match((await bar.getAttribute('aria-valuetext')) ?? '', /Stars$/);
  const { width, height } = (await bar.boundingBox()) ?? { width: 0, height: 0 };
  // Waits until the page has stopped scrolling to the player.
  await bar.hover({ position: { x: width * 0.1, y: height / 2 } });
  await player
    .locator('[aria-hidden="true"]', { hasText: /^Ships/ })
    .first()
    .waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a second of watch time is reported on unload', async () => {
  const { page, context, errors } = await stage.signedIn();
  await page.goto(video.path);
  await play(page);
  await page.goto('/history');
  await reloadUntil(page, page.getByRole('button', { name: 'Remove Harbour from watch history' }));
  assert.deepEqual(errors, []);
  await context.close();
});

test('comments have the last selected order, whichever response arrives last', async () => {
  const { page, context, errors } = await stage.visitor();
  const bodies = { contentId: video.id, body: 'Liked by the channel' };
  const { createComment } = await callApi<{ createComment: { id: string } }>(stage.baseUrl, key, COMMENT, bodies);
  await callApi(stage.baseUrl, key, 'mutation ($id: DID!) { likeComment(id: $id) { comment { id } } }', {
    id: createComment.id,
  });
  await callApi(stage.baseUrl, key, COMMENT, { contentId: video.id, body: 'Without likes' });
  await page.goto(video.path);
  const first = page.getByRole('article', { name: /^Comment by / }).first();
  await first.getByText('Liked by the channel').waitFor();
  const release = await holdBack(page, '"sort":"NEWEST"');
  const top = page.waitForResponse((result) => decodeURIComponent(result.url()).includes('"sort":"TOP"'));
  await page.getByRole('button', { name: 'Newest' }).click();
  await page.getByRole('button', { name: 'Top' }).click();
  await top;
  await release();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  assert.match(await first.innerText(), /Liked by the channel/);
  assert.deepEqual(errors, []);
  await context.close();
});

test('new comments wait for a click, also those written while offline; a moderator holds one', async () => {
  const reader = await stage.signedIn();
  let broken = true;
  await reader.page.route('**/graphql', (route) => {
    const isStream = route.request().headers()['accept'] === 'text/event-stream';
    return isStream && broken ? route.abort('connectionreset') : route.fallback();
  });
  const comment = (body: string): Promise<unknown> =>
    callApi(stage.baseUrl, key, COMMENT, { contentId: video.id, body });
  await comment('There before');
  await reader.page.goto(video.path);
  await reader.page.getByText('There before').waitFor();
  await reader.page.waitForLoadState('networkidle'); // the page has loaded the current state
  await comment('While it was broken');
  broken = false;
  await reader.page.getByRole('button', { name: 'Show 1 new comment', exact: true }).waitFor();
  await comment('As it happens');
  const show = reader.page.getByRole('button', { name: 'Show 2 new comments' });
  await show.waitFor();
  assert.equal(await reader.page.getByText('As it happens').count(), 0);
  const place = async (): Promise<number | undefined> => (await reader.page.getByText('There before').boundingBox())?.y;
  const before = await place();
  await comment('One more');
  await reader.page.getByRole('button', { name: 'Show 3 new comments' }).waitFor();
  assert.equal(await place(), before, 'the page scrolled by itself');
  assert.deepEqual(await accessibilityViolations(reader.page), []);
  await reader.page.getByRole('button', { name: 'Show 3 new comments' }).click();
  const articles = reader.page.getByRole('article', { name: /^Comment by / });
  await articles.nth(3).waitFor();
  const shown = await articles.getByText(/^(One more|As it happens|While it was broken|There before)$/).allInnerTexts();
  assert.deepEqual(shown, ['One more', 'As it happens', 'While it was broken', 'There before']);
  await reader.page.getByLabel('Add a comment').fill('From the reader');
  await reader.page.getByRole('button', { name: 'Comment', exact: true }).click();
  await reader.page.getByText('From the reader').waitFor();

  await creator.goto(video.path);
  const menuOf = async (text: string): Promise<void> => {
    const article = creator.getByRole('article', { name: /^Comment by / }).filter({ hasText: text });
    await article.getByRole('button', { name: /^More actions/ }).click();
  };
  await menuOf('From the reader');
  await creator.getByRole('button', { name: 'Hold for review' }).click();
  await creator.getByText('From the reader').waitFor({ state: 'detached' });
  await menuOf('One more');
  await creator.getByRole('button', { name: 'Delete' }).click();
  await creator.getByRole('dialog', { name: 'Delete this comment?' }).getByRole('button', { name: 'Delete' }).click();
  await creator.getByText('One more').waitFor({ state: 'detached' });
  await creator.goto('/studio/comments');
  await creator.getByText('From the reader').waitFor();
  assert.deepEqual(reader.errors, []);
  await reader.context.close();
});

test('another site can embed the player with the code of the share dialog, and no other page', async (ended) => {
  const { page, context, errors } = await stage.visitor();
  await countNoPresses(page);
  await page.goto(video.path);
  await page.getByRole('button', { name: 'Share' }).click();
  const code = await page.getByLabel('Embed code').inputValue();
  const whole = `<iframe id="page" src="${stage.baseUrl}${video.path}"></iframe>`;
  const site = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html><h1>A blog</h1>${code}${whole}`),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  ended.after(() => site.close().closeAllConnections());
  const blog = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`; // it listens on a port, not on a path
  await page.goto(blog);
  const frame = page.frameLocator('iframe[title="Harbour"]');
  await frame.getByRole('button', { name: 'Play Harbour' }).click();
  const time = (): Promise<number> =>
    frame.locator('video').evaluate((video) => (video as unknown as { currentTime: number }).currentTime);
  const untilAt = async (seconds: number): Promise<void> => {
    const deadline = Date.now() + 15_000;
    for (let at = await time(); at < seconds; at = await time()) {
      assert.ok(Date.now() < deadline, `the video stands at ${at} s`);
      await page.waitForTimeout(100);
    }
  };
  await untilAt(0.5);
  await page.keyboard.press('5');
  await untilAt(15);
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    frame.getByRole('link', { name: /^Harbour/ }).click(),
  ]);
  await opened.getByRole('heading', { name: 'Harbour', level: 1 }).waitFor();
  assert.equal(new URL(opened.url()).pathname, video.path);
  assert.equal(await page.frameLocator('#page').locator('video, #app').count(), 0, 'the page of the video was framed');

  await change({ visibility: 'PRIVATE' });
  await page.goto(blog);
  await frame.getByText('This video is not available.').waitFor();
  await change({ visibility: 'PUBLIC' });
  assert.deepEqual(
    errors.filter((error) => !error.includes("frame-ancestors 'none'")),
    [],
  );
  await context.close();
});

test('a downloadable video offers its files with sizes, and others offer none', async () => {
  const { page, context, errors } = await stage.visitor();
  await page.goto(video.path);
  await page.getByRole('button', { name: 'Share' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Download' }).count(), 0);
  await change({ allowDownload: true });
  await page.reload();
  await page.getByRole('button', { name: 'Download' }).click();
  const file = page.getByRole('link', { name: /^Video, MP4 \d+(\.\d)? [kM]B$/ });
  const address = (await file.getAttribute('href')) ?? '';
  const [download] = await Promise.all([page.waitForEvent('download'), file.click()]);
  assert.equal(download.suggestedFilename(), 'Harbour.mp4');
  assert.equal(await download.failure(), null);
  assert.deepEqual(await playedFile(page, address, [20.5, 3.25]), {
    size: '160x90',
    seconds: 31,
    shownAt: [20.5, 3.25],
  });
  assert.deepEqual(errors, []);
  await context.close();
});

/** Plays a file by itself, as far as its first frame after each of the positions. */
function playedFile(page: Page, url: string, positions: readonly number[]): Promise<unknown> {
  return page.evaluate(`(async () => {
    const video = Object.assign(document.createElement('video'), { muted: true, src: ${JSON.stringify(url)} });
    const happens = (name) => new Promise((resolve, reject) => {
      video.addEventListener(name, resolve, { once: true });
      video.addEventListener('error', () => reject(new Error(video.error.message)), { once: true });
    });
    await happens('loadeddata');
    const shownAt = [];
    for (const position of ${JSON.stringify(positions)}) {
      const seeked = happens('seeked');
      video.currentTime = position;
      await seeked;
      if (video.readyState >= 2) shownAt.push(video.currentTime);
    }
    return { size: video.videoWidth + 'x' + video.videoHeight, seconds: Math.round(video.duration), shownAt };
  })()`);
}

test('hovering over a card plays a silent preview, except with reduced motion', async () => {
  const { page, context, errors } = await stage.visitor();
  const link = page.getByRole('article').getByRole('link', { name: 'Harbour' }).first();
  const clip = page.locator('article video');
  await page.goto('/');
  await link.hover();
  await clip.waitFor();
  assert.equal(await clip.evaluate((video) => (video as unknown as { muted: boolean }).muted), true);
  const playedSeconds = () => clip.evaluate((video) => (video as unknown as { currentTime: number }).currentTime);
  await until(
    async () => (await playedSeconds()) > 0.2,
    () => 'it does not play',
  );
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.mouse.move(5, 5);
  await clip.waitFor({ state: 'detached' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await link.hover();
  await page.clock.runFor(2_000);
  assert.equal(await clip.count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});
