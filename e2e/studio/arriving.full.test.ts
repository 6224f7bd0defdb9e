import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { FIRST_VIDEO, type FirstVideo } from '../support/first-video.ts';
import { slowUploads } from '../support/slow-uploads.ts';
import { sharedStage } from '../support/stage.ts';
import { makeSteadyClip } from '../support/steady-clip.ts';

/** Playing while it arrives: in the dialog of an upload, and on the page of its video. */
const stage = sharedStage();
const SECONDS = 16;
/** Until the first picture is shown, also beside other tests; `npm run bench:live -- --arriving` measures it. */
const MOST_ARRIVED_SECONDS = 12;

const firstVideo = (page: Page) => page.evaluate<FirstVideo>('globalThis.firstVideo()');

/** Uploads a clip in the studio, at `speed` times that of its video. */
async function uploading(name: string, speed: number) {
  const clip = makeSteadyClip(join(stage.folder, name), SECONDS);
  const bytesPerSecond = (speed * statSync(clip).size) / SECONDS;
  const proxy = await slowUploads(bytesPerSecond);
  const visitor = await stage.signedIn({ proxy: { server: proxy.server } });
  const { page, context } = visitor;
  await page.addInitScript(FIRST_VIDEO);
  await page.goto('/studio/videos');
  await page.getByLabel('Video files').setInputFiles(clip);
  const secondsAt = (unixMs: number) => (speed * proxy.sentAt(unixMs)) / bytesPerSecond;
  const end = async () => {
    await context.close();
    await proxy.close();
  };
  return { ...visitor, proxy, secondsAt, end };
}

test('an upload at twice the speed of its video is seen, and plays on through its last byte', async () => {
  const { page, errors, proxy, secondsAt, end } = await uploading('Beach.mp4', 2);
  const dialog = page.getByRole('dialog', { name: 'Details' });
  await dialog.getByText('The preview shows what is uploaded so far').waitFor();
  await until(async () => (await firstVideo(page)).firstFrameAtMs !== null, 'there is never a picture');
  const arrived = secondsAt((await firstVideo(page)).firstFrameAtMs ?? 0);
  assert.ok(arrived <= MOST_ARRIVED_SECONDS, `${arrived.toFixed(2)} s of video had arrived`);
  assert.equal(await dialog.getByText('The upload is complete.').count(), 0);
  assert.equal(await dialog.getByRole('button', { name: 'Live', exact: true }).count(), 0);
  assert.deepEqual(await accessibilityViolations(page), []);
  await dialog.getByText('The upload is complete.').waitFor();
  assert.ok(secondsAt(proxy.lastAtMs) > SECONDS - 0.1);
  assert.ok((await firstVideo(page)).time < SECONDS - 2, 'it has ended before its last byte');
  await until(async () => (await firstVideo(page)).hasEnded, 'it does not play to its end');
  const { loads, time } = await firstVideo(page);
  assert.equal(loads, 1);
  assert.ok(Math.abs(time - SECONDS) < 0.3, `it ends at ${time} s`);
  assert.deepEqual(errors, []);
  await end();
});

test('an upload is seen by other members on the page of its video', async () => {
  const { page, member, end } = await uploading('Harbour.mp4', 0.5);
  await page.getByRole('dialog', { name: 'Details' }).getByText('The preview shows').waitFor();
  const elsewhere = await stage.signedIn({}, member);
  await elsewhere.page.addInitScript(FIRST_VIDEO);
  await elsewhere.page.goto('/studio/videos');
  await elsewhere.page.getByRole('row', { name: 'Harbour' }).getByRole('link').first().click();
  const summary = elsewhere.page.getByRole('complementary', { name: 'Summary' });
  await summary.getByText('The preview shows what is uploaded so far').waitFor();
  await until(async () => (await firstVideo(elsewhere.page)).firstFrameAtMs !== null, 'there is never a picture');
  assert.deepEqual(elsewhere.errors, []);
  await elsewhere.context.close();
  await end();
});
