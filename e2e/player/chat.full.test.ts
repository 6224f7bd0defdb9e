import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations, axeViolations } from '../support/accessibility.ts';
import { chatOf, messagesOf, writeInChat } from '../support/chat-steps.ts';
import { encoders } from '../support/encoder.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, play } from '../support/steps.ts';

/** The chat of a stream: two people who write, a visitor who reads, its moderation, and its replay. */
const stage = sharedStage();
const publish = encoders();

const CREATE = `mutation { createLiveInput(input: { name: "Harbour", visibility: PUBLIC }) {
  liveInput { id streamKey ingest { rtmp } } } }`;
const STATE = 'query ($id: DID!) { node(id: $id) { ... on LiveInput { currentStream { id shortUrl } } } }';
const STREAM = 'query ($id: DID!) { stream(id: $id) { broadcast { state } } }';
const RULES = `mutation ($id: DID!) { updateModeration(id: $id, input: { blockedWords: ["spoiler"] }) {
  channel { id } } }`;
const ME = 'query { me { channel { id } } }';

test('people chat while a stream is live, its moderators keep order, and the recording replays it', async () => {
  const owner = await stage.signedIn();
  const guest = await stage.signedIn();
  const { key } = owner.member;
  const api = <Data>(query: string, variables = {}) => callApi<Data>(stage.baseUrl, key, query, variables);
  type Input = { id: string; streamKey: string; ingest: { rtmp: string } };
  const { liveInput } = (await api<{ createLiveInput: { liveInput: Input } }>(CREATE)).createLiveInput;
  const { id: channel } = (await api<{ me: { channel: { id: string } } }>(ME)).me.channel;
  await api(RULES, { id: channel });
  const encoder = publish(liveInput.ingest.rtmp, liveInput.streamKey);
  type Node = { node: { currentStream: { id: string; shortUrl: string } | null } };
  const current = async () => (await api<Node>(STATE, { id: liveInput.id })).node.currentStream;
  await until(async () => (await current()) !== null);
  const stream = (await current()) ?? assert.fail('there is a stream');
  const path = new URL(stream.shortUrl).pathname;
  const visitor = await stage.visitor();

  for (const { page } of [owner, guest, visitor]) await page.goto(path);
  await writeInChat(guest.page, 'Hello from the harbour');
  for (const { page } of [owner, guest, visitor]) await messagesOf(page).getByText('Hello from the harbour').waitFor();
  await chatOf(visitor.page).getByRole('button', { name: 'Sign in to chat' }).waitFor();
  const framed = await stage.visitor();
  await framed.page.goto(`${path.replace('/w/', '/embed/')}?chat=1`);
  await messagesOf(framed.page).getByText('Hello from the harbour').waitFor();
  assert.equal(await chatOf(framed.page).getByRole('link').getAttribute('href'), path);
  assert.equal(await chatOf(framed.page).getByRole('button').count(), 0, 'frames have no buttons that change data');
  const inFrame = (await axeViolations(framed.page)).filter((each) => !each.startsWith('page-has-heading-one'));
  assert.deepEqual(inFrame, []);
  assert.deepEqual(await accessibilityViolations(owner.page), []);

  await writeInChat(guest.page, 'A spoiler');
  await chatOf(guest.page).getByText('Your message is shown once a moderator approves it.').waitFor();
  await chatOf(owner.page).getByText('1 message held for review').waitFor();
  assert.equal(await messagesOf(visitor.page).getByText('A spoiler').count(), 0);
  await chatOf(owner.page).getByRole('button', { name: 'Approve' }).click();
  await messagesOf(visitor.page).getByText('A spoiler').waitFor();

  const menuOf = (text: string) =>
    messagesOf(owner.page)
      .getByRole('listitem')
      .filter({ hasText: text })
      .getByRole('button', { name: /^More actions/ });
  await menuOf('Hello from the harbour').click();
  await owner.page.getByRole('button', { name: 'Pin', exact: true }).click();
  await until(async () => (await chatOf(visitor.page).getByText('Hello from the harbour').count()) === 2, 'no pin');
  await menuOf('A spoiler').click();
  await owner.page.getByRole('button', { name: /^Time out .+ for 10 minutes$/ }).waitFor();
  await messagesOf(owner.page).getByRole('button', { name: 'Delete', exact: true }).click();
  await messagesOf(visitor.page).getByText('A spoiler').waitFor({ state: 'detached' });

  await chatOf(owner.page).getByLabel('Who can write').selectOption('MEMBERS');
  await chatOf(guest.page).getByText('Members of the channel only').waitFor();
  const message = chatOf(guest.page).getByRole('textbox', { name: 'Message' });
  await message.fill('Still here');
  await message.press('Enter');
  await chatOf(guest.page).getByRole('alert').waitFor();
  assert.equal(await message.inputValue(), 'Still here', 'what is refused is kept');

  encoder.stop();
  await encoder.ended;
  await chatOf(visitor.page).getByText('The broadcast has ended, and its chat with it.').waitFor();
  type Recorded = { stream: { broadcast: { state: string } } };
  await until(
    async () => (await api<Recorded>(STREAM, { id: stream.id })).stream.broadcast.state === 'RECORDED',
    'it was never recorded',
  );
  await framed.page.reload();
  await framed.page.getByRole('region', { name: 'Chat replay' }).waitFor();
  await play(framed.page);
  await framed.page.keyboard.press('End');
  await messagesOf(framed.page).getByText('Hello from the harbour').waitFor();
  await visitor.page.reload();
  await visitor.page.getByRole('region', { name: 'Chat replay' }).waitFor();
  await play(visitor.page);
  await visitor.page.keyboard.press('End');
  await messagesOf(visitor.page).getByText('Hello from the harbour').waitFor();
  assert.equal(await messagesOf(visitor.page).getByText('A spoiler').count(), 0);
  assert.deepEqual(await accessibilityViolations(visitor.page), []);
  for (const { errors } of [owner, visitor, framed]) assert.deepEqual(errors, []);
  for (const { context } of [owner, guest, visitor, framed]) await context.close();
});
