import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { ask, openEditTab, untilVisibility, uploadInStudio } from '../support/steps.ts';

const stage = sharedStage();

const READY = { timeout: 60_000 };
const LENGTH = 'query ($id: DID!) { content(id: $id) { status metadata { duration } } }';

test('a creator trims a published video by keys, reverts it, makes a clip, and replaces the file', async () => {
  const { page, context, errors } = await stage.signedIn();
  const row = await uploadInStudio(page, makeClip(stage.folder, 'long.mp4', 12), 'A long take', true);
  await untilVisibility(row, 'Public');
  await row.getByRole('link', { name: 'A long take', exact: true }).click();
  const id = `did:reelgraph:content/feature/${new URL(page.url()).pathname.split('/').pop()}`;
  const secondsOf = async (of = id): Promise<number> => (await ask(page, LENGTH, { id: of })).content.metadata.duration;

  await openEditTab(page, 'Trim');
  const trim = page.getByRole('form', { name: 'Trim' });
  await trim.locator('canvas').waitFor(READY);
  await seek(page, 3);
  await trim.getByRole('button', { name: 'Remove everything before' }).click();
  const end = trim.getByRole('slider', { name: 'End of removed part 1' });
  assert.equal(await end.getAttribute('aria-valuenow'), '3000');
  await end.press('Shift+ArrowRight');
  await end.press('ArrowLeft');
  assert.equal(await end.getAttribute('aria-valuenow'), '3900');
  await seek(page, 9);
  await trim.getByRole('button', { name: 'Remove a part' }).click();
  const start = trim.getByRole('slider', { name: 'Start of removed part 2' });
  assert.equal(await start.getAttribute('aria-valuenow'), '9000');
  await trim.getByText('The video will be 0:05 long.').waitFor();
  assert.equal(await trim.getByRole('button', { name: 'Make a clip' }).isDisabled(), true);
  await trim.getByText('Save or discard the removed parts first to make a clip.').waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate('scrollTo(0, 0)');
  const timeline = await trim.getByRole('region', { name: 'Timeline' }).boundingBox();
  const bar = await trim.getByRole('button', { name: 'Save', exact: true }).boundingBox();
  assert.ok((timeline?.y ?? 0) + (timeline?.height ?? 0) <= (bar?.y ?? 0), 'the timeline is above the bar');
  assert.deepEqual(await accessibilityViolations(page), []);

  // The preview skips what is removed.
  await seek(page, 0.5);
  await trim.getByRole('button', { name: 'Play preview' }).click();
  await until(async () => (await timeOf(page)) >= 3.9, 'the preview does not skip');
  await trim.getByRole('button', { name: 'Pause' }).click();

  await trim.getByRole('button', { name: 'Save', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Save the trimmed video?' });
  assert.deepEqual(await accessibilityViolations(page), []);
  await question.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The video is being processed.').waitFor();
  const revert = page.getByRole('button', { name: 'Revert to original…' });
  await revert.waitFor(READY);
  assert.ok(Math.abs((await secondsOf()) - 5.1) < 0.1, `${await secondsOf()} s`);

  await revert.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).click();
  await page.getByText('The video is being processed.').waitFor();
  await trim.waitFor(READY);
  await revert.waitFor({ state: 'detached' });
  assert.ok(Math.abs((await secondsOf()) - 12) < 0.2, `${await secondsOf()} s`);

  await seek(page, 2);
  await trim.getByRole('button', { name: 'Make a clip' }).click();
  const edge = trim.getByRole('slider', { name: 'End of the clip' });
  for (let presses = 0; presses < 7; presses += 1) await edge.press('Shift+ArrowLeft');
  assert.equal(await edge.getAttribute('aria-valuenow'), '5000');
  const clip = page.getByRole('region', { name: 'New clip' });
  await clip.getByLabel('Title').fill('The wave');
  assert.deepEqual(await accessibilityViolations(page), []);
  await clip.getByRole('button', { name: 'Save as clip' }).click();
  await page.getByRole('heading', { level: 1, name: 'The wave' }).waitFor();
  const clipId = `did:reelgraph:content/feature/${new URL(page.url()).pathname.split('/').pop()}`;
  await until(async () => (await ask(page, LENGTH, { id: clipId })).content.status === 'READY', 'no clip', 60_000);
  assert.ok(Math.abs((await secondsOf(clipId)) - 3) < 0.1, `${await secondsOf(clipId)} s`);

  await page.goto(`/studio/content/${id.split('/').pop()}?tab=video`);
  const file = page.getByRole('region', { name: 'Video file' });
  await file.locator('input[type=file]').setInputFiles(makeClip(stage.folder, 'other.mp4', 5));
  await until(async () => Math.abs((await secondsOf()) - 5) < 0.2, 'the file is not replaced', 60_000);
  assert.equal((await ask(page, LENGTH, { id })).content.status, 'PUBLISHED');
  assert.deepEqual(errors, []);
  await context.close();
});

interface Video {
  currentTime: number;
  readonly readyState: number;
  readonly seeking: boolean;
}

/** Moves the preview to a second, and waits until it is there. */
async function seek(page: Page, seconds: number): Promise<void> {
  const video = page.getByLabel('Preview');
  const isLoaded = () => video.evaluate((element) => (element as unknown as Video).readyState > 0);
  await until(isLoaded, 'there is no preview', 30_000);
  await video.evaluate((element, currentTime) => void Object.assign(element, { currentTime }), seconds);
  await until(() => video.evaluate((element) => !(element as unknown as Video).seeking), 'it is still seeking');
}

const timeOf = (page: Page): Promise<number> =>
  page.getByLabel('Preview').evaluate((element) => (element as unknown as Video).currentTime);
