import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../server/src/domains/catalog/testing.ts';
import { FakeGoogle } from '../../server/src/domains/publishing/fake-google.fixture.ts';
import { FakeUploads } from '../../server/src/domains/publishing/publications/upload-site.fixture.ts';
import { connectYouTube } from '../../server/src/domains/publishing/testing.ts';
import { createHttpServer, type HttpServer } from '../../server/src/http/server.ts';
import { createRunner } from '../../server/src/media/index.ts';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { createSeedData } from '../../server/src/testing/seed-data.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { newVisitor, startBrowser } from '../support/browser.ts';

/** The studio with a fake YouTube on this machine: the platform runs in this process, where its address can be set. */
let google: FakeGoogle;
let api: TestCatalog;
let server: HttpServer;
let browser: Browser;
let baseUrl: string;
let owner: Person;

before(async () => {
  const port = await freePort();
  baseUrl = `http://localhost:${port}`;
  google = await FakeGoogle.start();
  api = await openTestCatalog({ jobs: true, google, env: { BASE_URL: baseUrl, HOST: '127.0.0.1' } });
  const { accounts, publishing, engine } = api.domains;
  const routes = [...accounts.routes, ...publishing.routes];
  server = createHttpServer({ platform: api.platform, version: '1.2.3', routes, engine, credentials: accounts });
  await Promise.all([
    server.listen(port, '127.0.0.1'),
    publishing.startWork(),
    publishing.startMediaWork({ runner: await createRunner() }),
  ]);
  [browser, owner] = await Promise.all([startBrowser(), api.person('anna')]);
});

after(async () => {
  await browser?.close();
  await server?.close({ graceMs: 0 });
  await api?.close();
});

test('a creator publishes a video on YouTube after a failed attempt, and sees the progress', async () => {
  const site = new FakeUploads(google);
  const content = await createSeedData(api, owner).video();
  await connectYouTube(api, google, owner, { upload: true });
  const { page, context, errors } = await newVisitor(browser, baseUrl);
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill('anna@example.com');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Studio' }).waitFor();

  await api.rows(
    `insert into youtube_publish_jobs (id, content_id, channel_id, account_id, youtube_channel_id, privacy_status,
      status, object_key, content_type, size_bytes,
       error_message, created_at, updated_at)
     values (gen_random_uuid(), $1, $2, $3, $4, 'PRIVATE', 'ERROR', 'sources/none', 'video/mp4', 5,
       'YouTube did not take the video.', now() - interval '1 day', now())`,
    [uuidOf(content), owner.channelId, owner.accountId, google.channel.id],
  );
  await page.goto(`/studio/content/${content.split(':content/')[1]}?tab=video`);
  await page.getByText('YouTube did not take the video.').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);

  const sending = Promise.withResolvers<void>();
  site.intercept = async (request) => {
    if (request.method === 'PUT') await sending.promise;
    return false;
  };
  await page.getByLabel('Visibility on YouTube').selectOption('Unlisted: anyone with the link');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Uploading to YouTube').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  sending.resolve();
  await page.getByRole('link', { name: /^https:\/\/www\.youtube\.com\/watch\?v=/ }).waitFor();
  const upload = site.uploads[0] ?? assert.fail('it was sent');
  assert.deepEqual([upload.resource.status.privacyStatus, upload.bytes.toString()], ['unlisted', 'a clip']);
  assert.deepEqual(
    await api.rows(`select payload ->> 'youtubeVideoId' as id from events where type = 'youtube_publish.completed'`),
    [{ id: upload.videoId }],
  );
  assert.equal(await page.getByRole('button', { name: 'Publish to YouTube' }).count(), 0);
  assert.deepEqual(await accessibilityViolations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a creator connects YouTube on the settings page, imports a video, and disconnects', async () => {
  const berta = await api.person('berta');
  google.videos = [
    { id: 'aaaaaaaaaaa', title: 'The sea at night', description: 'Waves.' },
    { id: 'bbbbbbbbbbb', title: 'Only for me', privacyStatus: 'private' },
    { id: 'ccccccccccc', title: 'Tonight', live: 'upcoming' },
  ];
  const { page, context, errors } = await newVisitor(browser, baseUrl);
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill('berta@example.com');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Studio' }).waitFor();
  await page.goto('/studio/videos');
  await page.getByRole('button', { name: 'Import from YouTube' }).click();
  await page.getByText('No YouTube channel is connected to this account.').waitFor();
  await page.getByRole('link', { name: 'Open settings' }).click();

  const panel = page.getByRole('region', { name: 'YouTube' });
  await panel.getByLabel('Allow publishing videos to YouTube').check();
  assert.deepEqual(await accessibilityViolations(page), []);
  await panel.getByRole('link', { name: 'Connect YouTube' }).click();
  await page.waitForURL('**/settings/account?youtube=connected');
  await panel.getByText('YouTube is connected.').waitFor();
  await panel.getByText(/can publish videos/).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);

  await page.goto('/studio/videos');
  await page.getByRole('button', { name: 'Import from YouTube' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import from YouTube' });
  await dialog.getByRole('button', { name: 'Import The sea at night' }).click();
  await dialog.getByText('The sea at night was added to Studio.').waitFor();
  await dialog.getByText('Imported', { exact: true }).waitFor();
  assert.deepEqual(await dialog.getByRole('button', { name: /^Import / }).allTextContents(), ['Import']);
  assert.deepEqual(await accessibilityViolations(page), []);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('row', { name: 'The sea at night' }).waitFor();
  assert.deepEqual(
    await api.rows('select title, summary, status from contents where channel_id = $1', [berta.channelId]),
    [{ title: 'The sea at night', summary: 'Waves.', status: 'DRAFT' }],
  );

  await page.goto('/settings/account');
  await panel.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('dialog', { name: 'Disconnect YouTube?' }).getByRole('button', { name: 'Disconnect' }).click();
  await panel.getByText('YouTube is disconnected. Imported videos are kept.').waitFor();
  assert.equal(google.count('/revoke'), 1);
  assert.deepEqual(errors, []);
  await context.close();
});
