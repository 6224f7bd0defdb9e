import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Debian's build without windows, which takes a third less CPU, or else the one with them. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));
const CHROMIUM = process.env.CHROMIUM_PATH ?? INSTALLED ?? 'chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--mute-audio',
  // A camera with a moving picture and a microphone with beeps, which pages may use.
  ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  // Without a graphics card, a process that emulates one only costs time.
  '--disable-gpu',
  // Pages are drawn by the processor: on one thread, and without a compositor for animations, a tenth less CPU.
  ...['--disable-gpu-compositing', '--disable-partial-raster', '--num-raster-threads=1'],
  '--disable-threaded-animation',
  // Otherwise each window has two processes for address bar suggestions.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
];

/** A headless browser counts as a robot, whose views are not stored. */
export const PERSONS_BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** `userAgent` holds for everything it sends; the option of a context does not cover beacons on unload. */
export function startBrowser(userAgent?: string): Promise<Browser> {
  const args = userAgent === undefined ? FLAGS : [...FLAGS, `--user-agent=${userAgent}`];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

/** A visitor with separate cookies. Browser errors are collected for assertions. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console errors, uncaught exceptions and failed resources, except expected responses. */
  readonly errors: string[];
}

export async function newVisitor(
  browser: Browser,
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: { width: 1280, height: 800 },
    colorScheme: 'dark',
    locale: 'en-GB',
    ...options,
  });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'csp') errors.push(`refused by policy: ${request.url()}`);
  });
  return { context, page, errors: errors };
}
