import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { FakeChatService, translated } from '../../server/src/domains/enhance/speech/fake-chat-service.fixture.ts';
import { FakeSpeechService, said } from '../../server/src/domains/enhance/speech/fake-speech-service.fixture.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { newVisitor, PERSONS_BROWSER, startBrowser } from '../support/browser.ts';
import { makeClip } from '../support/clips.ts';
import { type Platform, startPlatform } from '../support/harness.ts';
import { makeMember } from '../support/members.ts';
import { play, publishByProgram, untilCaption } from '../support/steps.ts';

/** Captions from speech, and their translation, in the studio and the player, by services on this machine. */
let service: FakeSpeechService;
let chat: FakeChatService;
let platform: Platform;
let browser: Browser;

before(async () => {
  [service, chat] = await Promise.all([FakeSpeechService.start(), FakeChatService.start()]);
  const settings = {
    ...{ SPEECH: 'openai', SPEECH_URL: service.url, INSTANT_PLAYBACK: 'off' },
    ...{ TRANSLATION: 'openai', TRANSLATION_URL: chat.url, TRANSLATION_MODEL: 'test' },
  };
  [platform, browser] = await Promise.all([startPlatform(settings), startBrowser(PERSONS_BROWSER)]);
});
after(async () => {
  await browser?.close();
  await platform?.stop();
  await service?.close();
  await chat?.close();
});

test('a creator has captions made from speech, translates and edits them, and viewers choose them', async () => {
  const member = await makeMember(platform, 'anna');
  makeClip(platform.folder, 'speech.mp4', 8);
  const video = { title: 'A speech', summary: '', filename: 'speech.mp4' };
  const { id, path } = await publishByProgram(platform, member.key, video);
  const { page, context, errors } = await newVisitor(browser, platform.baseUrl);
  await context.request.post('/api/auth/sign-in/email', {
    headers: { origin: platform.baseUrl },
    data: { email: member.email, password: member.password },
  });
  await page.goto(`/studio/content/${id.split(':content/')[1]}?tab=captions`);
  const section = page.getByRole('region', { name: 'Automatic captions' });
  await section.getByRole('button', { name: 'Estimate' }).click();
  await section.getByText('About 1 min with the queue as it is, 1 credit.').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);

  const answered = Promise.withResolvers<void>();
  service.answer = (response, request) =>
    void answered.promise.then(() => said('Hello, everybody.')(response, request));
  await section.getByRole('button', { name: 'Generate captions' }).click();
  await section.getByText('Making captions').waitFor();
  await section.getByRole('button', { name: 'Cancel' }).waitFor();
  answered.resolve();
  await section.getByText('Speech in English was detected and recognized, and set in 1 cue.').waitFor();
  const row = page.getByRole('listitem', { name: 'English (auto-generated)' });
  await row.waitFor();

  chat.answer = translated(() => 'Hallo zusammen.');
  await section.getByLabel('Into').selectOption('de');
  await section.getByRole('button', { name: 'Translate captions' }).click();
  await page.getByRole('listitem', { name: 'Deutsch (auto-translated)' }).waitFor();
  await section.getByText('Captions in English were translated into German, and set in 1 cue.').waitFor();

  await page.goto(path);
  await play(page);
  await page.getByRole('button', { name: 'Captions' }).click();
  const options = page.getByRole('menuitemradio');
  assert.deepEqual(await options.allInnerTexts(), ['Off', 'English (auto-generated)', 'Deutsch (auto-translated)']);
  await page.getByRole('menuitemradio', { name: 'English (auto-generated)' }).click();
  await page.keyboard.press('k');
  await page.keyboard.press('0');
  await untilCaption(page, 'Hello, everybody.');

  await page.goto(`/studio/content/${id.split(':content/')[1]}?tab=captions`);
  await page.getByRole('button', { name: 'Edit English (auto-generated)' }).click();
  const text = page.getByLabel('Text of cue 1');
  await text.fill((await text.inputValue()).replace('Hello, everybody.', 'Hello, everyone.'));
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: 'Back to captions' }).click();
  await page.getByRole('listitem', { name: 'English', exact: true }).waitFor();
  assert.equal(await row.count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});
