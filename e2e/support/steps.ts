import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import type { Visitor } from './browser.ts';
import type { Stage } from './stage.ts';

/** Steps that journeys share. */
export interface Person {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

export function newPerson(): Person {
  const username = `visitor_${randomBytes(5).toString('hex')}`;
  return { username, email: `${username}@example.com`, password: 'a few words in a row' };
}

export async function signUp(page: Page, person: Person = newPerson()): Promise<Person> {
  await page.goto('/sign-up');
  await page.getByLabel('Username').fill(person.username);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Studio' }).waitFor();
  return person;
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account / }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
}

/** From Developer Settings: trial, key. Returns the key and the command as shown. */
export async function openDeveloperAccess(page: Page): Promise<{ key: string; command: string }> {
  await page.goto('/settings/developer');
  await page.getByRole('button', { name: 'Start 14-day trial' }).click();
  await page.getByText('Developer access is active', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Generate API key' }).click();
  const command = await page.getByRole('region', { name: 'Command' }).innerText();
  return { key: await shownKey(page), command };
}

export async function shownKey(page: Page): Promise<string> {
  const key = (await page.getByRole('status', { name: 'API key' }).innerText()).trim();
  assert.match(key, /^rg_[0-9A-Za-z]{38}$/);
  return key;
}

/** Runs a command in a shell and returns its output. Throws when it fails. */
export async function paste(command: string, cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { cwd, timeout: 120_000 });
  return stdout;
}

interface GraphqlResult {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { message: string; extensions: Record<string, unknown> }[];
}

/** One API call. */
export async function graphql(
  baseUrl: string,
  key: string,
  query: string,
  variables: object = {},
): Promise<{ status: number; body: GraphqlResult }> {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, body: (await response.json()) as GraphqlResult }; // the response envelope
}

/** One API call, which must succeed. */
export async function callApi<Data>(baseUrl: string, key: string, query: string, variables: object): Promise<Data> {
  const { body } = await graphql(baseUrl, key, query, variables);
  assert.equal(body.errors, undefined, JSON.stringify(body.errors));
  return body.data as Data; // as selected
}

/** Data of the API for the account of a page. */
// biome-ignore lint/suspicious/noExplicitAny: responses vary with the documents
export async function ask(page: Page, query: string, variables: object = {}): Promise<any> {
  const data = { query, variables };
  const response = await page.request.post('/graphql', { data, headers: { origin: new URL(page.url()).origin } });
  const body = await response.json();
  assert.equal(body.errors, undefined, JSON.stringify(body.errors));
  return body.data;
}

const PUBLISH =
  'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) ' +
  '{ content { id shortUrl } job { id } upload { curlCommand } } }';
const WAIT = `mutation ($input: WaitForProcessingInput!) { waitForProcessing(input: $input) { status } }`;

interface PublishedFile {
  readonly title: string;
  readonly summary: string;
  readonly filename: string;
  readonly contentType?: 'SHORT';
}

/** Publishes a file of the platform's scratch folder through the API, and waits until its processing is complete. */
export async function publishByProgram(
  platform: { readonly baseUrl: string; readonly folder: string },
  key: string,
  video: PublishedFile,
): Promise<{ id: string; path: string }> {
  const { id, path } = await sendByProgram(platform, key, video);
  await untilProcessed(platform.baseUrl, key, id, 90);
  return { id, path };
}

/** Publishes a file of the stage from a new account, and opens the page of the video. */
export async function openVideo(stage: Stage, filename: string): Promise<Visitor> {
  const visitor = await stage.signedIn();
  const { path } = await publishByProgram(stage, visitor.member.key, { title: filename, summary: '', filename });
  await visitor.page.goto(path);
  return visitor;
}

/** Waits until a video is processed, for so long at most. */
export async function untilProcessed(
  baseUrl: string,
  key: string,
  contentId: string,
  timeoutSeconds: number,
): Promise<void> {
  await callApi(baseUrl, key, WAIT, { input: { contentId, timeoutSeconds } });
}

/** Sends a file of the platform's scratch folder through the API, to be published as soon as it is playable. */
export async function sendByProgram(
  { baseUrl, folder }: { readonly baseUrl: string; readonly folder: string },
  key: string,
  video: PublishedFile,
): Promise<{ id: string; jobId: string; path: string }> {
  const { size } = await stat(join(folder, video.filename));
  const input = { ...video, size, publish: true };
  const opened = await callApi<{
    publishVideo: { content: { id: string; shortUrl: string }; job: { id: string }; upload: { curlCommand: string } };
  }>(baseUrl, key, PUBLISH, {
    input,
  });
  const { content, job, upload } = opened.publishVideo;
  await paste(upload.curlCommand, folder);
  return { id: content.id, jobId: job.id, path: new URL(content.shortUrl).pathname };
}

/** The part after the last slash of a DID. */
export const shortOf = (did: string): string => did.slice(did.lastIndexOf('/') + 1);

/** Chooses a file in the studio, names it and says who can watch. Returns its row. */
export async function uploadInStudio(page: Page, path: string, title: string, publish: boolean): Promise<Locator> {
  await page.goto('/studio/videos');
  await page.getByLabel('Video files').setInputFiles(path);
  const details = page.getByRole('dialog', { name: 'Details' });
  await details.getByLabel('Title').fill(title);
  if (publish) await details.getByLabel(/^Public/).check();
  await details.getByRole('button', { name: 'Save' }).click();
  await details.waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: title });
  await row.waitFor();
  return row;
}

/** The uploads beside the page. */
export const uploadDock = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' });

/** Waits until a row says who can watch: `Public`. */
export async function untilVisibility(row: Locator, word: string): Promise<void> {
  await row.getByRole('button', { name: new RegExp(`^Visibility of .*: ${word}$`) }).waitFor({ timeout: 90_000 });
}

/** Publishes a video of a row in the studio, so that everyone can watch it. */
export async function publishInStudio(page: Page, row: Locator): Promise<void> {
  await row.getByRole('button', { name: /^Visibility of / }).click();
  const dialog = page.getByRole('dialog', { name: 'Visibility' });
  await dialog.getByLabel(/^Public/).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
}

/** Opens a tab of the editor of a content. */
export async function openEditTab(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Editor' }).getByRole('link', { name, exact: true }).click();
}

/** Chooses an entry of the menu of a row in the studio. */
export async function chooseInRow(row: Locator, name: string): Promise<void> {
  await row.getByRole('button', { name: /^More actions for / }).click();
  await row.getByRole('button', { name, exact: true }).click();
}

/** Delays the page's requests whose address contains this text; returns a function that releases them. */
export async function holdBack(page: Page, text: string): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  const answered: Promise<unknown>[] = [];
  await page.route('**/graphql?*', async (route) => {
    if (!decodeURIComponent(route.request().url()).includes(text)) return route.fallback();
    answered.push(page.waitForResponse((result) => result.url() === route.request().url()));
    await gate.promise;
    await route.continue();
  });
  return async () => {
    assert.ok(answered.length > 0, `nothing with ${text} was asked for`);
    gate.resolve();
    await Promise.all(answered);
  };
}

/**
 * Before it opens a page with an embedded player: what a test evaluates in the frame counts as a press there, and the
 * player would begin by itself.
 */
export async function countNoPresses(page: Page): Promise<void> {
  await page.addInitScript("Object.defineProperty(UserActivation.prototype, 'hasBeenActive', { get: () => false })");
}

/** Starts the video unless autoplay has started it. */
export async function play(page: Page): Promise<void> {
  const start = (): Promise<void> =>
    page.locator('video').evaluate((video) => (video as unknown as { play(): Promise<void> }).play());
  await start().catch(start); // attaching the source interrupts a play() that is pending
  await untilPlaying(page);
}

/** The focused element, by its name or its text. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()');

/** Waits until the element with this name is focused. */
export async function untilFocused(page: Page, name: string): Promise<void> {
  const deadline = Date.now() + 5_000;
  while ((await focused(page)) !== name && Date.now() < deadline) await page.waitForTimeout(50);
  assert.equal(await focused(page), name);
}

/** Waits until playback has advanced by half a second. */
export async function untilPlaying(page: Page): Promise<void> {
  const time = (): Promise<number> => page.evaluate("document.querySelector('video')?.currentTime ?? 0");
  await page.locator('video').waitFor();
  const start = await time();
  const state = `(({ readyState, seeking, paused, ended, error, buffered }) => ({
    readyState, seeking, paused, ended, error: error?.message,
    buffered: Array.from({ length: buffered.length }, (_, n) => [buffered.start(n), buffered.end(n)]),
  }))(document.querySelector('video'))`;
  const deadline = Date.now() + 20_000;
  while ((await time()) < start + 0.5) {
    if (Date.now() >= deadline)
      assert.fail(`the video stands at ${start} s: ${JSON.stringify(await page.evaluate(state))}`);
    await page.waitForTimeout(100);
  }
}

/** Reloads the page until this element appears. */
export async function reloadUntil(page: Page, shown: Locator): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await isShownSoon(shown))) {
    assert.ok(Date.now() < deadline, 'the page never showed it');
    await page.reload();
  }
}

function isShownSoon(shown: Locator): Promise<boolean> {
  return shown.waitFor({ timeout: 3_000 }).then(
    () => true,
    () => false,
  );
}

/** Waits until exactly this caption is shown; null waits until captions are off. */
export async function untilCaption(page: Page, text: string | null): Promise<void> {
  const captions = (): Promise<string[] | null> =>
    page.evaluate(`(() => {
      const showing = [...document.querySelector('video').textTracks].filter(({ mode }) => mode === 'showing');
      const cues = showing.flatMap(({ activeCues }) => [...(activeCues ?? [])]);
      return showing.length === 0 ? null : cues.map((cue) => cue.getCueAsHTML().textContent);
    })()`);
  const wanted = JSON.stringify(text === null ? null : [text]);
  const deadline = Date.now() + 20_000;
  for (let seen = await captions(); JSON.stringify(seen) !== wanted; seen = await captions()) {
    assert.ok(Date.now() < deadline, `captions are ${JSON.stringify(seen)}, not ${wanted}`);
    await page.waitForTimeout(100);
  }
}
