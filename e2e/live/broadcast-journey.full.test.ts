import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../../server/src/platform/db/testing.ts';
import { until } from '../../server/src/testing/until.ts';
import { newVisitor, PERSONS_BROWSER, startBrowser, type Visitor } from '../support/browser.ts';
import { chatOf, messagesOf, writeInChat } from '../support/chat-steps.ts';
import { makeFlashClip } from '../support/clips.ts';
import { admin, type Instance, startInstance, untilStarted } from '../support/instances.ts';
import { type BreakableLine, openLine } from '../support/live/breakable-line.ts';
import { createTarget, type Owner, untilInput, untilLive, untilRecorded } from '../support/live/broadcasts.ts';
import { startObs } from '../support/live/obs.ts';
import { callApi, play, untilPlaying, untilProcessed } from '../support/steps.ts';

/** A broadcast of OBS Studio from its beginning to a clip of its recording, whatever fails meanwhile. */
const CUT_MS = 20_000;
const PASSWORD = 'a few words in a row';
const CLIP = `mutation ($input: CreateClipInput!) { createClip(input: $input) { content { id shortUrl } } }`;
const PUBLISH = `mutation ($id: DID!) {
  updateContent(id: $id, input: { visibility: PUBLIC }) { id } publishContent(id: $id) { id } }`;

const folder = mkdtempSync(join(tmpdir(), 'reelgraph-broadcast-'));
let database: TestDatabase;
let env: Record<string, string>;
let running: Instance;
let browser: Browser;
let line: BreakableLine;

async function start(): Promise<void> {
  running = startInstance('all', env);
  await untilStarted(running);
}

before(async () => {
  database = await createTestDatabase();
  const [port, rtmp] = [await freePort(), await freePort()];
  line = await openLine(rtmp);
  env = {
    ...{ DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('base64'), DATA_DIR: join(folder, 'data') },
    ...{ PORT: `${port}`, HOST: '127.0.0.1', BASE_URL: `http://localhost:${port}`, RTMP_PORT: `${rtmp}` },
    ...{ SANDBOX: 'prefer', DEMO: 'off', RATE_LIMIT_RESTORE: '10000' },
  };
  await start();
  browser = await startBrowser(PERSONS_BROWSER);
});
after(async () => {
  line?.close();
  await browser?.close();
  await running?.end();
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A new account, with an API key, in a browser. */
async function signedIn(username: string): Promise<Visitor & { readonly owner: Owner }> {
  const email = `${username}@example.com`;
  const flags = ['--email', email, '--username', username, '--password', PASSWORD, '--plan', 'CREATOR_PLUS'];
  const { apiKey: key = '' } = admin(env, 'create-account', ...flags, '--api-key');
  const baseUrl = env.BASE_URL ?? '';
  const visitor = await newVisitor(browser, baseUrl);
  const response = await visitor.context.request.post('/api/auth/sign-in/email', {
    ...{ headers: { origin: baseUrl }, data: { email, password: PASSWORD } },
  });
  assert.equal(response.status(), 200, await response.text());
  return { ...visitor, owner: { baseUrl, key } };
}

const timeOf = (page: Page): Promise<number> => page.evaluate("document.querySelector('video').currentTime");

/** What a video that stands still has. */
const STATE = `(({ currentTime, readyState, paused, seeking, buffered }) => ({
  currentTime, readyState, paused, seeking,
  buffered: Array.from({ length: buffered.length }, (_, n) => [buffered.start(n), buffered.end(n)]),
}))(document.querySelector('video'))`;

/** Waits until playback has gone on by itself, beyond what was loaded before. */
async function untilFurther(pages: readonly Page[], from: readonly number[]): Promise<void> {
  const isFurther = async () => (await Promise.all(pages.map(timeOf))).every((time, n) => time > (from[n] ?? 0) + 5);
  try {
    await until(isFurther, 'playback does not go on', 90_000);
  } catch (error) {
    const states = await Promise.all(pages.map((page) => page.evaluate(STATE)));
    const alerts = await Promise.all(pages.map((page) => page.getByRole('alert').allInnerTexts()));
    throw new Error(`playback stands still: ${JSON.stringify({ from, states, alerts })}`, { cause: error });
  }
}

test('a broadcast of OBS Studio survives a lost connection and a killed server, and is recorded with its chat', async () => {
  const [owner, guest] = [await signedIn('harbour'), await signedIn('guest')];
  const target = await createTarget(owner.owner, { name: 'Harbour' });
  const clip = makeFlashClip(folder, 'flashes.mkv', 60);
  const obs = await startObs(`rtmp://127.0.0.1:${line.port}/live`, target.streamKey, { clip, folder });
  const untilState = (state: string) => untilInput(owner.owner, target, state, obs.output);
  const pages = [owner.page, guest.page];
  try {
    const stream = await untilLive(owner.owner, target, obs.output);
    await owner.page.goto('/studio/live');
    await owner.page.getByText(/^Keyframes are 8\.3 seconds apart: set the keyframe interval/).waitFor();

    for (const page of pages) {
      await page.goto(stream.url);
      await play(page);
    }
    await writeInChat(guest.page, 'Which ship is that?');
    await messagesOf(owner.page).getByText('Which ship is that?').waitFor();
    await writeInChat(owner.page, 'The ferry');
    await messagesOf(guest.page).getByText('The ferry').waitFor();

    line.cut();
    const cutAt = performance.now();
    await untilState('RECONNECTING');
    await until(() => performance.now() > cutAt + CUT_MS, 'time goes on');
    const stoodAt = await Promise.all(pages.map(timeOf));
    line.restore();
    await untilState('LIVE');
    await untilFurther(pages, stoodAt);

    await running.end('SIGKILL');
    const killedAt = await Promise.all(pages.map(timeOf));
    await start();
    await untilState('LIVE');
    await untilFurther(pages, killedAt);
    await writeInChat(guest.page, 'Still there');
    await messagesOf(owner.page).getByText('Still there').waitFor();

    await obs.stop();
    await chatOf(guest.page).getByText('The broadcast has ended, and its chat with it.').waitFor({ timeout: 60_000 });
    const { durationSeconds } = await untilRecorded(owner.owner, stream);
    assert.ok(durationSeconds > 30, `${durationSeconds} s are recorded`);
    await guest.page.goto(stream.url);
    await guest.page.getByRole('region', { name: 'Chat replay' }).waitFor();
    await play(guest.page);
    await guest.page.keyboard.press('End');
    for (const text of ['Which ship is that?', 'The ferry', 'Still there'])
      await messagesOf(guest.page).getByText(text).waitFor();

    const input = { content: stream.id, startMs: 2_000, endMs: 8_000, title: 'The ferry' };
    const api = <Data>(query: string, variables: object) =>
      callApi<Data>(owner.owner.baseUrl, owner.owner.key, query, variables);
    type Created = { createClip: { content: { id: string; shortUrl: string } } };
    const { content } = (await api<Created>(CLIP, { input })).createClip;
    await untilProcessed(owner.owner.baseUrl, owner.owner.key, content.id, 90);
    await api(PUBLISH, { id: content.id });
    await guest.page.goto(content.shortUrl);
    await guest.page.getByRole('heading', { level: 1, name: 'The ferry' }).waitFor();
    await play(guest.page);
    await untilPlaying(guest.page);
    for (const { errors } of [owner, guest]) assert.deepEqual(errors, []);
  } finally {
    await obs.stop();
  }
});
