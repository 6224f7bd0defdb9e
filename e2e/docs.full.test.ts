import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeOfGuide } from '../server/src/docs/testing.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { sharedStage } from './support/stage.ts';

const PAGES = [
  '/docs',
  '/docs/guides/first-upload',
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
