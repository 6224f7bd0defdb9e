import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedStage } from './support/stage.ts';
import { graphql, newPerson, shownKey, signOut } from './support/steps.ts';

/** Sign-in and sign-out, and the validity of keys and sessions. */
const stage = sharedStage();

test('signing out closes the studio, and signing in redirects back to the requested page', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  await page.goto('/studio');
  await signOut(page);
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  await page.goto('/settings/developer');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').fill(member.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Developer Settings' }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('a browser with a revoked session sees public pages, and is redirected to sign-in for others', async () => {
  const { page, context, errors } = await stage.signedIn();
  await page.goto('/studio');
  const cookies = await context.cookies();
  await signOut(page);
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  await context.addCookies(cookies);
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  for (const own of ['/studio', '/graphql']) {
    await context.addCookies(cookies);
    await page.goto(own);
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test('a taken username is explained at its field', async () => {
  const person = await stage.account();
  const second = await stage.visitor();
  await second.page.goto('/sign-up');
  await second.page.getByLabel('Username').fill(person.username);
  await second.page.getByLabel('Email').fill(newPerson().email);
  await second.page.getByLabel('Password').fill(newPerson().password);
  await second.page.getByRole('button', { name: 'Create account' }).click();
  await second.page.getByRole('alert').waitFor();
  assert.equal(await second.page.getByLabel('Username').getAttribute('aria-invalid'), 'true');
  await second.context.close();
});

test('regenerating a key asks for confirmation, which then invalidates the old key', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const { key } = member;
  await page.goto('/settings/developer');
  const works = async (candidate: string): Promise<number> =>
    (await graphql(stage.baseUrl, candidate, '{ verifyConnection { authenticated } }')).status;
  await page.getByRole('button', { name: 'Regenerate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Regenerate the API key?' });
  await dialog.getByText('Update every application that uses it').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await works(key), 200);
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await dialog.getByRole('button', { name: 'Regenerate' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const next = await shownKey(page);
  assert.notEqual(next, key);
  assert.deepEqual([await works(key), await works(next)], [401, 200]);
  await page.reload();
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByRole('button', { name: 'Copy key' }).waitFor();
  assert.equal(await shownKey(page), next);
  assert.deepEqual(errors, []);
  await context.close();
});
