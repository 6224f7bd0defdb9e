import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { codeOfGuide } from '../../server/src/docs/testing.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { sharedStage } from '../support/stage.ts';

const PAGES = [
  '/docs',
  '/docs/guides/first-upload',
  '/docs/guides/analytics',
  '/docs/guides/players',
  '/docs/api',
  '/docs/api/mutations/publishVideo',
  '/docs/api/types/Content',
  '/docs/errors/invalid_input',
  '/docs/webhook',
  '/uploads/nothing',
];

/** Number of copy buttons that overlap their code. */
const COVERED = `[...document.querySelectorAll('.code')].filter((block) => {
  const [code, button] = ['pre', 'button'].map((name) => block.querySelector(name).getBoundingClientRect());
  return button.left < code.right && button.top < code.bottom;
}).length`;

describe('the documentation in a browser', () => {
  const stage = sharedStage();

  it('is linked from the web application, and has copy buttons', async () => {
    const { page, context, errors } = await stage.visitor();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Documentation' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Upload your first video' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Upload your first video' }).waitFor();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    assert.equal(copied, (await codeOfGuide('first-upload', 'console'))[0]?.trimEnd());
    assert.deepEqual(errors, []);
    await context.close();
  });

  for (const [width, colorScheme] of [
    [390, 'light'],
    [1280, 'dark'],
  ] as const) {
    it(`is accessible at ${width} pixels, in ${colorScheme}`, async () => {
      const { page, context, errors } = await stage.visitor({ viewport: { width, height: 800 }, colorScheme });
      for (const path of PAGES) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        assert.ok(
          (await page.evaluate<number>('document.documentElement.scrollWidth')) <= width,
          `${path} scrolls sideways`,
        );
        assert.deepEqual(await accessibilityViolations(page), [], path);
        assert.equal(await page.evaluate<number>(COVERED), 0, `${path} has buttons over code`);
      }
      assert.deepEqual(errors, []);
      await context.close();
    });
  }

  describe('lets those who are signed in run an operation', () => {
    const open = async (page: Page, path: string) => {
      await page.goto(path);
      const section = page.getByRole('region', { name: 'Try it' });
      await section.waitFor();
      return section;
    };
    const narrow = { viewport: { width: 390, height: 800 } };

    it('a query, with ids of the account in its variables', async () => {
      const { page, context, errors, member } = await stage.signedIn();
      const section = await open(page, '/docs/api/queries/channel');
      await section.getByText('The ids in the variables are yours.').waitFor();
      assert.match(await section.getByLabel('Variables (JSON)').inputValue(), new RegExp(member.channelId));
      await section.getByRole('button', { name: 'Run' }).click();
      await section.getByText(/^200 OK · cost \d+ points, \d+ left · \d+ ms$/).waitFor();
      const answer = JSON.parse(await section.getByLabel('Response').innerText());
      assert.equal(answer.data.channel.id, member.channelId);
      assert.deepEqual(await accessibilityViolations(page), []);

      await section.getByLabel('Variables (JSON)').fill('{ "id": ');
      await section.getByRole('button', { name: 'Run' }).click();
      await section
        .getByRole('alert')
        .getByText(/^The variables are not JSON: /)
        .waitFor();
      assert.equal(await page.evaluate<string>('document.activeElement.name'), 'variables');
      await section.getByLabel('Variables (JSON)').fill('{}');
      await section.getByLabel('Operation').fill('{ nothing }');
      await page.keyboard.press('Control+Enter');
      await section.getByText(/^400 Bad Request · 1 error · /).waitFor();
      await section.getByLabel('Response').getByText('GRAPHQL_VALIDATION_FAILED').waitFor();
      assert.deepEqual(errors, []);
      await context.close();
    });

    it('a mutation, after a question that is asked once', async () => {
      const { page, context, errors, member } = await stage.signedIn(narrow);
      const section = await open(page, '/docs/api/mutations/createContent');
      await section.getByText('It changes real data.').waitFor();
      assert.doesNotMatch(await section.getByLabel('Variables (JSON)').inputValue(), new RegExp(member.channelId));
      await section.getByRole('button', { name: 'Use my channel and newest content' }).click();
      await section.getByText('The ids in the variables are yours.').waitFor();
      const run = section.getByRole('button', { name: 'Run', exact: true });
      const dialog = page.getByRole('dialog', { name: 'Run createContent?' });
      await run.click();
      await dialog.waitFor();
      assert.deepEqual(await accessibilityViolations(page), []);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await section.getByLabel('Response').isVisible(), false);
      await run.click();
      await dialog.getByRole('button', { name: 'Run' }).click();
      await section.getByText(/^200 OK · /).waitFor();
      await section.getByLabel('Operation').fill('mutation { nothing }');
      await run.click();
      await section.getByText(/^400 Bad Request · /).waitFor();
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 390);
      await page.goto('/docs/api/queries/contents');
      assert.deepEqual(errors, []);
      await context.close();
    });

    it('a subscription, until it is stopped', async () => {
      const { page, context, errors } = await stage.signedIn();
      const section = await open(page, '/docs/api/subscriptions/eventsAfter');
      await section.getByText('The ids in the variables are yours.').waitFor();
      await section.getByRole('button', { name: 'Run' }).click();
      await section.getByText(/^200 · /).waitFor();
      const create = { query: 'mutation { createContent(input: { title: "Seen" }) { id } }' };
      await page.request.post('/graphql', { data: create, headers: { origin: stage.baseUrl } });
      await section.getByLabel('Response').getByText('CONTENT_CREATED').waitFor();
      await section.getByRole('button', { name: 'Stop' }).click();
      await section.getByText('Stopped.').waitFor();
      assert.deepEqual(errors, []);
      await context.close();
    });

    it('and tells everyone else to sign in', async () => {
      const { page, context, errors } = await stage.visitor(narrow);
      const section = await open(page, '/docs/api/queries/channel');
      assert.equal(await section.getByRole('button').count(), 0);
      assert.deepEqual(await accessibilityViolations(page), []);
      const member = await stage.account('FREE');
      await section.getByRole('link', { name: 'Sign in' }).click();
      await page.getByLabel('Email').fill(member.email);
      await page.getByLabel('Password').fill(member.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/docs/api/queries/channel');
      await page.getByRole('region', { name: 'Try it' }).getByText(member.username).waitFor();
      assert.deepEqual(errors, []);
      await context.close();
    });
  });

  it('works without scripts', async () => {
    const { page, context } = await stage.visitor({ javaScriptEnabled: false });
    await page.goto('/docs');
    await page.getByRole('navigation', { name: 'All pages' }).getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('link', { name: 'publishVideo', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'publishVideo' }).waitFor();
    assert.equal(await page.getByRole('button').count(), 0);
    await context.close();
  });
});
