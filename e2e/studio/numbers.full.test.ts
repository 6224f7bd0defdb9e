import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { focused, reloadUntil, untilFocused, untilPlaying, untilVisibility, uploadInStudio } from '../support/steps.ts';

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const stage = sharedStage();
let receiver: Server;
const received: Received[] = [];

before(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // Without those read below.
      received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  }).listen(stage.receiverPort, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
});

after(() => receiver?.close());

/** The response to the report with an event of this kind, about this content where one is given. */
const untilReported = (page: Page, kind: string, contentId?: string) =>
  page.waitForResponse((response) => {
    if (!response.url().endsWith('/api/engagement')) return false;
    const { events } = response.request().postDataJSON() as { events: { kind: string; contentId: string }[] };
    return events.some((event) => event.kind === kind && (contentId ?? event.contentId) === event.contentId);
  });

/** The answer to a query of the account that is signed in. */
async function ask(page: Page, query: string): Promise<string> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) };
  return page.evaluate(async (request) => (await fetch('/graphql', request)).text(), init);
}

async function idOfOnlyContent(page: Page): Promise<string> {
  const answer = await ask(page, '{ me { channel { contents(first: 2) { edges { node { id } } } } } }');
  const { data } = JSON.parse(answer);
  assert.ok(data, answer);
  const { edges } = data.me.channel.contents;
  assert.equal(edges.length, 1);
  return edges[0].node.id;
}

/**
 * Resolves when the channel has a view. Asks for the overview only: a page of analytics costs seven times as many
 * points, which are limited.
 */
async function untilViewed(page: Page): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (let result = ''; !result.includes('"value":1}'); await pause(500)) {
    assert.ok(Date.now() < deadline, `the view was not counted: ${result}`);
    result = await ask(page, '{ me { channel { analytics { overview { views { value } } } } } }');
  }
}

test('a viewer clicks a card and watches, and the creator sees impression, click, view, watch time and retention', async () => {
  const owner = await stage.signedIn();
  await owner.page.goto('/studio/analytics');
  await owner.page.getByText('No views in this period').waitFor();
  const row = await uploadInStudio(owner.page, makeClip(stage.folder, 'watched.mp4', 20), 'Watched', true);
  await untilVisibility(row, 'Public');

  const id = await idOfOnlyContent(owner.page);
  const guest = await stage.visitor();
  await guest.page.goto('/');
  const card = guest.page.getByRole('link', { name: 'Watched' }).first();
  // Other journeys publish videos, too: it may be below the others, where it is not seen.
  const seen = untilReported(guest.page, 'IMPRESSION', id);
  await card.scrollIntoViewIfNeeded();
  await seen;
  const [clicked, reported] = [untilReported(guest.page, 'CLICK'), untilReported(guest.page, 'START')];
  await card.click();
  await untilPlaying(guest.page);
  assert.deepEqual([(await clicked).status(), (await reported).status()], [202, 202]);
  await guest.context.close();

  const { page } = owner;
  await untilViewed(page);
  await page.goto('/studio/analytics');
  for (const tile of [
    /^Views 1$/,
    /^Watch time ([1-9]|1\d) s$/, // how soon it played is up to the machine; the clip has 20 s
    /^Impressions 1$/,
    /^Click-through rate 100%$/,
  ]) {
    await page.getByRole('radio', { name: tile }).waitFor();
  }
  await page.getByRole('slider', { name: 'Views, last 60 minutes' }).waitFor();
  const chart = page.getByRole('slider', { name: 'Views', exact: true });
  await chart.focus();
  await page.keyboard.press('End');
  assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /: 1 view$/);
  await page.getByRole('radio', { name: /^Impressions/ }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('slider', { name: 'Impressions' }).waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  assert.match(
    await readFile(await (await saved).path(), 'utf8'),
    /^\uFEFFDay,Views,Watch time \(minutes\),Viewers,Followers,Impressions,Click-through rate\r\n.*,1,1\r\n$/s,
  );
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('link', { name: 'Audience' }).click();
  await page.getByText('100% · 1 view', { exact: true }).waitFor();
  await page.getByText('Home page').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('navigation', { name: 'Analytics' }).getByRole('link', { name: 'Content' }).click();
  await page.getByRole('cell', { name: '1 (100%)', exact: true }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  const sorted = page.waitForResponse('**/graphql?**');
  await page.getByRole('button', { name: 'Viewers', exact: true }).click();
  await sorted;
  await page.locator('div:not(.opacity-60) > table th[aria-sort=descending]', { hasText: 'Viewers' }).waitFor();
  assert.match(await focused(page), /^Viewers/, 'the sort button keeps the focus');
  await page.getByRole('radio', { name: '28 days' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/range=LAST_30D/);
  await page.locator('input[value=LAST_30D]:checked:focus').waitFor();
  await page.getByRole('link', { name: 'Watched' }).click();
  await reloadUntil(page, page.getByText('Percentage of 1 play'));
  const curve = page.getByRole('slider', { name: 'Retention' });
  await curve.focus();
  await page.keyboard.press('Home');
  assert.equal(await curve.getAttribute('aria-valuetext'), 'Start: 100% watching');
  await page.keyboard.press('End');
  assert.equal(await curve.getAttribute('aria-valuetext'), '19 seconds: 0% watching');
  await page.getByText('Startup time').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.goto('/studio');
  const latest = page.getByRole('region', { name: 'Latest video' });
  await latest.getByText('Watched').waitFor();
  await latest.getByText('First hour').waitFor();
  await page.getByRole('region', { name: 'Set up your channel' }).getByText('2 of 4 done').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  assert.deepEqual(owner.errors, []);
  await owner.context.close();
});

test('a developer adds a webhook, receives a signed test and sees the delivery', async () => {
  const { page, context, errors } = await stage.signedIn();
  await page.goto('/settings/developer/webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.locator('input[name=url]:focus').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await untilFocused(page, 'Add webhook');
  await page.keyboard.press('Enter');
  await page.getByLabel('Endpoint URL').fill('https://127.0.0.1:1/hooks');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Endpoint URL').fill(`http://127.0.0.1:${stage.receiverPort}/hooks`);
  await page.getByLabel('content.created').check();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const secret = await page.getByLabel('Signing secret').innerText();
  assert.match(secret, /^whsec_/);
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('Your endpoint responded with HTTP 204').waitFor();
  const delivered = page.getByRole('listitem', { name: 'webhook.test, Delivered' });
  await delivered.waitFor();
  const [message] = received;
  assert.ok(message, 'nothing was received');
  // As sent.
  assert.equal((new Webhook(secret).verify(message.body, message.headers) as { type: string }).type, 'webhook.test');
  await page.getByRole('button', { name: 'Redeliver' }).click();
  await delivered.getByText('HTTP 204').waitFor();
  await until(
    () => received.length === 2,
    () => 'it was not sent again',
  );
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('Disabled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Hide' }).click();
  assert.equal(await page.getByText(secret).count(), 0);
  await untilFocused(page, 'Reveal secret');
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await untilFocused(page, 'Edit');
  await page.getByRole('button', { name: /^Delete http/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  await untilFocused(page, 'No webhooks yet');
  assert.deepEqual(errors, []);
  await context.close();
});

test('events appear live, and can be filtered by type', async () => {
  const { page, context, errors } = await stage.signedIn();
  await page.goto('/settings/developer/events');
  await page.getByText('Live: new events appear automatically.').waitFor();
  const other = await context.newPage();
  await other.route('**/uploads/**', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await uploadInStudio(other, makeClip(stage.folder, 'event.mp4', 1), 'An event', false);
  const created = page.getByRole('listitem').filter({ hasText: 'A content was created.' });
  await created.click();
  assert.match(await page.getByLabel('content.created as JSON').innerText(), /"type": "CONTENT_CREATED"/);
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByLabel('Event type').selectOption('content.deleted');
  await page.getByText('No content.deleted events').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
