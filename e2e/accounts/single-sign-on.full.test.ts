import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  startTestProvider,
  type TestProvider,
} from '../../server/src/domains/accounts/single-sign-on/provider.fixture.ts';
import { settingsOf } from '../../server/src/domains/accounts/single-sign-on/testing.ts';
import { sql } from '../../server/src/platform/db/statement.ts';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { newVisitor, startBrowser } from '../support/browser.ts';
import { type Platform, startPlatform } from '../support/harness.ts';

const OPERATORS = sql('test_operators', 'select 1 from accounts where is_operator');
const SESSIONS = sql('test_all_sessions', 'select 1 from sessions');

describe('single sign-on in a browser', () => {
  let provider: TestProvider;
  let platform: Platform;
  let browser: Browser;
  before(async () => {
    provider = await startTestProvider('http://localhost/sign-in/sso');
    // The platform starts, whatever its providers do.
    provider.hangs = true;
    platform = await startPlatform(settingsOf(provider));
    provider.redirectTo(`${platform.baseUrl}/sign-in/sso`);
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await platform?.stop();
    await provider?.close();
  });

  const continueButton = (page: Page) => page.getByRole('button', { name: 'Continue with Example SSO' });
  const sessionOf = async (page: Page) => (await page.request.get('/api/auth/get-session')).json();
  async function signInThere(page: Page, subject: string) {
    await page.locator('input[name=login]').fill(subject);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
  }

  it('says that a provider does not respond', async () => {
    const { page, context, errors } = await newVisitor(browser, platform.baseUrl);
    await page.goto('/sign-in');
    await continueButton(page).click();
    await page.getByText('Example SSO does not respond.').waitFor();
    provider.hangs = false;
    assert.deepEqual(errors, []);
    await context.close();
  });

  it('signs in, follows the groups and signs out with the provider', async () => {
    const person = { email: 'ada@example.com', email_verified: true, name: 'Ada', preferred_username: 'ada' };
    provider.people.set('ada', { ...person, groups: ['admins'] });
    const { page, context, errors } = await newVisitor(browser, platform.baseUrl);
    await page.goto('/sign-in?next=%2Fsettings%2Fsecurity');
    await continueButton(page).click();
    await signInThere(page, 'ada');
    await page.waitForURL(`${platform.baseUrl}/settings/security`);
    await page.getByRole('heading', { name: 'Single sign-on' }).waitFor();
    await page.getByRole('button', { name: 'Remove Example SSO' }).waitFor();
    const { user } = await sessionOf(page);
    assert.deepEqual([user.username, user.emailVerified, user.isOperator], ['ada', true, true]);

    provider.people.set('ada', person);
    const lostMs = performance.now();
    await until(async () => (await platform.database.run(OPERATORS, [])).length === 0, 'the operator role ends');
    assert.ok(performance.now() - lostMs < 60_000);
    assert.equal((await sessionOf(page)).user.isOperator, false);

    const other = await context.newPage();
    await other.goto(`${provider.issuer}/session/end`);
    await other.getByRole('button', { name: 'Yes, sign me out' }).click();
    await until(async () => (await platform.database.run(SESSIONS, [])).length === 0, 'the provider ends the session');
    assert.equal(await sessionOf(page), null);
    assert.deepEqual(errors, []);
    await context.close();
  });

  it('says why nobody is signed in', async () => {
    provider.people.set('bob', { email: 'bob@example.com', email_verified: false });
    const { page, context } = await newVisitor(browser, platform.baseUrl, { viewport: { width: 390, height: 844 } });
    await page.goto('/sign-in');
    await continueButton(page).click();
    await signInThere(page, 'bob');
    await page.getByText('Example SSO does not confirm your email address.').waitFor();
    assert.equal(await sessionOf(page), null);
    assert.deepEqual(await accessibilityViolations(page), []);
    await page.goto('/sign-in');
    await continueButton(page).waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    await context.close();
  });
});
