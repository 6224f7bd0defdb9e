import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { until } from '../../server/src/testing/until.ts';
import { sharedStage } from '../support/stage.ts';
import { type FilledChannel, fillChannel } from '../support/user-texts.ts';

/** What people write never makes a page wider than its window, and never turns its direction. */
const stage = sharedStage();
let filled: FilledChannel;
before(async () => {
  filled = await fillChannel(stage);
});

/**
 * Run in the page: what reaches beyond the sides of the window and can be seen there, and headings that do not have
 * the direction of the page. Strings, because the browser's globals are not in this program's types.
 */
const LAYOUT_PROBLEMS = `(() => {
  const problems = [];
  const width = document.documentElement.clientWidth;
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > width) problems.push('the page is ' + scrollWidth + ' wide');
  const isCut = (element) => {
    for (let at = element; at && at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') return true;
    return false;
  };
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  for (const element of document.body.querySelectorAll('*')) {
    const { left, right, width: own } = element.getBoundingClientRect();
    if (own > 0 && (right > width + 1 || left < -1) && shown(element) && !isCut(element))
      problems.push(element.tagName + ' from ' + Math.round(left) + ' to ' + Math.round(right) + ': ' +
        element.className + ': ' + element.textContent.slice(0, 30));
  }
  const direction = getComputedStyle(document.documentElement).direction;
  for (const heading of document.querySelectorAll('h1, h2, h3'))
    if (getComputedStyle(heading).direction !== direction)
      problems.push(heading.tagName + ' does not run as the page does: ' + heading.textContent.slice(0, 30));
  return problems.slice(0, 5);
})()`;

/** Run in the page: addresses, keys and the like that run from right to left. */
const TURNED_NAMES = `(() => {
  const NAME = /https?:|\\/\\w+\\/|\\w+@\\w+\\.|^did:|^rg_|\\d+\\.\\d+\\.\\d+\\.\\d+|[a-z]\\w*\\.\\w+\\.\\w/i;
  const problems = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    const isName = NAME.test(text.data.trim()) || element.closest('code, pre, kbd');
    if (!isName || element.closest('script, style, noscript') || !element.checkVisibility()) continue;
    if (getComputedStyle(element).direction === 'rtl') problems.push(text.data.trim().slice(0, 60));
  }
  for (const field of document.querySelectorAll('input[type=url], input[type=email]'))
    if (getComputedStyle(field).direction === 'rtl') problems.push('field ' + field.name);
  return problems;
})()`;

const SETTLE_MS = 2_000;
const WIDTHS = [320, 390, 768, 1440];

test('no page is wider than its window, and no title turns its direction', async () => {
  const found = await everywhere({}, async (page, path) => {
    const problems: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const here = await settled(page, LAYOUT_PROBLEMS);
      problems.push(...here.map((problem) => `${path} at ${width}: ${problem}`));
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    return problems;
  });
  assert.deepEqual(found, []);
});

test('on an Arabic page, addresses, keys and commands run from left to right', async () => {
  const found = await everywhere({ locale: 'ar', viewport: { width: 390, height: 844 } }, async (page, path) => {
    const problems = await settled(page, `[...${TURNED_NAMES}, ...${LAYOUT_PROBLEMS}]`);
    return problems.map((problem) => `${path}: ${problem}`);
  });
  assert.deepEqual(found, []);
});

/** What is still a problem once the page has followed its window: charts are drawn again. */
async function settled(page: Page, problems: string): Promise<string[]> {
  let found: string[] = [];
  const look = async (): Promise<boolean> => {
    found = await page.evaluate<string[]>(problems);
    return found.length === 0;
  };
  await until(look, '', SETTLE_MS).catch(() => {});
  return found;
}

/** The problems that `find` finds on all pages of the channel, by everyone who can see them. */
async function everywhere(
  view: BrowserContextOptions,
  find: (page: Page, path: string) => Promise<string[]>,
): Promise<string[]> {
  const { member, operator, pages } = filled;
  const people = {
    visitor: await stage.visitor(view),
    member: await stage.signedIn(view, member),
    operator: await stage.signedIn(view, operator),
  };
  const found: string[] = [];
  for (const who of ['visitor', 'member', 'operator'] as const)
    for (const path of pages[who]) {
      const { page } = people[who];
      await open(page, path);
      found.push(...(await find(page, path)));
    }
  for (const { context } of Object.values(people)) await context.close();
  return found;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  await page.locator('h1').filter({ visible: true }).first().waitFor();
  await until(
    async () => (await page.locator('.animate-spin, .skeleton').filter({ visible: true }).count()) === 0,
    () => `${path} does not stop loading`,
    20_000,
  );
}
