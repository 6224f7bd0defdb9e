import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { encoders } from '../support/encoder.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi } from '../support/steps.ts';

/** A scheduled broadcast for its viewers: announced, live by itself, and over. */
const stage = sharedStage();
const publish = encoders();

const CREATE = `mutation { createLiveInput(input: { name: "Roof" }) { liveInput { id streamKey ingest { rtmp } } } }`;
const SCHEDULE = `mutation ($input: ScheduleStreamInput!) { scheduleStream(input: $input) {
  stream { id shortUrl } } }`;
const STATE = 'query ($id: DID!) { stream(id: $id) { broadcast { state } } }';
const CANCEL = 'mutation ($id: DID!) { cancelStream(id: $id) { stream { id } } }';

type Input = { readonly id: string; readonly streamKey: string; readonly ingest: { readonly rtmp: string } };
type Stream = { readonly id: string; readonly shortUrl: string };

const isPlaying = (page: Page): Promise<boolean> =>
  page.evaluate("(document.querySelector('video')?.currentTime ?? 0) > 0");

test('viewers wait for a broadcast on its page and in an embedded player, and it plays by itself', async () => {
  const { key } = await stage.account();
  const api = <Data>(query: string, variables = {}) => callApi<Data>(stage.baseUrl, key, query, variables);
  const { liveInput } = (await api<{ createLiveInput: { liveInput: Input } }>(CREATE)).createLiveInput;
  const schedule = async (minutes: number, title: string): Promise<Stream> => {
    const scheduledAt = new Date(Date.now() + minutes * 60_000).toISOString();
    const input = { liveInput: liveInput.id, title, visibility: 'PUBLIC', scheduledAt };
    return (await api<{ scheduleStream: { stream: Stream } }>(SCHEDULE, { input })).scheduleStream.stream;
  };
  const stream = await schedule(1.5, 'The eclipse');
  const path = new URL(stream.shortUrl).pathname;
  const { page, context, errors } = await stage.visitor();
  await page.goto(path);
  const timer = page.getByRole('timer');
  await timer.filter({ hasText: /^[01]:\d\d$/ }).waitFor();
  await page.getByText('The broadcast begins in', { exact: true }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  const embedded = await context.newPage();
  await embedded.goto(`/embed/${path.split('/').at(-1)}?muted=1&autoplay=1`);
  await embedded.getByRole('timer').waitFor();
  const home = await context.newPage();
  await home.goto('/');
  const card = home.getByRole('article').filter({ hasText: 'The eclipse' }).first();
  await card.getByText(/^Starts (in \d minutes?|soon)$/).waitFor();

  const encoder = publish(liveInput.ingest.rtmp, liveInput.streamKey);
  await page.locator('video').waitFor({ state: 'attached' });
  await until(() => isPlaying(page), 'the page does not play by itself');
  await until(() => isPlaying(embedded), 'the embedded player does not play by itself');
  // Both players of the visitor may have been counted by then.
  await page.getByText(/^[12] watching now/).waitFor();
  await home.reload();
  await card.getByText('Live', { exact: true }).waitFor();
  await card.getByText(/ · \d watching now$/).waitFor();

  encoder.stop();
  await encoder.ended;
  type State = { stream: { broadcast: { state: string } } };
  await until(async () => (await api<State>(STATE, { id: stream.id })).stream.broadcast.state === 'RECORDED');
  await home.reload();
  await card.getByText(/ · Was live · /).waitFor();

  const canceled = await schedule(60, 'Another one');
  await page.goto(new URL(canceled.shortUrl).pathname);
  await timer.waitFor();
  await api(CANCEL, { id: canceled.id });
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await page.getByText('This broadcast does not take place.').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
