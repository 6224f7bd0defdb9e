import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { accessibilityViolations } from '../support/accessibility.ts';
import { newVisitor, startBrowser } from '../support/browser.ts';
import { startComponents } from '../support/components-server.ts';

/** The page of components, with their states, menus and dialogs. */
let browser: Browser;
let components: Awaited<ReturnType<typeof startComponents>>;
before(async () => {
  [browser, components] = await Promise.all([startBrowser(), startComponents()]);
});
after(async () => {
  await browser.close();
  await components.stop();
});

const VIEWS: Readonly<Record<string, BrowserContextOptions>> = {
  'in dark colors': { colorScheme: 'dark' },
  'in light colors, on a phone': { colorScheme: 'light', viewport: { width: 360, height: 740 } },
  'in dark colors with more contrast': { colorScheme: 'dark', contrast: 'more' },
  'in light colors with more contrast': { colorScheme: 'light', contrast: 'more' },
};

for (const [name, options] of Object.entries(VIEWS))
  test(`every component is accessible ${name}`, async () => {
    const { page, context, errors } = await newVisitor(browser, components.url, options);
    await page.goto(components.url);
    await page.getByRole('heading', { level: 1, name: 'Components' }).waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show a toast' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.getByRole('button', { name: 'Open a dialog' }).click();
    await page.getByRole('dialog', { name: 'Delete video?' }).waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.locator(':focus').innerText(), 'Open a dialog');
    assert.deepEqual(errors, []);
    await context.close();
  });
