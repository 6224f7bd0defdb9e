import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { PERSONS_BROWSER, startBrowser } from '../../e2e/support/browser.ts';
import { FIRST_PICTURE } from '../../e2e/support/live/players.ts';
import { buildWeb, ensureBrowser } from '../../scripts/prerequisites.mjs';
import { table } from '../results.ts';
import type { Ask } from './ask.ts';

const [WIDTH, HEIGHT, RATE] = [640, 360, 30];
/** A picture says when it was made: the last 32 bits of the Unix time in milliseconds, as white or black squares. */
const BITS = 32;
const [SQUARE, IN_ROW] = [40, 16];
const [BLACK, WHITE, GREY] = [16, 235, 128];
/** What is behind the encoder at first is caught up. */
const SETTLE_MS = 15_000;
const CLICKS = 10;
const GOALS_S = { LOW: 3, NORMAL: 8, click: 3 } as const;
const STATE = 'currentStream { id }';

/**
 * How long a picture takes from the encoder to the screen of Chromium, in both latencies, and how long viewers wait for
 * the first one after they clicked on a stream. Encoder, server and browser share the machine and its clock.
 */
export async function measureGlass(api: Ask, url: string, seconds: number): Promise<boolean> {
  ensureBrowser();
  buildWeb();
  const browser = await startBrowser(PERSONS_BROWSER);
  try {
    const low = await watchInput(api, 'LOW', async () => ({
      delays: await delaysIn(await clicked(browser, url, 'LOW'), seconds),
      waits: await waitsAfterClick(browser, url),
    }));
    const normal = await watchInput(api, 'NORMAL', async () =>
      delaysIn(await clicked(browser, url, 'NORMAL'), seconds),
    );
    const rows: [string, number[], number][] = [
      ['glass to glass, LOW', low.delays, GOALS_S.LOW],
      ['glass to glass, NORMAL', normal, GOALS_S.NORMAL],
      ['from a click to the first picture', low.waits, GOALS_S.click],
    ];
    const shown = (values: number[], share: number) => `${(quantile(values, share) / 1_000).toFixed(2)} s`;
    console.log(
      table([
        ['Chromium', 'p50', 'p95', 'goal', 'measured'],
        ...rows.map(([name, of, goal]) => [name, shown(of, 0.5), shown(of, 0.95), `${goal} s`, `${of.length} times`]),
      ]),
    );
    return rows.every(([, values, goal]) => quantile(values, 0.95) <= 1_000 * goal);
  } finally {
    await browser.close();
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.POSITIVE_INFINITY;
}

/** Runs `watch` while a public stream, whose title is its latency, is live. */
async function watchInput<Result>(api: Ask, latency: 'LOW' | 'NORMAL', watch: () => Promise<Result>): Promise<Result> {
  type Input = { id: string; streamKey: string; ingest: { rtmp: string } };
  const values = `{ name: "${latency}", visibility: PUBLIC, latency: ${latency} }`;
  const created = await api<{ createLiveInput: { liveInput: Input } }>(
    `mutation { createLiveInput(input: ${values}) { liveInput { id streamKey ingest { rtmp } } } }`,
  );
  const { id, streamKey, ingest } = created.createLiveInput.liveInput;
  const encoder = clockEncoder(`${ingest.rtmp}/${streamKey}`);
  try {
    type Data = { node: { currentStream: object | null } };
    for (;;) {
      const { node } = await api<Data>(`{ node(id: "${id}") { ... on LiveInput { ${STATE} } } }`);
      if (node.currentStream) return await watch();
      await sleep(100);
    }
  } finally {
    encoder.stop();
  }
}

/** Publishes pictures that say when they were made, in real time, with a tone. */
function clockEncoder(address: string): { stop(): void } {
  const picture = [
    '-f',
    'rawvideo',
    '-pix_fmt',
    'yuv420p',
    '-s',
    `${WIDTH}x${HEIGHT}`,
    '-r',
    `${RATE}`,
    '-i',
    'pipe:0',
  ];
  const sound = ['-re', '-f', 'lavfi', '-i', 'sine=r=48000'];
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', `${2 * RATE}`];
  const codecs = [...x264, '-sc_threshold', '0', '-b:v', '3M', '-c:a', 'aac', '-b:a', '128k'];
  const encoder = spawn('ffmpeg', ['-v', 'error', ...picture, ...sound, ...codecs, '-f', 'flv', address], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  encoder.stdin.on('error', () => {}); // it was stopped
  const startedAt = performance.now();
  let pictures = 0;
  const timer = setInterval(() => {
    for (; pictures < ((performance.now() - startedAt) / 1_000) * RATE; pictures += 1)
      encoder.stdin.write(clockPicture(Date.now()));
  }, 5);
  return {
    stop() {
      clearInterval(timer);
      encoder.kill('SIGKILL');
    },
  };
}

function clockPicture(nowMs: number): Buffer {
  const picture = Buffer.alloc((WIDTH * HEIGHT * 3) / 2, GREY);
  picture.fill(BLACK, 0, WIDTH * HEIGHT);
  const time = nowMs % 2 ** BITS;
  for (let bit = 0; bit < BITS; bit += 1) {
    if (Math.floor(time / 2 ** (BITS - 1 - bit)) % 2 === 0) continue;
    const [left, top] = [SQUARE * (bit % IN_ROW), SQUARE * Math.floor(bit / IN_ROW)];
    for (let row = top; row < top + SQUARE; row += 1)
      picture.fill(WHITE, row * WIDTH + left, row * WIDTH + left + SQUARE);
  }
  return picture;
}

/** Reads the time of each picture when it is shown: milliseconds since it was made. */
const READ_CLOCK = `(seconds) => new Promise((done) => {
  const video = document.querySelector('video');
  const canvas = new OffscreenCanvas(${WIDTH}, ${2 * SQUARE});
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const delays = [];
  const end = performance.now() + 1000 * seconds;
  const look = () => {
    context.drawImage(video, 0, 0, ${WIDTH}, ${HEIGHT});
    const { data } = context.getImageData(0, 0, ${WIDTH}, ${2 * SQUARE});
    let time = 0;
    for (let bit = 0; bit < ${BITS}; bit += 1) {
      const x = ${SQUARE} * (bit % ${IN_ROW}) + ${SQUARE / 2};
      const y = ${SQUARE} * Math.floor(bit / ${IN_ROW}) + ${SQUARE / 2};
      time = 2 * time + (data[4 * (y * ${WIDTH} + x)] > 128 ? 1 : 0);
    }
    delays.push((Date.now() - time) % 2 ** ${BITS});
    if (performance.now() < end) video.requestVideoFrameCallback(look);
    else done(delays);
  };
  video.requestVideoFrameCallback(look);
})`;

/** A stream in a browser that has nothing of the site, and how long its first picture took after a click on it. */
interface Clicked {
  readonly page: Page;
  readonly waitedMs: number;
}

async function clicked(browser: Browser, home: string, title: string): Promise<Clicked> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(home);
  const link = page.getByRole('link', { name: title, exact: true }).first();
  await link.waitFor();
  const clickedAt = performance.now();
  await link.click();
  await page.evaluate(FIRST_PICTURE);
  return { page, waitedMs: performance.now() - clickedAt };
}

async function delaysIn({ page }: Clicked, seconds: number): Promise<number[]> {
  await sleep(SETTLE_MS);
  const delays: number[] = await page.evaluate(`(${READ_CLOCK})(${seconds})`);
  await page.context().close();
  return delays;
}

async function waitsAfterClick(browser: Browser, home: string): Promise<number[]> {
  const waits: number[] = [];
  while (waits.length < CLICKS) {
    const { page, waitedMs } = await clicked(browser, home, 'LOW');
    waits.push(waitedMs);
    await page.context().close();
  }
  return waits;
}
