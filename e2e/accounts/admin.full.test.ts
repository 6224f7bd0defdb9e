import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations, axeViolations } from '../support/accessibility.ts';
import { ApiClient } from '../support/api-client.ts';
import { sharedStage } from '../support/stage.ts';

const stage = sharedStage();

const CREATE = 'mutation ($input: ContentInput!) { createContent(input: $input) { id } }';
const REPORT = 'mutation ($input: ReportInput!) { report(input: $input) { report { id } } }';
const PUBLISH = 'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } } }';

const PICTURE = { width: 120, height: 120, channels: 4, background: '#0b57d0' } as const;

test('an operator sees the health of the server, its workers and its numbers', async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    const device = { colorScheme, viewport: { width: 390, height: 844 } };
    const { page, context, errors } = await stage.signedIn(device, await stage.operator());
    await page.goto('/admin');
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByRole('listitem').filter({ hasText: 'Messages are written to a folder' }).waitFor();
    await page.getByRole('region', { name: 'Workers' }).getByRole('listitem').first().waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    assert.deepEqual(errors, []);
    await context.close();
  }
});

/** The operations of the application by their ids. */
const TRUSTED: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../web/src/gql/generated/trusted-documents.json'), 'utf8'),
);

/** Changes the result of an operation on its way to the page. */
async function alter(page: Page, operation: string, change: (data: Record<string, object>) => void): Promise<void> {
  const [id] = Object.entries(TRUSTED).find(([, text]) => new RegExp(`^query ${operation}\\b`).test(text)) ?? [];
  assert.ok(id, operation);
  await page.route(`**/graphql?documentId=${id}*`, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    change(body.data);
    await route.fulfill({ response, json: body });
  });
}

test('a server without videos says so to viewers, and to its operator what to do next', async () => {
  const guest = await stage.visitor();
  const member = await stage.signedIn();
  const operator = await stage.signedIn({}, await stage.operator());
  for (const { page } of [guest, member, operator])
    await alter(page, 'Home', (data) => Object.assign(data.contents ?? {}, { edges: [], totalCount: 0 }));
  let signUp = 'open';
  await guest.page.route(`${stage.baseUrl}/`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('name="sign-up" content="open"', `name="sign-up" content="${signUp}"`);
    await route.fulfill({ response, body });
  });
  for (signUp of ['open', 'invite']) {
    await guest.page.goto('/');
    const main = guest.page.getByRole('main');
    await main.getByRole('heading', { name: 'No videos on Reelgraph yet' }).waitFor();
    await main.getByRole('link', { name: 'Sign in' }).waitFor();
    assert.equal(await main.getByRole('link', { name: 'Create an account' }).count(), signUp === 'open' ? 1 : 0);
    assert.deepEqual(await accessibilityViolations(guest.page), []);
  }

  await alter(member.page, 'OperatorNeeded', (data) => Object.assign(data.me ?? {}, { canClaimOperator: true }));
  await member.page.goto('/');
  const claim = member.page.getByRole('region', { name: 'This server has no operator yet' });
  await claim.getByRole('link', { name: 'Become an operator' }).click();
  await member.page.waitForURL(`${stage.baseUrl}/settings/server`);
  await member.page.getByLabel('One-time code').waitFor();

  const { page } = operator;
  await page.goto('/');
  const steps = page.getByRole('region', { name: 'Set up your server' });
  await steps.getByText('Messages are written to a folder').waitFor();
  await steps.getByText('Choose who can sign up (done)').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await steps.getByRole('link', { name: 'Go to settings' }).click();
  await page.getByRole('region', { name: 'General' }).waitFor();
  await page.goBack();
  await steps.getByRole('button', { name: 'Don’t show again' }).click();
  await steps.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'No videos on Reelgraph yet' }).waitFor();
  await page.waitForLoadState('networkidle');
  assert.equal(await steps.count(), 0);
  for (const { context, errors } of [guest, member, operator]) {
    assert.deepEqual(errors, []);
    await context.close();
  }
});

test('on a phone, the tab of the page is in sight, also with a larger font', async () => {
  const device = { viewport: { width: 390, height: 844 } };
  const { page, context } = await stage.signedIn(device, await stage.operator());
  for (const path of ['/admin/settings', '/admin/log', '/admin']) {
    await page.goto(path);
    const tab = page.getByRole('main').locator('nav [aria-current=page]');
    await tab.waitFor();
    for (const fontSize of ['100%', '130%']) {
      await page.evaluate(`document.documentElement.style.fontSize = '${fontSize}'`);
      const place = async () => (await tab.boundingBox()) ?? assert.fail('there is no tab');
      // Tabs follow the font once it has arrived.
      await until(
        () => place().then(({ x, width }) => x >= 0 && x + width <= 390),
        () => `${path} with ${fontSize}: the tab is out of sight`,
      );
      assert.equal(await page.evaluate('scrollY'), 0);
    }
  }
  await context.close();
});

test('an operator cancels a job of any channel, and that is in the audit log', async () => {
  const operator = await stage.signedIn({}, await stage.operator());
  const title = `Waiting ${Date.now()}`;
  const { key } = await stage.account();
  await new ApiClient(stage.baseUrl, key).data(PUBLISH, { input: { title, filename: 'a.mp4', size: 1_000 } });
  const { page, errors } = operator;
  await page.goto('/admin/jobs');
  const row = page.getByRole('listitem').filter({ hasText: title });
  await row.getByText('Waiting for the upload').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await row.getByRole('button', { name: `Cancel ${title}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
  await row.getByText('Cancelled').waitFor();
  await page.getByLabel('State').selectOption('Failed');
  await row.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: `cancelled the processing of ${title}` })
    .waitFor();
  assert.deepEqual(errors, []);
  await operator.context.close();
});

test('an operator names the server, and pages show the name and the terms', async () => {
  const operator = await stage.signedIn({}, await stage.operator());
  const { page, errors } = operator;
  await page.goto('/admin/settings');
  const section = (name: string) => page.getByRole('region', { name, exact: true });
  const save = async (name: string) => {
    await section(name).getByRole('button', { name: 'Save' }).click();
    await section(name).getByText('Saved.').waitFor();
  };
  await page.getByLabel('Name').fill('Harbour TV');
  assert.deepEqual(await accessibilityViolations(page), []);
  await save('General');
  const terms = section('Terms and privacy').getByLabel('Terms of service', { exact: true });
  await terms.selectOption('A page at another address');
  await page.getByLabel('Address of the terms of service').fill('https://example.com/terms');
  await save('Terms and privacy');
  await until(async () => {
    await page.goto('/');
    return (await page.title()) === 'Harbour TV';
  });
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).waitFor();
  const guest = await stage.visitor();
  await guest.page.goto('/sign-up');
  await guest.page.getByRole('link', { name: 'terms of service' }).waitFor();
  await guest.context.close();
  await page.goto('/admin/settings');
  await page.getByLabel('Name').fill('');
  await save('General');
  await terms.selectOption('A text on this server');
  await page.getByLabel('Text of the terms of service').fill('# Terms of Harbour TV\n\nBe **kind**. <b>Always.</b>');
  assert.deepEqual(await accessibilityViolations(page), []);
  await save('Terms and privacy');
  await until(async () => {
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
    return new URL(page.url()).pathname === '/terms';
  });
  await page.getByRole('heading', { level: 1, name: 'Terms of Harbour TV' }).waitFor();
  await page.getByText(/^Last changed on/).waitFor();
  await page.getByText('Be kind. <b>Always.</b>').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.goto('/admin/settings');
  await terms.selectOption('None');
  await save('Terms and privacy');
  assert.deepEqual(errors, []);
  await operator.context.close();
});

test('an operator chooses a color, which all pages have in both palettes', async () => {
  const operator = await stage.signedIn({}, await stage.operator());
  const { page, errors } = operator;
  await page.goto('/admin/settings');
  const colors = page.getByRole('region', { name: 'Colors' });
  const save = () => colors.getByRole('button', { name: 'Save' }).click();
  await colors.getByLabel('Use a color of our own').check();
  const color = colors.getByLabel('Accent color', { exact: true });
  await color.fill('#ffffff');
  await save();
  await colors
    .getByText(/too bright: on light pages/)
    .first()
    .waitFor();
  await color.fill('#0b57d0');
  await save();
  await colors.getByText('Saved.').waitFor();
  for (const [colorScheme, text] of [
    ['light', '#0b57d0'],
    ['dark', '#598ddf'],
  ] as const) {
    const guest = await stage.visitor({ colorScheme });
    for (const path of ['/', '/docs']) {
      const color = `getComputedStyle(document.documentElement).getPropertyValue('--accent-text')`;
      await until(async () => {
        await guest.page.goto(path);
        return (await guest.page.evaluate(color)) === text;
      });
      assert.deepEqual(await accessibilityViolations(guest.page), []);
    }
    await guest.page.goto('/');
    const button = guest.page.getByRole('banner').getByRole('link', { name: 'Sign up' });
    await button.waitFor();
    const fill = `getComputedStyle(document.querySelector('header a[href="/sign-up"]')).backgroundColor`;
    assert.equal(await guest.page.evaluate(fill), 'rgb(11, 87, 208)');
    await guest.context.close();
    await page.emulateMedia({ colorScheme });
    await page.goto('/graphql');
    await page.locator('.graphiql-query-editor').getByText('verifyConnection').waitFor();
    await page.getByRole('button', { name: /Execute query/ }).waitFor();
    const execute = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('.graphiql-execute-button')).backgroundColor`,
    );
    const channels = (/^rgb\((\d+), (\d+), (\d+)\)$/.exec(execute) ?? []).slice(1).map(Number);
    const wanted = [1, 3, 5].map((start) => Number.parseInt(text.slice(start, start + 2), 16));
    assert.ok(
      channels.length === 3 && channels.every((channel, index) => Math.abs(channel - (wanted[index] ?? 0)) <= 1),
      `${execute} is not ${text}`,
    );
    assert.deepEqual(await axeViolations(page), []);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.goto('/admin/settings');
  assert.deepEqual(await accessibilityViolations(page), []);
  await colors.getByLabel('Use a color of our own').uncheck();
  await save();
  await colors.getByText('Saved.').waitFor();
  assert.deepEqual(errors, []);
  await operator.context.close();
});

test('an operator chooses a logo, which pages and browser tabs show, and removes it', async () => {
  const operator = await stage.signedIn({}, await stage.operator());
  const { page, errors } = operator;
  await page.goto('/admin/settings');
  const logo = page.getByRole('region', { name: 'Logo', exact: true });
  const choose = (name: string, buffer: Buffer) =>
    logo.getByLabel('Image of the logo').setInputFiles({ name, mimeType: 'image/png', buffer });
  await choose('logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'));
  await logo.getByText('SVG is not accepted').waitFor();
  await choose('logo.png', await sharp({ create: PICTURE }).png().toBuffer());
  await logo.getByRole('img', { name: 'Logo of the server' }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  const shown = /^\/logo\/[0-9a-f]{16}\.png$/;
  await until(async () => {
    await page.goto('/');
    return shown.test((await page.locator('link[rel=icon]').getAttribute('href')) ?? '');
  });
  const image = page.getByRole('banner').locator('img').first();
  assert.match((await image.getAttribute('src')) ?? '', shown);
  assert.equal(await page.evaluate(`document.querySelector('header img').naturalWidth`), PICTURE.width);
  await page.goto('/docs');
  assert.equal(await page.evaluate(`document.querySelector('header img').naturalWidth`), PICTURE.width);
  await page.goto('/admin/settings');
  await logo.getByRole('button', { name: 'Remove' }).click();
  await logo.getByText('The server has the logo of Reelgraph.').waitFor();
  assert.deepEqual(errors, []);
  await operator.context.close();
});

test('an operator sets a quota, which accounts see, and switches a feature off', async () => {
  const operator = await stage.signedIn({}, await stage.operator());
  const member = await stage.signedIn();
  const { page, errors } = operator;
  await page.goto('/admin/settings');
  const quotas = page.getByRole('region', { name: 'Quotas of plans' });
  const channels = quotas.getByLabel('Channels');
  const choose = async (plan: string, value: string) => {
    await quotas.getByLabel('Plan').selectOption(plan);
    await channels.fill(value);
    await quotas.getByRole('button', { name: 'Save' }).click();
    await quotas.getByText('Saved.').waitFor();
  };
  const { me } = await new ApiClient(stage.baseUrl, member.member.key).data(
    '{ me { subscription { plan { name } } } }',
  );
  const plan = me.subscription.plan.name;
  await choose(plan, '7');
  await member.page.goto('/settings/account');
  await member.page.getByText(/^Channels: 1 of 7$/).waitFor();
  await choose(plan, '');
  const features = page.getByRole('region', { name: 'Features' });
  const upscaling = features.getByLabel('Upscaling and upmixing');
  for (const on of [false, true]) {
    await upscaling.setChecked(on);
    await features.getByRole('button', { name: 'Save' }).click();
    await features.getByText('Saved.').waitFor();
    await page.reload();
    assert.equal(await upscaling.isChecked(), on);
  }
  assert.deepEqual([...errors, ...member.errors], []);
  await Promise.all([operator.context.close(), member.context.close()]);
});

test('an operator takes down a reported video, and its owner gets the reason', async () => {
  const operator = await stage.signedIn({}, await stage.operator());
  const owner = await stage.signedIn();
  const client = new ApiClient(stage.baseUrl, owner.member.key);
  const title = `Reported ${Date.now()}`;
  const { createContent } = await client.data(CREATE, { input: { title } });
  const { id } = createContent;
  await client.data(REPORT, { input: { target: id, reason: 'COPYRIGHT', note: 'This is my film.' } });
  const { page, errors } = operator;
  await page.goto('/admin/reports');
  const row = page.getByRole('listitem').filter({ hasText: title });
  await row.getByText('This is my film.').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await row.getByRole('button', { name: 'Take down' }).click();
  await page.getByLabel('Reason').fill('It belongs to someone else.');
  await page.getByRole('dialog').getByRole('button', { name: 'Take down' }).click();
  await row.getByText(/Taken down/).waitFor();
  await owner.page.goto(`/studio/content/${id.split(':content/')[1]}`);
  await owner.page.getByText('Reason: It belongs to someone else.').waitFor();
  await page.goto('/admin/storage');
  await page.getByRole('region', { name: 'Channels' }).getByRole('listitem').first().waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  assert.deepEqual([...errors, ...owner.errors], []);
  await Promise.all([operator.context.close(), owner.context.close()]);
});
