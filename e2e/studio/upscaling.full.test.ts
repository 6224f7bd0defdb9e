import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../server/src/testing/until.ts';
import { makeCounterClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { play, publishByProgram, shortOf, untilPlaying } from '../support/steps.ts';

const stage = sharedStage();

test('a video is upscaled in the studio; viewers choose the enhanced quality, the player does not by itself', async () => {
  // With keyframes every four seconds.
  makeCounterClip(stage.folder, 'detailed.mp4', 12);
  const { page, context, errors, member } = await stage.signedIn();
  const video = { title: 'Detailed', summary: '', filename: 'detailed.mp4' };
  const { path, id } = await publishByProgram(stage, member.key, video);

  await page.goto(`/studio/content/${shortOf(id)}?tab=video`);
  const panel = page.getByRole('region', { name: 'Upscaling' });
  await panel.getByLabel('Quality').selectOption('480p');
  await panel.getByLabel('Model').selectOption('Clean video of high quality');
  await panel.getByRole('button', { name: 'Estimate' }).click();
  await panel.getByText(/^About \d+ min with the queue as it is, [\d.]+ [kM]B, 2 credits\.$/).waitFor();
  await panel.getByRole('button', { name: 'Upscale', exact: true }).click();
  await panel.getByText('Creating 480p enhanced').waitFor();
  await panel.getByText(/^All scenes were enlarged with the model/).waitFor({ timeout: 240_000 });

  const requested = new Set<string>();
  page.on('request', (request) => {
    const [, folder] = /\/(v\d+)\/[^/]+\.m4s$/.exec(request.url()) ?? [];
    if (folder) requested.add(folder);
  });
  await page.goto(path);
  await play(page);
  await untilPlaying(page);
  await page.getByRole('button', { name: 'Quality' }).click();
  const items = page.getByRole('menuitemradio');
  assert.deepEqual(
    (await items.allInnerTexts()).map((text) => text.split('\n')[0]),
    ['Auto', '480p enhanced', '180p source', '180p'],
  );
  assert.ok(!requested.has('v480'), 'the player chose it by itself');
  await items.nth(1).click();
  const height = () => page.evaluate("document.querySelector('video').videoHeight");
  await until(
    async () => (await height()) === 480,
    () => 'the enhanced quality is not shown',
  );

  await page.goto(`/studio/content/${shortOf(id)}?tab=video`);
  await panel.getByRole('button', { name: 'Remove 480p enhanced' }).click();
  await panel.getByRole('button', { name: 'Upscale', exact: true }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
