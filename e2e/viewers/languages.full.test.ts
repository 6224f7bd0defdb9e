import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeClip } from '../support/clips.ts';
import type { Member } from '../support/members.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, publishByProgram } from '../support/steps.ts';

/** The application in the languages of its visitors. */
const stage = sharedStage();
/** The operations of the application by their ids. */
const TRUSTED: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../web/src/gql/generated/trusted-documents.json'), 'utf8'),
);
let creator: Member;
let video: { id: string; path: string };

before(async () => {
  creator = await stage.account();
  makeClip(stage.folder, 'lanterns.mp4', 6);
  video = await publishByProgram(stage, creator.key, { title: 'Lanterns', summary: '', filename: 'lanterns.mp4' });
});

test('a visitor gets the language of the browser, and chooses another one that stays', async () => {
  const { page, context, errors } = await stage.visitor({ locale: 'de-AT' });
  await page.goto('/');
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  await page.getByRole('link', { name: 'Anmelden' }).first().waitFor();
  await page.getByText('Lanterns').first().waitFor();
  await page.getByRole('link', { name: 'Essen und Trinken' }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);

  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('العربية');
  await page.locator('html[lang="ar"][dir="rtl"]').waitFor();
  await page.getByRole('combobox', { name: 'اللغة' }).waitFor();
  await page.getByRole('link', { name: 'طعام وشراب' }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.goto(video.path);
  await page.getByRole('heading', { level: 1, name: 'Lanterns' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
  assert.deepEqual(await accessibilityViolations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('beside Latin names, Arabic stands at its start and keeps its order', async () => {
  const { page, context, errors } = await stage.visitor({ locale: 'ar' });
  await page.goto(`/@${creator.username}`);
  const heading = page.getByRole('heading', { level: 1 });
  await heading.waitFor();
  const rightOf = async (locator: Locator): Promise<number> => {
    const box = (await locator.boundingBox()) ?? assert.fail('it is not shown');
    return box.x + box.width;
  };
  const handle = page.getByText(`@${creator.username}`, { exact: true });
  for (const name of [heading.locator('bdi'), handle])
    assert.ok(Math.abs((await rightOf(name)) - (await rightOf(heading))) < 2, 'it is not at the start of its line');
  await page.goto(video.path);
  await heading.waitFor();
  assert.ok(Math.abs((await rightOf(heading.locator('bdi'))) - (await rightOf(heading))) < 2);
  assert.deepEqual(errors, []);
  await context.close();
});

test('dates are those of the region of the browser, in the language of the page', async () => {
  const DATES = {
    'en-US': /^[A-Z][a-z]+ \d+, \d{4}$/,
    'en-GB': /^\d+ [A-Z][a-z]+ \d{4}$/,
    'de-AT': /^\d+\. \p{L}+ \d{4}$/u,
  };
  for (const [locale, pattern] of Object.entries(DATES)) {
    const { page, context } = await stage.visitor({ locale });
    await page.goto(video.path);
    assert.match(await page.locator('article time').first().innerText(), pattern, locale);
    await context.close();
  }
});

test('the meanings of events are translated, and code is written from the left', async () => {
  const { page, context, errors } = await stage.signedIn({ locale: 'ar' });
  await page.goto('/settings/developer/webhooks');
  await page.getByText('أصبح محتوى مرئيًا لجمهوره.').first().waitFor({ state: 'attached' });
  const code = page.locator('section:has(> pre)').first();
  assert.equal(await code.getAttribute('dir'), 'ltr');
  assert.deepEqual(errors, []);
  await context.close();
});

test('errors and their pages are in the language of the visitor', async () => {
  const { page, context } = await stage.visitor({ locale: 'de' });
  await page.goto('/sign-in');
  await page.getByLabel('E-Mail').fill('nobody@example.com');
  await page.getByLabel('Passwort').fill('not the password');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.getByText('Die E-Mail-Adresse oder das Passwort ist falsch.').waitFor();
  await context.close();

  const arabic = await stage.visitor({ locale: 'ar' });
  await arabic.page.goto('/media/nothing');
  await arabic.page.locator('html[lang="ar"][dir="rtl"]').waitFor();
  await arabic.page.getByRole('link', { name: 'الرئيسية' }).waitFor();
  assert.deepEqual(await accessibilityViolations(arabic.page), []);
  await arabic.context.close();
});

test('an account chooses its language once, and gets it in every browser', async () => {
  const member = await stage.account();
  const first = await stage.signedIn({}, member);
  await first.page.goto('/settings/account');
  await first.page.getByRole('region', { name: 'Language' }).getByRole('combobox').selectOption('Français');
  await first.page.locator('html[lang="fr"]').waitFor();
  const { me } = await callApi<{ me: { settings: { language: string } } }>(
    stage.baseUrl,
    member.key,
    '{ me { settings { language } } }',
    {},
  );
  assert.equal(me.settings.language, 'fr');
  assert.deepEqual(first.errors, []);
  await first.context.close();

  const { page, context, errors } = await stage.visitor();
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Password').fill(member.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('html[lang="fr"]').waitFor();
  await page.getByRole('combobox', { name: 'Langue' }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('a sign-in stands where the language of the account cannot be read', async () => {
  const member = await stage.account();
  const { page, context, errors } = await stage.visitor();
  const [documentId] = Object.entries(TRUSTED).find(([, text]) => text.startsWith('query AccountLanguage')) ?? [];
  assert.ok(documentId);
  let refused = 0;
  await page.route(`**/graphql?documentId=${documentId}*`, (route) => {
    refused += 1;
    return route.fulfill({ json: { errors: [{ message: 'Too many requests.' }] } });
  });
  await page.goto('/sign-in?next=/');
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Password').fill(member.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${stage.baseUrl}/`);
  await page.getByText('Lanterns').first().waitFor();
  assert.deepEqual([refused, await page.getByRole('alert').count(), errors], [1, 0, []]);
  await context.close();
});
