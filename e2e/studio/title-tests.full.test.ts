import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { formatDid, parseDid } from '../../server/src/gql/index.ts';
import { newId } from '../../server/src/kernel/ids.ts';
import { sql } from '../../server/src/platform/db/statement.ts';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { newVisitor, PERSONS_BROWSER, startBrowser } from '../support/browser.ts';
import { startPlatform } from '../support/harness.ts';
import { makeMember } from '../support/members.ts';
import { shortOf } from '../support/steps.ts';

const INSERT = sql(
  'insert_tested_content',
  `insert into contents (id, channel_id, kind, title, status, visibility, published_at, created_at, updated_at)
   values ($1, $2, 'FEATURE', 'Cats that jump', 'PUBLISHED', 'PUBLIC', $3, $3, $3)`,
);
const COUNTS = sql(
  'numbers_of_variants',
  'select position, impressions::int, clicks::int, viewers::int from content_test_variants order by position',
);
const MORE = sql(
  'more_numbers_of_variants',
  `update content_test_variants set impressions = case position when 0 then 2104 else 2087 end,
     clicks = case position when 0 then 96 else 131 end, viewers = case position when 0 then 88 else 122 end`,
);

test('a creator tests a title and a thumbnail on viewers, and takes the better one', async () => {
  await using stack = new AsyncDisposableStack();
  const platform = await startPlatform({ TRUST_PROXY: 'on' });
  stack.defer(() => platform.stop());
  const browser = await startBrowser(PERSONS_BROWSER);
  stack.defer(() => browser.close());
  const member = await makeMember(platform, 'tester');
  const id = newId<'content'>(Date.now());
  const channel = parseDid('reelgraph', member.channelId)?.id;
  await platform.database.run(INSERT, [id, channel, new Date().toISOString()]);
  const video = formatDid('reelgraph', 'feature', id);
  const picture = join(platform.folder, 'picture.png');
  await sharp({ create: { width: 640, height: 360, channels: 3, background: '#c2410c' } })
    .png()
    .toFile(picture);

  const { context, page } = await newVisitor(browser, platform.baseUrl, {});
  const signedIn = await context.request.post('/api/auth/sign-in/email', {
    headers: { origin: platform.baseUrl },
    data: { email: member.email, password: member.password },
  });
  assert.equal(signedIn.status(), 200);
  await page.goto(`/studio/content/${shortOf(video)}?tab=tests`);
  const panel = page.getByRole('region', { name: 'Title and thumbnail test' });
  await panel.getByRole('button', { name: 'New test' }).click();
  await panel.getByLabel('Title', { exact: true }).fill('Why cats always land on their feet');
  await panel.getByLabel('Thumbnail of version B').setInputFiles(picture);
  await panel.getByRole('radio', { name: 'Image 1' }).waitFor();
  await until(() => panel.getByRole('radio', { name: 'Image 1' }).isChecked());
  await panel.getByRole('button', { name: 'Start the test' }).click();
  await panel.getByText('Running; no clicks yet.').waitFor();
  await panel.getByText('Day 1 of at most 14.').waitFor();

  // Visitors come from different addresses until one gets each version; each follows the card.
  const seen = new Set<string>();
  for (let address = 1; seen.size < 2; address += 1) {
    const visitor = await newVisitor(browser, platform.baseUrl, {
      extraHTTPHeaders: { 'x-forwarded-for': `198.18.0.${address}` },
    });
    await visitor.page.goto('/');
    const link = visitor.page.getByRole('main').getByRole('link', { name: /cats/i }).first();
    const title = await link.innerText();
    if (!seen.has(title)) {
      await visitor.page.waitForRequest(
        (request) => request.url().endsWith('/api/engagement') && (request.postData() ?? '').includes('IMPRESSION'),
      );
      const click = visitor.page.waitForRequest(
        (request) => request.url().endsWith('/api/engagement') && (request.postData() ?? '').includes('CLICK'),
      );
      await link.click();
      await visitor.page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await click;
      seen.add(title);
      // Stays open: what it reports may still be on its way.
      stack.defer(() => visitor.context.close());
    } else await visitor.context.close();
  }
  assert.deepEqual([...seen].sort(), ['Cats that jump', 'Why cats always land on their feet']);
  await until(async () => {
    const counts = await platform.database.run<{ clicks: number }>(COUNTS, []);
    return counts.every(({ clicks }) => clicks > 0);
  }, 'both versions are clicked');
  const counts = await platform.database.run(COUNTS, []);
  assert.deepEqual(
    counts.map((row) => ({ ...row })),
    [
      { position: 0, impressions: 1, clicks: 1, viewers: 1 },
      { position: 1, impressions: 1, clicks: 1, viewers: 1 },
    ],
  );

  await platform.database.run(MORE, []);
  await page.reload();
  await panel.getByText('Running; 210 viewers clicked: 88 A, 122 B.').waitFor();
  await panel.getByText('2,087 impressions · 131 clicks by 122 viewers').waitFor();
  await panel.getByText(/^\+39% clicks compared with A \(between −\d\.?\d*% and \+\d+%\) · 9\d% chance/).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  assert.ok(overflow <= 0, `the page is ${overflow} pixels wider than the phone`);

  await panel.getByRole('button', { name: 'Use B' }).click();
  await panel.getByText('Stopped by a member of the channel (210 viewers clicked).').waitFor();
  await panel.getByText('In use').waitFor();
  await page.getByRole('heading', { name: 'Why cats always land on their feet', level: 1 }).waitFor();
  await panel.getByRole('button', { name: 'New test' }).waitFor();
});
