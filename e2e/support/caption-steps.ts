import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from './accessibility.ts';
import { ask } from './steps.ts';

/** Moves and rewrites a cue, by keys; another change in the meantime is not overwritten. */
export async function editCaptions(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit English' }).click();
  await page.getByRole('region', { name: 'Timeline' }).locator('canvas').waitFor();
  await page.getByRole('button', { name: 'Cue 1, 0:00.5 to 0:03.0: The tide comes in.' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  const start = page.getByRole('textbox', { name: 'Start of cue 1' });
  assert.equal(await start.inputValue(), '0:00.6');
  await page.getByRole('slider', { name: 'End of cue 1' }).press('Shift+ArrowRight');
  assert.equal(await page.getByRole('textbox', { name: 'End of cue 1' }).inputValue(), '0:04.1');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  assert.equal(await start.inputValue(), '0:00.5');
  await page.getByRole('textbox', { name: 'Text of cue 1' }).fill('');
  await page.getByText('Has no text').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await page.getByRole('textbox', { name: 'Text of cue 1' }).fill('The tide\ncomes in.');
  await save.click();
  await page.getByText('Saved.').waitFor();

  const query = 'query ($id: DID!) { content(id: $id) { captions { edges { node { id } } } } }';
  const id = `did:reelgraph:content/feature/${new URL(page.url()).pathname.split('/').pop()}`;
  const found = (await ask(page, query, { id })).content.captions.edges[0].node;
  const rewrite = `mutation ($id: DID!, $text: String!) {
    updateContentCaptions(id: $id, input: { text: $text }) { captions { version } } }`;
  const text = 'WEBVTT\n\n00:01.000 --> 00:02.000\nTheirs\n';
  assert.deepEqual(await ask(page, rewrite, { id: found.id, text }), {
    updateContentCaptions: { captions: { version: 3 } },
  });
  await page.getByRole('textbox', { name: 'Text of cue 1' }).fill('The tide comes in again.');
  await page.getByRole('button', { name: 'Back to captions' }).click();
  const leaving = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
  await leaving.getByRole('button', { name: 'Keep editing' }).click();
  await page.evaluate('scrollTo(0, 0)'); // the toolbar from below the header
  await save.click();
  const conflict = page.getByRole('dialog', { name: 'This was changed since you opened it' });
  await conflict.getByRole('radio', { name: 'Theirs' }).first().waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await conflict.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: 'Back to captions' }).click();
  await page.getByRole('listitem', { name: 'English' }).waitFor();
}

/** Writes captions from nothing: they are stored with their first text. */
export async function writeCaptions(page: Page): Promise<void> {
  await page.getByText('Add captions').click();
  await page.getByLabel('Captions language').selectOption('de');
  await page.getByRole('button', { name: 'Create in the editor' }).click();
  await page.getByText('No cues yet.').waitFor();
  await page.getByRole('button', { name: 'Add cue' }).click();
  await page.getByRole('textbox', { name: 'Text of cue 1' }).fill('Die Flut kommt.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('textbox', { name: 'Text of cue 1' }).fill('Die Flut kommt herein.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Back to captions' }).click();
  await page.getByRole('listitem', { name: 'Deutsch' }).waitFor();
}
