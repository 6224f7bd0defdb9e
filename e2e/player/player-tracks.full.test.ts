import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../server/src/testing/until.ts';
import { makeCaptionedClip, makeTwoLanguageClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { openVideo, play, untilCaption, untilPlaying } from '../support/steps.ts';

/** Captions and audio of files with several tracks. */
const stage = sharedStage();

test('forced captions in the language of the audio are shown while others are off, and are not in the menu', async () => {
  const cue = (text: string): string => `1\n00:00:01,000 --> 00:00:07,000\n${text}\n`;
  const tracks = { ger: cue('Ausgang'), eng: cue('Exit'), fre: cue('La sortie est fermée') };
  makeCaptionedClip(stage.folder, 'signs.mp4', tracks, ['ger', 'eng']);
  const { page, context, errors } = await openVideo(stage, 'signs.mp4');
  await play(page);
  await page.keyboard.press('k');
  await page.keyboard.press('5');
  // The language of the audio is not known.
  await untilCaption(page, 'Ausgang');
  const menu = page.getByRole('button', { name: 'Captions' });
  const options = page.getByRole('menuitemradio');
  await menu.click();
  assert.deepEqual(await options.allInnerTexts(), ['Off', 'français']);
  assert.deepEqual(await page.getByRole('menuitemradio', { checked: true }).allInnerTexts(), ['Off']);
  await page.getByRole('menuitemradio', { name: 'français' }).click();
  await untilCaption(page, 'La sortie est fermée');
  await page.keyboard.press('c');
  await untilCaption(page, 'Ausgang');
  assert.deepEqual(errors, []);
  await context.close();
});

test('audio tracks are selected in the player and remembered', async () => {
  makeTwoLanguageClip(stage.folder, 'languages.mp4', ['eng', 'ger']);
  const { page, context, errors } = await openVideo(stage, 'languages.mp4');
  const audio: string[] = [];
  page.on('request', (request) => audio.push(/\/(audio[^/]*)\/seg/.exec(request.url())?.[1] ?? ''));
  const loaded = (): string[] => [...new Set(audio.filter((folder) => folder !== ''))];
  const menu = page.getByRole('button', { name: 'Audio' });
  const options = page.getByRole('menuitemradio');
  const checked = page.getByRole('menuitemradio', { checked: true });
  await play(page);
  await untilPlaying(page);
  assert.deepEqual(loaded(), ['audio']);
  await menu.click();
  assert.deepEqual(await options.allInnerTexts(), ['English', 'Deutsch']);
  assert.deepEqual(await checked.allInnerTexts(), ['English']);
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await until(
    () => loaded().includes('audio2'),
    () => `only ${loaded().join(', ')} is loaded`,
  );
  await untilPlaying(page);
  await page.getByRole('button', { name: 'Quality' }).click();
  assert.equal((await options.allInnerTexts()).length, 2, 'one quality, and automatic');
  await page.keyboard.press('Escape');
  audio.length = 0;
  await page.reload();
  await play(page);
  await untilPlaying(page);
  assert.deepEqual(loaded(), ['audio2']);
  await menu.click();
  assert.deepEqual(await checked.allInnerTexts(), ['Deutsch']);
  assert.deepEqual(errors, []);
  await context.close();
});
