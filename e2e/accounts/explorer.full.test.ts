import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeViolations } from '../support/accessibility.ts';
import { sharedStage } from '../support/stage.ts';
import { newPerson } from '../support/steps.ts';

/** The API explorer, for signed-in users. */
const stage = sharedStage();

for (const colorScheme of ['dark', 'light'] as const)
  test(`the explorer opens for signed-in browsers and runs a query, in ${colorScheme} colors`, async () => {
    const { page, context, errors } = await stage.visitor({ colorScheme });
    await page.goto('/graphql');
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    const person = newPerson();
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Username').fill(person.username);
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.locator('.graphiql-query-editor').getByText('verifyConnection').waitFor();
    await page.locator('.result-window .CodeMirror').waitFor();
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.locator('.result-window').getByText(person.username).first().waitFor();
    assert.deepEqual(await axeViolations(page), []);
    assert.deepEqual(errors, []);
    await context.close();
  });
