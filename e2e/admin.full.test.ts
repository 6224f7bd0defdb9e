import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityViolations } from './support/accessibility.ts';
import { sharedStage } from './support/stage.ts';

const stage = sharedStage();

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
