import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/src/testing/until.ts';
import { makeForeignClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, play, sendByProgram, untilPlaying, untilProcessed } from '../support/steps.ts';

/** Videos that are played before they are encoded. */
const stage = sharedStage();

const STATE = 'query ($content: DID!, $job: DID!) { content(id: $content) { status } job(id: $job) { status } }';

const seek = (page: Page, seconds: number): Promise<unknown> =>
  page.evaluate(`document.querySelector('video').currentTime = ${seconds}`);

test('a video that has to be encoded plays within seconds, also where a viewer seeks to', async () => {
  makeForeignClip(stage.folder, 'foreign.avi', 120);
  const { page, context, errors, member } = await stage.signedIn();
  const video = { title: 'Foreign', summary: '', filename: 'foreign.avi' };
  const { id, jobId, path } = await sendByProgram(stage, member.key, video);
  const state = async () => {
    const found = await callApi<{ content: { status: string }; job: { status: string } }>(
      stage.baseUrl,
      member.key,
      STATE,
      { content: id, job: jobId },
    );
    return [found.content.status, found.job.status];
  };
  await until(
    async () => (await state())[0] === 'PUBLISHED',
    () => 'the video is not published',
  );
  await page.goto(path);
  await play(page);
  await seek(page, 80);
  await untilPlaying(page);
  assert.equal((await state())[1], 'TRANSCODING', 'it plays while it is encoded');
  await page.keyboard.press('k');
  await untilProcessed(stage.baseUrl, member.key, id, 90);
  await untilProcessed(stage.baseUrl, member.key, id, 90);
  assert.equal((await state())[1], 'COMPLETE');
  // What this page has not loaded yet is part of the whole video now.
  await seek(page, 30);
  await page.keyboard.press('k');
  await untilPlaying(page);
  await seek(page, 118);
  await until(
    () => page.evaluate("document.querySelector('video').ended"),
    () => 'the video does not end',
  );
  assert.deepEqual(errors, []);
  await context.close();
});
