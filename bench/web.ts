import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { startBrowser } from '../e2e/support/browser.ts';
import { buildWeb, ensureBrowser } from '../scripts/prerequisites.mjs';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { median, table } from './results.ts';
import { startServer, stopServer } from './server.ts';

const PHONE = { width: 390, height: 844 };
/** The profile of a slow phone: 1.6 Mbit/s, 150 ms of round trip, a processor with a quarter of this one's speed. */
const NETWORK = { offline: false, downloadThroughput: 200_000, uploadThroughput: 93_750, latency: 150 };
const SLOWER = 4;
/** How long a page is left alone after it loaded: what it fetches without being asked to. */
const REST_MS = 4_000;

/** What a visit costs, and how it felt. */
interface Visit {
  /** Compressed bytes of scripts, without the player's. */
  readonly scriptBytes: number;
  /** Compressed bytes of the scripts that only play streams. */
  readonly playerBytes: number;
  readonly styleBytes: number;
  /** Bytes of streams before Play was pressed. */
  readonly videoBytes: number;
  readonly lcpMs: number;
  readonly cls: number;
  /** The longest of some presses, from the event to the next frame. */
  readonly longestPressMs: number;
}

/** Limits of the product's goals; null for what has none. */
const GOALS: Readonly<Record<'home' | 'watch', Readonly<Record<keyof Visit, number | null>>>> = {
  home: goals(120_000),
  watch: goals(170_000),
};

function goals(scriptBytes: number): Readonly<Record<keyof Visit, number | null>> {
  return {
    scriptBytes,
    playerBytes: null,
    styleBytes: null,
    videoBytes: 1_500_000,
    lcpMs: 2_500,
    cls: 0.05,
    longestPressMs: 200,
  };
}

/**
 * Opens the home page and the page of a video of the demo channel as a phone on a slow network does, each with an empty
 * cache, and prints the medians of some visits beside the goals.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { visits: { type: 'string', default: '3' } } });
  ensureBrowser();
  buildWeb();
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  const env = { DATABASE_URL: postgres.url, DATA_DIR: join(folder, 'data'), DEMO: 'on', SIGN_UP: 'open' };
  const server = await startServer('../server/src/main.ts', [], env);
  const browser = await startBrowser();
  try {
    const watch = await demoVideo(browser, server.url);
    for (const [name, url] of [
      ['home', `${server.url}/`],
      ['watch', watch],
    ] as const) {
      const visits: Visit[] = [];
      for (let n = 0; n < Number(values.visits); n += 1) visits.push(await visit(browser, url));
      print(name, visits);
    }
  } finally {
    await browser.close();
    await stopServer(server.child);
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Address of a video, once all of the demo channel are processed and nothing else runs. */
async function demoVideo(browser: Browser, url: string): Promise<string> {
  const page = await browser.newPage();
  const cards = page.locator('main a[href^="/w/"]');
  for (let waited = 0; ; waited += 1) {
    await page.goto(url);
    await page.locator('h1, main h2').first().waitFor();
    if (new Set(await cards.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).size >= 3) break;
    if (waited > 90) throw new Error('The demo channel did not get its videos.');
    await sleep(2_000);
  }
  await sleep(30_000);
  const path = await cards.first().getAttribute('href');
  await page.close();
  return `${url}${path}`;
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: PHONE, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const fetched = await record(devtools);
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(OBSERVE);
  await page.goto(url);
  await page.waitForLoadState('load');
  await sleep(REST_MS);
  const { scriptBytes, playerBytes, styleBytes, videoBytes } = fetched;
  await press(page);
  const felt = (await page.evaluate('window.felt')) as Pick<Visit, 'lcpMs' | 'cls' | 'longestPressMs'>;
  await context.close();
  return { scriptBytes, playerBytes, styleBytes, videoBytes, ...felt };
}

/** Sums what is fetched, as it travels. */
async function record(devtools: CDPSession) {
  const sums = { scriptBytes: 0, playerBytes: 0, styleBytes: 0, videoBytes: 0 };
  const kinds = new Map<string, keyof typeof sums>();
  await devtools.send('Network.enable');
  devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
    const kind = kindOf(type, new URL(response.url).pathname);
    if (kind) kinds.set(requestId, kind);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind) sums[kind] += encodedDataLength;
  });
  return sums;
}

function kindOf(type: string, path: string): 'scriptBytes' | 'playerBytes' | 'styleBytes' | 'videoBytes' | null {
  if (type === 'Script') return /\/hls[.-]/.test(path) ? 'playerBytes' : 'scriptBytes';
  if (type === 'Stylesheet') return 'styleBytes';
  return /\.(m4s|mp4|ts|m3u8)$/.test(path) ? 'videoBytes' : null;
}

/** Presses what opens and closes something on every page: the search and the page's own buttons. */
async function press(page: Page): Promise<void> {
  const search = page.getByPlaceholder('Search').first();
  await search.tap();
  await page.keyboard.type('game', { delay: 80 });
  await page.keyboard.press('Escape');
  const share = page.getByRole('button', { name: 'Share' });
  if ((await share.count()) > 0) {
    await share.first().tap();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
  }
  await sleep(500);
}

/** Runs in the page: the Largest Contentful Paint, Cumulative Layout Shift and Event Timing of web-vitals. */
const OBSERVE = `
  window.felt = { lcpMs: 0, cls: 0, longestPressMs: 0 };
  const observe = (type, note, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more });
  observe('largest-contentful-paint', (entry) => (window.felt.lcpMs = entry.startTime));
  observe('layout-shift', (entry) => (window.felt.cls += entry.hadRecentInput ? 0 : entry.value));
  observe('event', (entry) => {
    if (entry.interactionId) window.felt.longestPressMs = Math.max(window.felt.longestPressMs, entry.duration);
  }, { durationThreshold: 16 });
`;

const LABELS: Readonly<Record<keyof Visit, readonly [label: string, unit: string, per: number]>> = {
  scriptBytes: ['scripts, compressed, without the player', 'kB', 1_000],
  playerBytes: ['scripts of the player, compressed', 'kB', 1_000],
  styleBytes: ['styles, compressed', 'kB', 1_000],
  videoBytes: ['video before Play', 'kB', 1_000],
  lcpMs: ['largest contentful paint', 'ms', 1],
  cls: ['cumulative layout shift', '', 1],
  longestPressMs: ['longest press', 'ms', 1],
};

function print(name: keyof typeof GOALS, visits: readonly Visit[]): void {
  const rows = (Object.keys(LABELS) as (keyof Visit)[]).map((key) => {
    const [label, unit, per] = LABELS[key];
    const text = (value: number) => `${(value / per).toFixed(key === 'cls' ? 3 : 0)} ${unit}`.trim();
    const [value, goal] = [median(visits.map((each) => each[key])), GOALS[name][key]];
    return [label, text(value), goal === null ? '' : text(goal), goal !== null && value > goal ? 'missed' : ''];
  });
  console.log(`\n${table([[name, 'median', 'goal', ''], ...rows])}`);
}
