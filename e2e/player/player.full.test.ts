import assert from 'node:assert/strict';
import { test } from 'node:test';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { until } from '../../server/src/testing/until.ts';
import { makeCaptionedClip, makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { openVideo, play, untilCaption, untilPlaying } from '../support/steps.ts';

/** The player: keyboard, captions, lost connections. */
const stage = sharedStage();

test('the player supports the keyboard', async () => {
  makeClip(stage.folder, 'keys.mp4', 12);
  const { page, context, errors } = await openVideo(stage, 'keys.mp4');
  await play(page);
  const video = page.locator('video');
  const state = <Value>(property: string): Promise<Value> =>
    page.evaluate(`document.querySelector('video').${property}`);
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
  assert.deepEqual(errors, []);
  await context.close();
});

test('the seek bar shows the picture of the time under the pointer', async () => {
  makeClip(stage.folder, 'seek.mp4', 6);
  const { page, context, errors } = await openVideo(stage, 'seek.mp4');
  await play(page);
  await page.keyboard.press('k');
  const bar = page.getByRole('slider', { name: 'Position' });
  const { width = 0 } = (await bar.boundingBox()) ?? {};
  await bar.hover({ position: { x: width * 0.25, y: 5 } });
  const picture = page.locator('svg > svg:has(image)');
  await picture.waitFor({ state: 'attached' });
  // The second of six tiles; the image has the size of its file.
  assert.equal(await picture.getAttribute('viewBox'), '160 0 160 90');
  const size = () =>
    page.evaluate(`(({ width, height }) => width + 'x' + height)(
    document.querySelector('svg > svg > image').getBBox())`);
  await until(
    async () => (await size()) === '960x90',
    () => 'the image was not loaded',
  );
  assert.deepEqual(errors, []);
  await context.close();
});

test('embedded captions are selected in the player, toggled by a key and remembered', async () => {
  const cue = (text: string): string => `1\n00:00:01,000 --> 00:00:07,000\n${text}\n`;
  makeCaptionedClip(stage.folder, 'talk.mp4', { ger: cue('Guten <i>Morgen</i>'), eng: cue('Good morning') });
  const { page, context, errors } = await openVideo(stage, 'talk.mp4');
  await play(page);
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
  assert.deepEqual(errors, []);
  await context.close();
});

test('playback survives a lost connection', THOROUGH, async () => {
  makeClip(stage.folder, 'long.mp4', 120);
  const { page, context } = await openVideo(stage, 'long.mp4');
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
