import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { sql } from '../server/src/platform/db/statement.ts';
import { until } from '../server/src/testing/until.ts';
import { newVisitor, startBrowser } from './support/browser.ts';
import { type Platform, startPlatform } from './support/harness.ts';
import { screenshotPages } from './support/page-screenshots.ts';
import { untilPlaying } from './support/steps.ts';

/** `npm run screenshots`: those of the README and of docs/design.md, from a platform with the demo channel. */
const FOLDER = join(import.meta.dirname, '../docs/images');
const VIEWPORT = { width: 1280, height: 960 };
const DEMO_VIDEOS = 3;
const STATES = sql('demo_states', 'select status from contents');
/** On a busy machine; an idle one takes half a minute. */
const PUBLISH_TIMEOUT_MS = 600_000;
/** The clock of the pages is ahead by this, so that ages are constant. */
const LATER_MS = 3 * 86_400_000 + 60_000;
const VIDEO = 'Into the Mandelbrot set';
const POSITION_SECONDS = 3;

await using stack = new AsyncDisposableStack();
const platform = await startPlatform({ DEMO: 'on' });
stack.defer(() => platform.stop());
const browser = await startBrowser();
stack.defer(() => browser.close());
const { page } = await newVisitor(browser, platform.baseUrl, { viewport: VIEWPORT });
await mkdir(FOLDER, { recursive: true });
await untilPublished(platform);
await page.clock.setFixedTime(Date.now() + LATER_MS);
// Written by the demo role.
const demo = JSON.parse(await readFile(join(platform.settings.DATA_DIR, 'demo.json'), 'utf8'));
await signIn(page, demo);
await screenshotWatchPage(page);
await screenshotStudio(page);
await screenshotPages(platform, browser, demo, join(FOLDER, 'pages'));

async function untilPublished({ database }: Platform): Promise<void> {
  let states: string[] = [];
  const arePublished = async () => {
    states = (await database.run<{ status: string }>(STATES, [])).map(({ status }) => status);
    assert.ok(!states.includes('ERROR'), 'a demo video could not be processed');
    return states.filter((status) => status === 'PUBLISHED').length === DEMO_VIDEOS;
  };
  await until(arePublished, () => `The demo channel was not published in time: ${states}`, PUBLISH_TIMEOUT_MS);
}

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Studio' }).waitFor();
}

async function screenshotWatchPage(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: VIDEO }).first().click();
  await untilPlaying(page);
  await page.locator('video').evaluate(
    (video, position) =>
      new Promise<void>((resolve) => {
        const element = video as unknown as {
          pause(): void;
          currentTime: number;
          addEventListener(type: string, listener: () => void): void;
        };
        element.addEventListener('seeked', resolve);
        element.pause();
        element.currentTime = position;
      }),
    POSITION_SECONDS,
  );
  await shoot(page, 'watch-page.png');
}

async function screenshotStudio(page: Page): Promise<void> {
  await page.goto('/studio/videos');
  await page.getByRole('row', { name: VIDEO }).waitFor();
  await shoot(page, 'studio.png');
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.evaluate('scrollTo(0, 0)');
  await page.evaluate('Promise.all(Array.from(document.images, (image) => image.decode().catch(() => undefined)))');
  await page.screenshot({ path: join(FOLDER, name), animations: 'disabled' });
}
