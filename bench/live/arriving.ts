import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PERSONS_BROWSER, startBrowser } from '../../e2e/support/browser.ts';
import { FIRST_VIDEO, type FirstVideo } from '../../e2e/support/first-video.ts';
import { slowUploads } from '../../e2e/support/slow-uploads.ts';
import { makeSteadyClip } from '../../e2e/support/steady-clip.ts';
import { signUp } from '../../e2e/support/steps.ts';
import { buildWeb, ensureBrowser } from '../../scripts/prerequisites.mjs';
import { table } from '../results.ts';

const CLIP_SECONDS = 30;
/** Times the speed of the video. */
const SPEED = 2;
const UPLOADS = 5;
const [GOAL_S, STRETCH_S] = [4, 2];

/**
 * How many seconds of a video have arrived when its owner sees the first picture of it in the dialog of its upload, at
 * twice the speed of the video. Server, proxy and browser share the machine.
 */
export async function measureArriving(url: string, folder: string): Promise<boolean> {
  ensureBrowser();
  buildWeb();
  const clip = makeSteadyClip(join(folder, 'clip.mp4'), CLIP_SECONDS);
  const bytesOfSecond = statSync(clip).size / CLIP_SECONDS;
  const browser = await startBrowser(PERSONS_BROWSER);
  const arrived: number[] = [];
  try {
    while (arrived.length < UPLOADS) {
      const proxy = await slowUploads(SPEED * bytesOfSecond);
      const context = await browser.newContext({ baseURL: url, proxy: { server: proxy.server } });
      const page = await context.newPage();
      await page.addInitScript(FIRST_VIDEO);
      await signUp(page);
      await page.goto('/studio/videos');
      const sending = page.waitForRequest((request) => request.method() === 'PATCH');
      await page.getByLabel('Video files').setInputFiles(clip);
      const endpoint = (await sending).url();
      const firstFrame = async () => (await page.evaluate<FirstVideo>('globalThis.firstVideo()')).firstFrameAtMs;
      let atMs = await firstFrame();
      for (; atMs === null; atMs = await firstFrame()) {
        if (proxy.lastAtMs > 0 && Date.now() - proxy.lastAtMs > 10_000) throw new Error('No picture was shown.');
        await sleep(50);
      }
      arrived.push(proxy.sentAt(atMs) / bytesOfSecond);
      await context.close();
      await proxy.close();
      // It makes room for the next one at once.
      await fetch(endpoint, { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } });
    }
  } finally {
    await browser.close();
  }
  arrived.sort((one, other) => one - other);
  const [median, worst] = [arrived[Math.floor(UPLOADS / 2)] ?? 0, arrived.at(-1) ?? 0];
  const shown = (seconds: number) => `${seconds.toFixed(2)} s`;
  console.log(
    table([
      ['arrived at the first picture', 'p50', 'worst', 'goal', 'stretch', 'measured'],
      ['upload at twice the speed', shown(median), shown(worst), `${GOAL_S} s`, `${STRETCH_S} s`, `${UPLOADS} times`],
    ]),
  );
  return median <= GOAL_S;
}
