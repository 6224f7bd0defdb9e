import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from './accessibility.ts';
import { sharedStage } from './stage.ts';
import { newPerson } from './steps.ts';

/** Pages as everybody meets them: the explorer, and all of them by keyboard and screen reader. */
const stage = sharedStage();

test('the explorer opens for signed-in browsers, knows the schema and runs a query', async () => {
  const { page, context, faults } = await stage.visitor();
  await page.goto('/graphql');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  const person = newPerson();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Username').fill(person.username);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.locator('.graphiql-query-editor').getByText('verifyConnection').waitFor();
  await page.locator('.result-window .CodeMirror').waitFor();
  await page.getByRole('button', { name: /Execute query/ }).click();
  await page.locator('.result-window').getByText(person.username).first().waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test('every page is usable by keyboard and screen reader, in both lights and on a narrow phone', async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    const device = { colorScheme, viewport: { width: 360, height: 740 } };
    const guest = await stage.visitor(device);
    const { page, context, faults } = await stage.signedIn(device);
    const found: string[] = [];
    const check = async (page: Page, path: string): Promise<void> => {
      await page.goto(path);
      await page.locator('h1').waitFor();
      found.push(...(await accessibilityFaults(page)).map((fault) => `${colorScheme} ${path}: ${fault}`));
    };
    for (const path of ['/', '/sign-in', '/sign-up', '/nowhere']) await check(guest.page, path);
    for (const path of ['/', '/studio', '/settings/developer']) await check(page, path);
    assert.deepEqual(found, []);
    await page.goto('/');
    await page.locator('h1').waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').innerText(), 'Skip to the content');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator(':focus').getAttribute('id'), 'main');
    assert.deepEqual([...guest.faults, ...faults], []);
    await guest.context.close();
    await context.close();
  }
});
