import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from './support/accessibility.ts';
import { sharedStage } from './support/stage.ts';

/** Accessibility of all pages; journeys check the pages that they visit, with content. */
const stage = sharedStage();

const PUBLIC = [
  ...['/', '/trending', '/shorts', '/browse/series', '/category/music', '/search?q=harbour', '/nowhere'],
  ...['/sign-in', '/sign-up', '/forgot-password', '/reset-password', '/docs', '/docs/errors/forbidden'],
];
const OWN = [
  ...['/', '/feed', '/history', '/liked', '/watch-later', '/playlists', '/notifications'],
  ...['/studio', '/studio/videos', '/studio/series', '/studio/playlists', '/studio/comments', '/studio/analytics'],
  ...['/studio/channel', '/studio/trash', '/studio/new-channel'],
  ...['/settings/account', '/settings/security', '/settings/server'],
  ...['/settings/developer', '/settings/developer/webhooks', '/settings/developer/events'],
];

test('every page is accessible, in both color schemes and on a narrow phone', async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    const device = { colorScheme, viewport: { width: 360, height: 740 } };
    const guest = await stage.visitor(device);
    const { page, context, errors } = await stage.signedIn(device);
    const found: string[] = [];
    const check = async (page: Page, path: string): Promise<void> => {
      await page.goto(path);
      await page.locator('h1').waitFor();
      found.push(...(await accessibilityViolations(page)).map((error) => `${colorScheme} ${path}: ${error}`));
    };
    for (const path of PUBLIC) await check(guest.page, path);
    for (const path of OWN) await check(page, path);
    assert.deepEqual(found, []);
    await page.goto('/');
    await page.locator('h1').waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').innerText(), 'Skip to content');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator(':focus').getAttribute('id'), 'main');
    assert.deepEqual([...guest.errors, ...errors], []);
    await guest.context.close();
    await context.close();
  }
});
