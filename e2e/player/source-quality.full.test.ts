import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCounterClip } from '../support/clips.ts';
import { framesAt, framesPlayed } from '../support/frames.ts';
import { sharedStage } from '../support/stage.ts';
import { play, publishByProgram, untilPlaying } from '../support/steps.ts';

/** The uploaded picture and the encoded one of the same size, switched frame by frame. */
const stage = sharedStage();

test('the source quality and the encoded one show the same frame at every time, also where a player switches', async () => {
  makeCounterClip(stage.folder, 'counter.mp4', 12);
  const { page, context, errors, member } = await stage.signedIn();
  const video = { title: 'Counter', summary: '', filename: 'counter.mp4' };
  const { path } = await publishByProgram(stage, member.key, video);
  const requested: string[] = [];
  page.on('request', (request) => {
    const [, folder] = /\/([^/]+\/v[^/]+)\/[^/]+\.m4s$/.exec(request.url()) ?? [];
    if (folder) requested.push(folder.startsWith('copy-') ? 'source' : 'encoded');
  });
  await page.goto(path);
  await play(page);
  await untilPlaying(page);
  const choose = async (index: number) => {
    await page.getByRole('button', { name: 'Quality' }).click();
    await page.getByRole('menuitemradio').nth(index).click();
  };
  await page.getByRole('button', { name: 'Quality' }).click();
  const qualities = await page.getByRole('menuitemradio').allInnerTexts();
  assert.deepEqual(
    qualities.map((text) => text.split('\n')[0]),
    ['Auto', '180p source', '180p'],
  );
  await page.keyboard.press('Escape');
  await page.evaluate("document.querySelector('video').pause()");

  // Around the keyframes with which segments begin, at 4 and 8 s.
  const frames = [0, 1, 49, 50, 99, 100, 101, 150, 199, 200, 201, 250, 290];
  const both = [];
  for (const [index, quality] of [
    [1, 'one'],
    [2, 'the other'],
  ] as const) {
    // What lies ahead is loaded again.
    await framesAt(page, [0]);
    requested.length = 0;
    await choose(index);
    const shown = await framesAt(page, frames);
    for (const [expected, number] of shown) assert.equal(number, expected, quality);
    assert.ok(new Set(shown.map(([expected]) => expected)).size > 8, shown.join(' '));
    both.push(...new Set(requested));
  }
  assert.deepEqual(both.sort(), ['encoded', 'source']);

  await page.evaluate("document.querySelector('video').currentTime = 0");
  await page.evaluate("document.querySelector('video').play()");
  const watched = framesPlayed(page, 120);
  for (const index of [1, 2, 1]) {
    requested.length = 0;
    await choose(index);
    await untilPlaying(page);
  }
  // A busy page reads the picture of a frame when the next one is shown.
  const late = (await watched).map(([expected, shown]) => shown - expected);
  assert.ok(Math.min(...late) === 0 && late.filter((frames) => frames === 0).length > late.length / 2, late.join(' '));
  assert.deepEqual(errors, []);
  await context.close();
});
