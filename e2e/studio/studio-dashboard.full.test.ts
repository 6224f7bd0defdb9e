import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from '../support/accessibility.ts';
import { sharedStage } from '../support/stage.ts';
import { holdBack, untilFocused } from '../support/steps.ts';

const stage = sharedStage();

/** Visits as a new creator, and checks at the end that the page is accessible and reported no errors. */
async function asCreator(visit: (page: Page) => Promise<void>): Promise<void> {
  const { page, context, errors } = await stage.signedIn();
  await visit(page);
  assert.deepEqual(await accessibilityViolations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
}

/** Runs a document with the session of the page, like the explorer; returns the id from the alias `created`. */
/** Runs a mutation that answers an object, or in a payload `within`, and returns its id. */
async function make(page: Page, mutation: string, within = ''): Promise<string> {
  const query = `mutation { created: ${mutation} ${within === '' ? '{ id }' : `{ made: ${within} { id } }`} }`;
  const response = await page.request.post('/graphql', { data: { query }, headers: { origin: stage.baseUrl } });
  // The envelope of the spec, with what was selected.
  const { data, errors } = (await response.json()) as {
    data: { created: { id: string; made?: { id: string } } };
    errors?: unknown;
  };
  assert.equal(errors, undefined);
  return (data.created.made ?? data.created).id;
}

test('a developer selects events by group, inspects a message, and rotates the secret', async () => {
  await asCreator(async (page) => {
    await page.goto('/settings/developer/webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByLabel('Endpoint URL').fill(`http://127.0.0.1:${stage.silentPort}/hooks`);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.getByLabel('All events: Comments and reports').check();
    await page.locator('summary', { hasText: 'Comments and reports' }).click();
    await page.getByLabel('comment.updated').uncheck();
    await page.getByText('(4 selected)').waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('4 event types').click();
    await page.getByText('A comment was written.').first().waitFor();

    await page.getByLabel('Event type').selectOption('comment.created');
    const { type, data } = JSON.parse(await page.getByRole('region', { name: 'Payload', exact: true }).innerText());
    assert.equal(type, 'comment.created');
    assert.match(data.payload.content, /^did:reelgraph:content\/feature\//);

    const secret = page.getByLabel('Signing secret');
    const former = await secret.innerText();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await untilFocused(page, 'Rotate secret');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page
      .getByText(/^The previous secret is valid until .*\. Until then, requests carry both signatures\.$/)
      .waitFor();
    assert.notEqual(await secret.innerText(), former);
    await untilFocused(page, 'Rotate secret');
    await page.reload();
    await page.getByText('The previous secret is valid until').waitFor();
    assert.equal(await secret.count(), 0);
  });
});

test('pending deliveries are polled again after a failed poll', async () => {
  await asCreator(async (page) => {
    await page.goto('/settings/developer/webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByLabel('Endpoint URL').fill(`http://127.0.0.1:${stage.silentPort}/hooks`);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('The test event failed').waitFor();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    const delivery = page.getByRole('listitem', { name: 'webhook.test, Pending' });
    await delivery.waitFor();
    await page.route('**/graphql?*', (route) => route.abort('connectionreset'), { times: 1 });
    await page.getByText('The server could not be reached.').waitFor();
    await delivery.waitFor();
  });
});

test('events during connecting are not lost in an empty list', async () => {
  await asCreator(async (page) => {
    let broken = true;
    await page.route('**/graphql', (route) => {
      const isStream = route.request().headers().accept === 'text/event-stream';
      return isStream && broken ? route.abort('connectionreset') : route.fallback();
    });
    await page.goto('/settings/developer/events');
    await page.getByLabel('Event type').selectOption('content.created');
    await page.getByText('No content.created events').waitFor();
    await page.getByText('Connection lost. Reconnecting…').waitFor();
    await make(page, 'createContent(input: { title: "Meanwhile" })');
    broken = false;
    await page.getByRole('listitem').filter({ hasText: 'A content was created.' }).waitFor();
  });
});

test('late older events are not added to the current list', async () => {
  await asCreator(async (page) => {
    for (let n = 0; n < 30; n += 1) await make(page, `createContent(input: { title: "${n}" })`);
    await page.goto('/settings/developer/events');
    const release = await holdBack(page, '"before":"');
    await page.getByRole('button', { name: 'Show older' }).click();
    await page.getByLabel('Event type').selectOption('content.deleted');
    await page.getByText('No content.deleted events').waitFor();
    await release();
    await page.getByRole('button', { name: 'Show older' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByText('content.created', { exact: true }).and(page.locator('code')).count(), 0);
  });
});

test('dropped captions: the language is detected from the name, and an invalid line is reported', async () => {
  await asCreator(async (page) => {
    const id = await make(page, 'createContent(input: { title: "Tides" })');
    await page.goto(`/studio/content/${id.split('/').pop()}?tab=captions`);
    await page.getByText('Add captions').click();
    await drop(page, 'notes.txt', 'Hello');
    await page.getByRole('alert').getByText('notes.txt is not a captions file.').waitFor();
    await drop(page, 'tides.de.srt', '1\n00:00:01,000 --> 00:00:03,000\nEbbe.\n\nFlut.\n');
    await page.getByText('Language detected: German.').waitFor();
    const text = page.getByLabel('Text', { exact: true });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Go to line 5' }).click();
    assert.equal(await page.evaluate('getSelection().toString()'), 'Flut.');
    await page.keyboard.type('2\n00:00:04,000 --> 00:00:05,000\nFlut.');
    assert.match(await text.inputValue(), /Ebbe\.\n\n2\n/);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const captions = page.getByRole('region', { name: 'Captions', exact: true });
    await captions.getByRole('listitem', { name: 'Deutsch' }).waitFor();
    await captions.getByRole('button', { name: 'Forced', exact: true }).click();
    await captions.getByText('German · subtitles · forced').waitFor();
    await captions.getByRole('button', { name: 'Remove Deutsch' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await captions.getByRole('listitem').waitFor({ state: 'detached' });
    await untilFocused(page, 'Captions');
  });
});

test('several videos are added to a playlist, moved and removed; an episode moves to another season', async () => {
  await asCreator(async (page) => {
    for (const title of ['One', 'Two', 'Three']) await make(page, `createContent(input: { title: "${title}" })`);
    const playlist = await make(page, 'createPlaylist(input: { title: "Numbers" })');
    await page.goto(`/studio/playlists/${playlist.split('/').pop()}`);
    const adding = page.getByRole('region', { name: 'Add videos' });
    for (const title of ['One', 'Two', 'Three']) await adding.getByLabel(title).check();
    await adding.getByRole('button', { name: 'Add to playlist' }).click();
    await adding.getByText('3 added.').waitFor();
    const list = page.getByRole('list', { name: 'Playlist videos' });
    const order = (): Promise<string[]> =>
      list.getByRole('listitem').evaluateAll((rows) => rows.map((row) => row.ariaLabel ?? ''));
    await list.getByRole('listitem', { name: 'Three' }).waitFor();
    for (const title of ['Two', 'Three']) await page.getByLabel(`Select ${title}`).check();
    await page.getByRole('button', { name: 'Move to top' }).click();
    await list
      .getByRole('listitem')
      .first()
      .and(page.getByLabel('Two', { exact: true }))
      .waitFor();
    assert.deepEqual(await order(), ['Two', 'Three', 'One']);
    await untilFocused(page, 'Select all');
    await page.getByLabel('Select Three').check();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await list.getByRole('listitem', { name: 'Three' }).waitFor({ state: 'detached' });
    assert.deepEqual(await order(), ['Two', 'One']);
    assert.deepEqual(await accessibilityViolations(page), []);

    const serie = await make(page, 'createSeries(input: { title: "Tides" })', 'content');
    const [spring] = [await make(page, `createSeason(input: { series: "${serie}", title: "Spring" })`, 'content')];
    await make(page, `createSeason(input: { series: "${serie}", title: "Summer" })`, 'content');
    await make(page, `createEpisode(input: { parent: "${spring}", title: "Ebb" })`, 'content');
    await page.goto(`/studio/content/season/${spring.split('/').pop()}`);
    assert.equal(
      await page.getByRole('navigation', { name: 'Studio' }).locator('[aria-current=page]').innerText(),
      'Series',
    );
    await page.getByRole('button', { name: 'Move… Ebb' }).click();
    await page.getByLabel('Destination').selectOption({ label: 'Tides: Summer' });
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await page.getByText('No episodes yet.').waitFor();
  });
});

test('a custom analytics period is validated, and restoring keeps the focus', async () => {
  await asCreator(async (page) => {
    await page.goto('/studio/analytics');
    await page.getByText('Custom', { exact: true }).click();
    await page.getByLabel('Start date').fill('2099-01-02');
    await page.getByText('The end date is before the start date.').waitFor();
    await page.getByLabel('End date').fill('2099-01-03');
    await page.getByText('The end date is in the future.').waitFor();
    await page.getByLabel('Start date').fill('2025-01-01');
    await page.getByLabel('End date').fill('2025-01-31');
    await page.getByText('31 days').waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.waitForURL(/range=CUSTOM&from=2025-01-01&to=2025-01-31/);
    await page.getByText('There is data for 0% of this period').waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);

    for (const title of ['Low', 'High']) {
      const id = await make(page, `createContent(input: { title: "${title}" })`);
      await make(page, `deleteContent(id: "${id}")`);
    }
    await page.goto('/studio/trash');
    for (const [title, next] of [
      ['High', 'Restore Low'],
      ['Low', 'Trash'],
    ] as const) {
      await page.getByRole('button', { name: `Restore ${title}` }).click();
      await page.getByRole('listitem', { name: title }).waitFor({ state: 'detached' });
      await untilFocused(page, next);
    }
  });
});

/** Drops a file on the captions area. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    '(() => { const all = new DataTransfer(); all.items.add(new ' +
      `File([${JSON.stringify(text)}], ${JSON.stringify(name)})); return all; })()`,
  );
  await page.getByRole('region', { name: 'Upload captions' }).dispatchEvent('drop', { dataTransfer: transfer });
}
