import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { freePort } from '../server/src/platform/config/free-port.ts';
import { createTestDatabase } from '../server/src/platform/db/testing.ts';

/** The real platform, the real browser: everything a journey needs, and nothing left behind after it. */
const ROOT = join(import.meta.dirname, '..');
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 20_000;

export interface Platform {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Scratch folder of this run; removed by `stop`. */
  readonly folder: string;
  /** Its environment, which an admin command needs too. */
  readonly settings: Readonly<Record<'BASE_URL' | 'DATABASE_URL' | 'DATA_DIR' | 'PORT', string>>;
  stop(): Promise<void>;
}

/**
 * Starts the platform on a database of its own, with its files in a scratch folder; `settings` go before the defaults. Throws with its
 * output when it does not become healthy.
 */
export async function startPlatform(settings: Readonly<Record<string, string>> = {}): Promise<Platform> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-journey-'));
  const database = await createTestDatabase();
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const ours = { BASE_URL: baseUrl, DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), PORT: String(port) };
  const env = { ...process.env, ...ours, HOST: '127.0.0.1', DEMO: 'off', SANDBOX: 'prefer', LOG_LEVEL: 'warn', ...settings };
  const child = spawn(process.execPath, [join(ROOT, 'server/src/main.ts')], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const stop = async (): Promise<void> => {
    await stopChild(child);
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilHealthy(baseUrl, child);
  } catch (error) {
    await stop();
    throw new Error(`${error instanceof Error ? error.message : error}\n${output.join('').slice(-6000)}`);
  }
  return { baseUrl, folder, settings: ours, stop };
}

async function untilHealthy(baseUrl: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The platform ended with ${child.exitCode}.`);
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The platform did not become ready.');
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--mute-audio',
  // Else each window has two processes for suggestions under an address bar that nobody sees.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
];

/** A browser that calls itself headless is taken for a robot, and what robots watch is not kept. */
export const PERSONS_BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** `userAgent` holds for everything it sends; the option of a context leaves out what pages send while they are left. */
export function startBrowser(userAgent?: string): Promise<Browser> {
  const args = userAgent === undefined ? FLAGS : [...FLAGS, `--user-agent=${userAgent}`];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

/** A visitor with an own cookie jar. What the browser reports as an error is collected: journeys assert on it. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console errors, uncaught exceptions and refused resources, except answers that a journey provokes. */
  readonly faults: string[];
}

export async function newVisitor(browser: Browser, baseUrl: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: baseUrl, viewport: { width: 1280, height: 800 }, colorScheme: 'dark', ...options });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text());
  });
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'csp') faults.push(`refused by policy: ${request.url()}`);
  });
  return { context, page, faults };
}

/** A real clip: moving picture with a burnt-in pattern and a tone. */
export function makeClip(folder: string, name: string, seconds = 8, size = '640x360'): string {
  const path = join(folder, name);
  const source = [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=${size}:rate=15:duration=${seconds}`,
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=330:duration=${seconds}`,
  ];
  const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest'];
  runFfmpeg([...source, ...encode, path]);
  return path;
}

/** A clip that is quickly encoded, in a file that takes a while to send: free space follows the film (ISO/IEC 14496-12 section 8.1.2). */
export function makePaddedClip(folder: string, name: string): string {
  const path = makeClip(folder, name, 1, '160x90');
  const free = Buffer.alloc(600_000);
  free.writeUInt32BE(free.length);
  free.write('free', 4);
  appendFileSync(path, free);
  return path;
}

/** A clip with embedded captions; `tracks` are SubRip texts by their language (ISO 639-2). */
export function makeCaptionedClip(folder: string, name: string, tracks: Readonly<Record<string, string>>): string {
  const path = join(folder, name);
  const inputs = Object.entries(tracks).map(([language, text]) => {
    const file = join(folder, `${name}.${language}.srt`);
    writeFileSync(file, text);
    return file;
  });
  const maps = inputs.flatMap((_, index) => ['-map', `${index + 1}`]);
  const languages = Object.keys(tracks).flatMap((language, index) => [`-metadata:s:s:${index}`, `language=${language}`]);
  const sources = [makeClip(folder, `plain-${name}`), ...inputs].flatMap((file) => ['-i', file]);
  runFfmpeg([...sources, '-map', '0', ...maps, '-c', 'copy', '-c:s', 'mov_text', ...languages, path]);
  return path;
}

function runFfmpeg(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.env.FFMPEG_PATH ?? 'ffmpeg', ['-v', 'error', '-y', ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The clip could not be made: ${stderr}`);
}
