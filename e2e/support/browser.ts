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
  // Else each window has two processes for suggestions under an address bar that nobody sees.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
];

/** A browser that calls itself headless is taken for a robot, and what robots watch is not kept. */
export const PERSONS_BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/**
 * `userAgent` holds for everything it sends; the option of a context leaves out what pages send while they are left.
 */
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

export async function newVisitor(
  browser: Browser,
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: { width: 1280, height: 800 },
    colorScheme: 'dark',
    ...options,
  });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'csp') faults.push(`refused by policy: ${request.url()}`);
  });
  return { context, page, faults };
}
