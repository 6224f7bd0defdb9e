import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** All of WCAG 2.2 on the levels A and AA that a program can check, and what axe recommends beside it. */
const OPTIONS: RunOptions = {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

/**
 * Accessibility problems of a page of the application, one sentence each: what axe finds, more or less than one first
 * heading, a missing skip link, and a page that is wider than its window. A page that is still loading gets 10 s for
 * its first heading.
 */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  const heading = page.locator('h1').filter({ visible: true }).first();
  await heading.waitFor({ timeout: 10_000 }).catch(() => undefined);
  return [...(await page.evaluate<string[]>(OWN_CHECKS)), ...(await axeViolations(page))];
}

/** What axe finds on any page, one sentence each, after everything has faded in. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(SETTLED);
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(OPTIONS)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 160)}: ${failureSummary.split('\n')[1]?.trim()}`,
    ),
  );
}

/** Scripts run in the page; strings, because the browser's globals are not in this program's types. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
  .map((animation) => animation.finished))`;

const OWN_CHECKS = `(() => {
  const errors = [];
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const headings = [...document.querySelectorAll('h1')].filter(shown).length;
  if (headings !== 1) errors.push('The page has ' + headings + ' first headings.');
  if (!document.querySelector('a[href="#main"]')) errors.push('The page has no skip link.');
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) errors.push('The page is ' + scrollWidth + ' wide in a window of ' + innerWidth + '.');
  return errors;
})()`;
