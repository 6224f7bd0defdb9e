import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { encoders } from '../support/encoder.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, play, untilPlaying } from '../support/steps.ts';

/** A stream for its viewers: live, while its encoder is gone, and when it has ended. */
const stage = sharedStage();
const publish = encoders();

const CREATE = `mutation { createLiveInput(input: { name: "Harbour", visibility: PUBLIC }) {
  liveInput { id streamKey ingest { rtmp } } } }`;
const STATE = `query ($id: DID!) { node(id: $id) { ... on LiveInput { state currentStream {
  id shortUrl outputAssets { video { hls } } } } } }`;
const STREAM = `query ($id: DID!) { stream(id: $id) { broadcast { state } metadata { duration } } }`;

interface Input {
  readonly id: string;
  readonly streamKey: string;
  readonly ingest: { readonly rtmp: string };
}

const timeOf = (page: Page): Promise<number> => page.evaluate("document.querySelector('video').currentTime");

test('a viewer watches live, rewinds, goes back to live, waits for the encoder, and has the recording', async () => {
  const { key } = await stage.account();
  const api = <Data>(query: string, variables = {}) => callApi<Data>(stage.baseUrl, key, query, variables);
  const { liveInput } = (await api<{ createLiveInput: { liveInput: Input } }>(CREATE)).createLiveInput;
  const { rtmp } = liveInput.ingest;
  // Encoders seldom begin with both tracks at the same time.
  const first = publish(rtmp, liveInput.streamKey, 0.3);
  const { page, context, errors } = await stage.visitor();
  type Stream = { id: string; shortUrl: string; outputAssets: { video: { hls: string } } };
  type Node = { node: { state: string; currentStream: Stream | null } };
  const input = async () => (await api<Node>(STATE, { id: liveInput.id })).node;
  const untilState = (state: string) =>
    until(async () => (await input()).state === state, `the input was never ${state}`);
  await untilState('LIVE');
  const stream = (await input()).currentStream ?? assert.fail('there is a stream');

  // So late that nothing of the beginning is loaded.
  const playlist = stream.outputAssets.video.hls.replace('master.m3u8', 'live/video/index.m3u8');
  await until(async () => (await (await fetch(playlist)).text()).includes('seg-00004.m4s'));
  await page.goto(new URL(stream.shortUrl).pathname);
  await play(page);
  const live = page.getByRole('button', { name: 'Live', exact: true });
  await live.waitFor({ state: 'attached' });
  assert.match((await live.getAttribute('title')) ?? '', /^[0-9.]+ seconds behind the encoder$/);
  assert.deepEqual(await accessibilityViolations(page), []);

  await page.getByText('1 watching now').waitFor();

  // Until there is more to rewind.
  await until(async () => (await timeOf(page)) > 14);
  const before = await timeOf(page);
  await page.keyboard.press('Home');
  const behind = page.getByRole('button', { name: 'Go to live' });
  await behind.waitFor({ state: 'attached' });
  await untilPlaying(page);
  assert.ok((await timeOf(page)) < 5, 'it plays from its beginning');
  await page.mouse.move(300, 300);
  await behind.click();
  await live.waitFor({ state: 'attached' });
  await untilPlaying(page);
  assert.ok((await timeOf(page)) > before);

  // Announced by a process that was started again, and never made.
  let missing = 0;
  await page.route(/\/video\/seg-\d+\.\d+\.m4s/, (route) => {
    missing += 1;
    return missing <= 2 ? route.fulfill({ status: 404 }) : route.continue();
  });
  const lacking = await timeOf(page);
  await until(async () => missing > 2 && (await timeOf(page)) > lacking + 3, 'playback did not go on without a part');
  assert.equal(await page.getByRole('alert').count(), 0);

  first.kill();
  await untilState('RECONNECTING');
  const cut = await timeOf(page);
  const second = publish(rtmp, liveInput.streamKey);
  await untilState('LIVE');
  await until(async () => (await timeOf(page)) > cut + 4, 'playback did not go on');
  assert.equal(await page.getByRole('alert').count(), 0);

  second.stop();
  await second.ended;
  type Recorded = { stream: { broadcast: { state: string }; metadata: { duration: number | null } } };
  const recorded = async () => (await api<Recorded>(STREAM, { id: stream.id })).stream;
  await until(async () => (await recorded()).broadcast.state === 'RECORDED');
  await page.reload();
  await play(page);
  await page.getByText(/ \/ 0:\d\d$/).waitFor({ state: 'attached' });
  assert.equal(await page.getByRole('button', { name: 'Go to live' }).count(), 0);
  assert.ok(((await recorded()).metadata.duration ?? 0) > 10);
  assert.deepEqual(errors, []);
  await context.close();
});
