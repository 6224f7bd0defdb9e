import type { Browser, Page } from 'playwright-core';
import { VIDEO_PROBE } from '../players-page.ts';
import { play } from '../steps.ts';
import type { LiveStream } from './broadcasts.ts';

/** A player that shows a stream. */
export interface Playing {
  readonly page: Page;
  /** From opening the stream to its first picture. */
  readonly startMs: number;
}

interface PlayerNeeds {
  readonly browser: Browser;
  /** Of `playersPage`. */
  readonly site: string;
}

type OpenPlayer = (stream: LiveStream, needs: PlayerNeeds) => Promise<Playing>;

/** What plays a live stream: the page of the stream, which has hls.js, and the players of integrators. */
export const PLAYERS = {
  'hls.js': watchPage,
  'Shaka Player with HLS': (stream, needs) => elsewhere('shaka', stream.hls, needs),
  'Shaka Player with DASH': (stream, needs) => elsewhere('shaka', stream.dash, needs),
  'dash.js': (stream, needs) => elsewhere('dash', stream.dash, needs),
} satisfies Record<string, OpenPlayer>;

export type PlayerName = keyof typeof PLAYERS;

/** Resolves once a picture is shown. */
export const FIRST_PICTURE = `new Promise((done) => {
  const look = () => {
    const video = document.querySelector('video');
    if (video) video.requestVideoFrameCallback(() => done());
    else requestAnimationFrame(look);
  };
  look();
})`;

async function watchPage({ url }: LiveStream, { browser }: PlayerNeeds): Promise<Playing> {
  // Its own policy allows no scripts of tests.
  const page = await browser.newPage({ bypassCSP: true });
  const startedAt = performance.now();
  await page.goto(url);
  const shown = page.evaluate(FIRST_PICTURE);
  await play(page);
  await shown;
  const startMs = performance.now() - startedAt;
  await page.addScriptTag({ path: VIDEO_PROBE });
  return { page, startMs };
}

async function elsewhere(player: string, address: string, { browser, site }: PlayerNeeds): Promise<Playing> {
  const page = await browser.newPage();
  await page.goto(`${site}/page`);
  await page.waitForFunction('globalThis.lab');
  await page.locator('body').click(); // sound is allowed after a click
  const startedAt = performance.now();
  const shown = page.evaluate(FIRST_PICTURE);
  await page.evaluate(`lab.open(${JSON.stringify(player)}, ${JSON.stringify(address)})`);
  await page.evaluate("document.querySelector('video').play()");
  await shown;
  return { page, startMs: performance.now() - startedAt };
}
