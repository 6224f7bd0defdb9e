import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityViolations } from '../support/accessibility.ts';
import { sharedStage } from '../support/stage.ts';
import { ask } from '../support/steps.ts';

/** Scheduled broadcasts on the page "Live" of the studio. */
const stage = sharedStage();

const CREATE = 'mutation { createLiveInput(input: { name: "Roof", visibility: UNLISTED }) { liveInput { id } } }';

test('a creator schedules a broadcast, changes its time and cancels it', async () => {
  const { page, context, errors } = await stage.signedIn();
  await page.goto('/studio/live');
  await page.getByRole('heading', { name: 'No live inputs yet' }).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Scheduled broadcasts' }).count(), 0);
  await ask(page, CREATE);
  await page.reload();
  const section = page.getByRole('region', { name: 'Scheduled broadcasts' });
  await section.getByRole('button', { name: 'Schedule a broadcast' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule a broadcast' });
  await dialog.getByLabel('Title').fill('The eclipse');
  await dialog.getByLabel('Description').fill('From the roof.');
  assert.deepEqual(await accessibilityViolations(page), []);
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  const row = section.getByRole('listitem').filter({ hasText: 'The eclipse' });
  await row.getByText(/ · Starts (tomorrow|in 23 hours) · Unlisted$/).waitFor();

  await row.getByRole('button', { name: 'Reschedule The eclipse' }).click();
  const moved = page.getByRole('dialog', { name: 'Reschedule' });
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000 + 3_600_000).toISOString().slice(0, 16);
  await moved.getByLabel('Date and time').fill(inTwoDays);
  await moved.getByRole('button', { name: 'Save' }).click();
  await row.getByText(/ · Starts in 2 days · /).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);

  await row.getByRole('button', { name: 'Cancel The eclipse' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel broadcast?' });
  await question.getByRole('button', { name: 'Cancel broadcast' }).click();
  await row.getByText(/ · Canceled · Unlisted$/).waitFor();
  await row.getByRole('link', { name: 'The eclipse', exact: true }).click();
  await page.getByText('This broadcast was canceled. It can be scheduled again in Studio.').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
