import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulateVideos } from '../../packages/forecast/src/simulated-views.fixture.ts';
import { makeForecasts } from '../../server/src/domains/ai/forecast/make-forecasts.ts';
import { trainForecastModel } from '../../server/src/domains/ai/forecast/train-forecast-model.ts';
import { formatDid, parseDid } from '../../server/src/gql/index.ts';
import { newId } from '../../server/src/kernel/ids.ts';
import { ManualClock } from '../../server/src/platform/clock.ts';
import { sql } from '../../server/src/platform/db/statement.ts';
import { createLogger } from '../../server/src/platform/log.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { newVisitor, startBrowser } from '../support/browser.ts';
import { type Platform, startPlatform } from '../support/harness.ts';
import { makeMember } from '../support/members.ts';
import { shortOf } from '../support/steps.ts';

const DAY_MS = 86_400_000;
const INSERT = sql(
  'insert_old_content',
  `insert into contents (id, channel_id, kind, title, status, visibility, published_at, created_at, updated_at)
   values ($1, $2, 'FEATURE', $3, 'PUBLISHED', 'PUBLIC', $4, $4, $4)`,
);
const VIEWS = sql(
  'insert_views_of_days',
  `insert into content_daily (content_id, channel_id, day, views)
   select $1, $2, $3::date + (place - 1)::int, views from unnest($4::bigint[]) with ordinality as v (views, place)
   where views > 0`,
);

/** A public content of so many days, with these views per day; returns its DID. */
async function published(
  { database }: Platform,
  channel: string,
  { title, days, views }: { title: string; days: number; views: readonly number[] },
): Promise<string> {
  const id = newId<'content'>(Date.now());
  const at = `${new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)}T08:00:00Z`;
  await database.run(INSERT, [id, channel, title, at]);
  await database.run(VIEWS, [id, channel, at.slice(0, 10), views]);
  return formatDid('reelgraph', 'feature', id);
}

test('a creator compares the forecast of a video with what came, by eye, by keyboard and on a phone', async () => {
  await using stack = new AsyncDisposableStack();
  const platform = await startPlatform();
  stack.defer(() => platform.stop());
  const browser = await startBrowser();
  stack.defer(() => browser.close());
  const member = await makeMember(platform, 'forecaster');
  const channel = parseDid('reelgraph', member.channelId)?.id ?? assert.fail('a channel has a DID');
  const simulated = simulateVideos({ seed: 21, videos: 150, days: 95, typicalViews: 2_000 }).videos;
  for (const [index, { daily }] of simulated.slice(1).entries())
    await published(platform, channel, { title: `Old video ${index}`, days: 95, views: daily });
  const views = simulated[0]!.daily.slice(0, 12);
  const video = await published(platform, channel, { title: 'A garden in spring', days: 12, views });
  const young = await published(platform, channel, { title: 'A new video', days: 0, views: [3] });
  // As the worker does over the days: it learns, and makes a forecast after three days and after seven.
  const needs = { db: platform.database, log: createLogger({ level: 'warn' }) };
  // At noon: a day is complete an hour after its end.
  const noon = Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
  const clock = new ManualClock(noon - 9 * DAY_MS);
  await trainForecastModel({ ...needs, clock }, new AbortController().signal);
  for (const days of [0, 4]) {
    clock.advance(days * DAY_MS);
    await makeForecasts({ ...needs, clock });
  }

  const { context, page } = await newVisitor(browser, platform.baseUrl, {});
  const signedIn = await context.request.post('/api/auth/sign-in/email', {
    headers: { origin: platform.baseUrl },
    data: { email: member.email, password: member.password },
  });
  assert.equal(signedIn.status(), 200);
  await page.goto(`/studio/analytics/video/${shortOf(video)}`);
  const panel = page.getByRole('region', { name: 'Forecast', exact: true });
  await panel
    .getByText(/^Made from the first 7 days by model 1, trained with \d+ videos. For other videos, \d+% ended/)
    .waitFor();
  const chart = panel.getByRole('slider', { name: 'Views in total and their forecast' });
  await chart.focus();
  assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /^Day 30, .*: [\d,]+ to [\d,]+ views forecast, /);
  await page.keyboard.press('Home');
  assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /^Day 1, .*: [\d,]+ views$/);
  await panel.getByText('Per day', { exact: true }).click();
  await panel.getByText('After 3 d').click();
  await panel.getByText(/^Made from the first 3 days by model 1, /).waitFor();
  await panel.getByText('Show as table').click();
  const table = panel.getByRole('region', { name: 'Views per day and their forecast, table' });
  await table.getByRole('row').nth(30).waitFor();
  assert.match(await table.getByRole('row').nth(5).innerText(), /Day 5, .*\s[\d,]+ views?, [\d,]+ to [\d,]+ forecast/);
  assert.deepEqual(await accessibilityViolations(page), []);

  await page.setViewportSize({ width: 390, height: 844 });
  await panel.getByText('90 days').click();
  await table.getByRole('row').nth(90).waitFor();
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  assert.ok(overflow <= 0, `the page is ${overflow} pixels wider than the phone`);

  await page.goto(`/studio/analytics/video/${shortOf(young)}`);
  await panel.getByText('Its first day is not complete. Come back tomorrow.').waitFor();
});
