import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityViolations } from '../support/accessibility.ts';
import { sharedStage } from '../support/stage.ts';

/** Accessibility of all pages; journeys check the pages that they visit, with content. */
const stage = sharedStage();

const PUBLIC = [
  ...['/', '/trending', '/shorts', '/browse/series', '/category/music', '/search?q=harbour', '/nowhere'],
  ...['/sign-in', '/sign-up', '/forgot-password', '/reset-password', '/docs', '/docs/errors/forbidden'],
];
const OWN = [
  ...['/', '/feed', '/history', '/liked', '/watch-later', '/playlists', '/notifications'],
  ...['/studio', '/studio/videos', '/studio/live', '/studio/series', '/studio/playlists', '/studio/comments'],
  ...['/studio/analytics', '/studio/channel', '/studio/trash', '/studio/new-channel'],
  ...['/settings/account', '/settings/security', '/settings/server'],
  ...['/settings/developer', '/settings/developer/webhooks', '/settings/developer/events'],
];

const PHONE = { width: 360, height: 740 };
const VIEWS: Readonly<Record<string, BrowserContextOptions>> = {
  'in dark colors on a narrow phone': { colorScheme: 'dark', viewport: PHONE },
  'in light colors on a narrow phone': { colorScheme: 'light', viewport: PHONE },
  'in Arabic on a narrow phone': { locale: 'ar', colorScheme: 'dark', viewport: PHONE },
  // What 1280 by 900 pixels show at 200 %.
  'in German at twice the size': { locale: 'de', colorScheme: 'light', viewport: { width: 640, height: 450 } },
};

for (const [name, view] of Object.entries(VIEWS))
  test(`every page is accessible ${name}`, async () => {
    const guest = await stage.visitor(view);
    const { page, context, errors } = await stage.signedIn(view);
    const found: string[] = [];
    const check = async (page: Page, path: string): Promise<void> => {
      await page.goto(path);
      await page.locator('h1').waitFor();
      found.push(...(await accessibilityViolations(page)).map((error) => `${path}: ${error}`));
    };
    for (const path of PUBLIC) await check(guest.page, path);
    for (const path of OWN) await check(page, path);
    assert.deepEqual(found, []);
    assert.deepEqual([...guest.errors, ...errors], []);
    await guest.context.close();
    await context.close();
  });

test('the first link of a page leads to its content', async () => {
  const { page, context } = await stage.visitor();
  await page.goto('/');
  await page.locator('h1').waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.locator(':focus').innerText(), 'Skip to content');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator(':focus').getAttribute('id'), 'main');
  await context.close();
});
