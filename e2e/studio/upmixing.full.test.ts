import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../server/src/testing/until.ts';
import { makeCounterClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { play, publishByProgram, shortOf, untilPlaying } from '../support/steps.ts';

const stage = sharedStage();

test('sound is upmixed to 7.1 in the studio, and played where the viewer chooses it', async () => {
  makeCounterClip(stage.folder, 'beeps.mp4', 12);
  const { page, context, errors, member } = await stage.signedIn();
  const video = { title: 'Beeps', summary: '', filename: 'beeps.mp4' };
  const { path, id } = await publishByProgram(stage, member.key, video);

  await page.goto(`/studio/content/${shortOf(id)}?tab=video`);
  const panel = page.getByRole('region', { name: 'Surround sound' });
  await panel.getByLabel('Channels').selectOption('7.1');
  await panel.getByRole('button', { name: 'Estimate' }).click();
  await panel.getByText(/^About 1 min with the queue as it is, [\d.]+ [kM]B, 1 credit\.$/).waitFor();
  await panel.getByRole('button', { name: 'Create 7.1 upmix' }).click();
  await panel.getByText('The track is mono: it is played by the centre.').waitFor({ timeout: 120_000 });

  const loaded = new Set<string>();
  page.on('request', (request) => {
    const [, folder] = /\/(audio[^/]*)\/[^/]+\.m4s$/.exec(request.url()) ?? [];
    if (folder) loaded.add(folder);
  });
  await page.goto(path);
  await play(page);
  await untilPlaying(page);
  await page.getByRole('button', { name: 'Audio' }).click();
  const items = page.getByRole('menuitemradio');
  assert.deepEqual(await items.allInnerTexts(), ['Main', '7.1 upmix']);
  assert.ok(!loaded.has('audio-7.1'), 'the player chose it by itself');
  await items.nth(1).click();
  await until(
    () => loaded.has('audio-7.1'),
    () => `only ${[...loaded].join(', ')} is loaded`,
  );
  await page.evaluate("document.querySelector('video').currentTime = 1");
  await untilPlaying(page);
  const state = () =>
    page.evaluate("(video => [video.error, video.webkitAudioDecodedByteCount])(document.querySelector('video'))");
  const before = (await state()) as [unknown, number];
  await until(
    async () => ((await state()) as [unknown, number])[1] > before[1],
    () => 'no sound is decoded',
  );
  assert.equal(before[0], null);

  await page.goto(`/studio/content/${shortOf(id)}?tab=video`);
  await panel.getByRole('button', { name: 'Remove 7.1 upmix' }).click();
  await panel.getByRole('button', { name: 'Create 5.1 upmix' }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
