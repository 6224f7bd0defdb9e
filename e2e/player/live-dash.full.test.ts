import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { serveAssetRoutes } from '../../server/src/domains/assets/testing.ts';
import { until } from '../../server/src/testing/until.ts';
import { encoders } from '../support/encoder.ts';
import { playersPage } from '../support/players-page.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi } from '../support/steps.ts';

/** A broadcast by DASH, in the players that integrators use, in a page of another site. */
const stage = sharedStage();
const publish = encoders();

const CREATE = `mutation { createLiveInput(input: { name: "Harbour", visibility: PUBLIC }) {
  liveInput { id streamKey ingest { rtmp } } } }`;
const STATE = `query ($id: DID!) { node(id: $id) { ... on LiveInput { state currentStream {
  id broadcast { dash } } } } }`;
const STREAM = 'query ($id: DID!) { stream(id: $id) { broadcast { state } } }';

/** How far behind the encoder players stay, and what a busy machine adds. */
const MOST_BEHIND_SECONDS = 15;

interface Input {
  readonly id: string;
  readonly streamKey: string;
  readonly ingest: { readonly rtmp: string };
}

let site: { address: string; close(): Promise<void> };
before(async () => {
  site = await serveAssetRoutes(playersPage());
});
after(() => site.close());

/** A player that plays an address. */
async function opened(player: string, url: string): Promise<Page> {
  const page = await stage.browser.newPage();
  await page.goto(`${site.address}/page`);
  await page.waitForFunction('globalThis.lab');
  await page.locator('body').click(); // sound is allowed after a click
  await page.evaluate(`lab.open(${JSON.stringify(player)}, ${JSON.stringify(url)})`);
  await page.evaluate("document.querySelector('video').play()");
  return page;
}

const timeOf = (page: Page): Promise<number> => page.evaluate("document.querySelector('video').currentTime");

async function untilAt(pages: readonly Page[], seconds: number, limitMs: number): Promise<void> {
  let times: number[] = [];
  await until(
    async () => {
      times = await Promise.all(pages.map(timeOf));
      return times.every((time) => time >= seconds);
    },
    () => `players are at ${times.join(' and ')} s, not at ${seconds} s`,
    limitMs,
  );
}

test('Shaka Player and dash.js play a broadcast, and go on after an interruption and to the end', async () => {
  const { key } = await stage.account();
  const api = <Data>(query: string, variables = {}) => callApi<Data>(stage.baseUrl, key, query, variables);
  const { liveInput } = (await api<{ createLiveInput: { liveInput: Input } }>(CREATE)).createLiveInput;
  const { rtmp } = liveInput.ingest;
  const first = publish(rtmp, liveInput.streamKey);
  type Node = { node: { state: string; currentStream: { id: string; broadcast: { dash: string } } | null } };
  const input = async () => (await api<Node>(STATE, { id: liveInput.id })).node;
  const untilState = (state: string) =>
    until(async () => (await input()).state === state, `the input was never ${state}`, 40_000);
  await untilState('LIVE');
  const { id, broadcast } = (await input()).currentStream ?? assert.fail('there is a stream');
  const manifest = async () => (await fetch(broadcast.dash)).text();
  // As long as players keep away from the end.
  await until(async () => /startNumber="0"[\s\S]*<S t="\d+" d="180000" r="[4-9]"/.test(await manifest()), '', 40_000);

  const pages = await Promise.all(['shaka', 'dash'].map((player) => opened(player, broadcast.dash)));
  const [, startedAt = ''] = /availabilityStartTime="([^"]+)"/.exec(await manifest()) ?? [];
  const began = await Promise.all(pages.map(timeOf));
  await untilAt(pages, Math.max(...began) + 5, 40_000);
  for (const time of await Promise.all(pages.map(timeOf)))
    assert.ok((Date.now() - Date.parse(startedAt)) / 1_000 - time < MOST_BEHIND_SECONDS, `at ${time} s`);

  first.kill();
  await untilState('RECONNECTING');
  const second = publish(rtmp, liveInput.streamKey);
  await untilState('LIVE');
  const [, continued = ''] = /<Period id="\d+" start="PT([\d.]+)S">/.exec(await manifest()) ?? [];
  assert.ok(Number(continued) > 10, 'the manifest has another period');
  await untilAt(pages, Number(continued) + 4, 60_000);

  second.stop();
  await second.ended;
  type Ended = { stream: { broadcast: { state: string } } };
  await until(async () => (await api<Ended>(STREAM, { id })).stream.broadcast.state === 'RECORDED');
  const [, seconds = ''] = /type="static" mediaPresentationDuration="PT([\d.]+)S"/.exec(await manifest()) ?? [];
  await untilAt(pages, Number(seconds) - 1, 40_000);
  for (const page of pages) assert.deepEqual(await page.evaluate('lab.errors'), []);
  await Promise.all(pages.map((page) => page.close()));
});
