import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeStripe, type FakeSubscription } from '../../server/src/domains/accounts/payments/fake-stripe.fixture.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { newVisitor, startBrowser } from '../support/browser.ts';
import { startPlatform } from '../support/harness.ts';
import { makeMember } from '../support/members.ts';

test('a plan is bought at Stripe, and a failed payment is shown with what to do', async () => {
  const stripe = await FakeStripe.start();
  const platform = await startPlatform(stripe.env);
  const browser = await startBrowser();
  try {
    const { email, password } = await makeMember(platform, 'paula', 'FREE');
    const { page, context, errors } = await newVisitor(browser, platform.baseUrl);
    const headers = { origin: platform.baseUrl };
    await context.request.post('/api/auth/sign-in/email', { headers, data: { email, password } });
    await page.route(/checkout\.stripe\.com/, (route) => route.fulfill({ status: 200, body: 'Stripe' }));
    await page.goto('/settings/account');
    const panel = page.getByRole('region', { name: 'Plan' });
    await panel.getByRole('button', { name: 'Choose Premium, paid every month' }).waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    await panel.getByRole('button', { name: 'Choose Premium, paid every month' }).click();
    await page.waitForURL(/^https:\/\/checkout\.stripe\.com\/c\/pay\/cus_\w+\/price_premium_month$/);
    const customer = /cus_\w+/.exec(page.url())?.[0] ?? assert.fail(page.url());

    await page.goto('/settings/account?billing=done#plan');
    await panel.getByText('Your payment is being confirmed.').waitFor();
    const paid: FakeSubscription = {
      ...{ id: 'sub_paula', customer, status: 'active', price: stripe.prices.PREMIUM_MONTHLY },
      ...{ currentPeriodEnd: Math.floor(Date.now() / 1_000) + 2_592_000, cancelAtPeriodEnd: false, endedAt: null },
    };
    stripe.subscriptions.set(paid.id, paid);
    const tell = async (): Promise<void> => {
      const { body, signature } = stripe.event('customer.subscription.updated', stripe.object(paid), Date.now());
      const sent = { method: 'POST', headers: { 'stripe-signature': signature }, body };
      assert.equal((await fetch(`${platform.baseUrl}/api/payments/stripe`, sent)).status, 200);
    };
    await tell();
    await panel.getByText('Premium', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Manage billing' }).waitFor();
    paid.status = 'past_due';
    await tell();
    await page.goto('/studio');
    await page.getByText('The last payment for Premium failed.').waitFor();
    await page.getByRole('link', { name: 'Open the plan' }).click();
    await panel.getByText('The last payment for Premium failed.').waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    await platform.stop();
    await stripe.close();
  }
});
