import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { signToken } from '../../delivery/playback/playback.fixture.ts';
import { CREATE_INPUT, END_BROADCAST, type LiveFixture, openLiveFixture } from '../live.fixture.ts';

const SCHEDULE = 'mutation ($input: ScheduleStreamInput!) { scheduleStream(input: $input) { stream { id } } }';
const RESCHEDULE =
  'mutation ($id: DID!, $at: DateTime!) { rescheduleStream(id: $id, input: { scheduledAt: $at }) { stream { id } } }';
const CANCEL = 'mutation ($id: DID!) { cancelStream(id: $id) { stream { id } } }';
const CHAT = `query ($id: DID!) { content(id: $id) { ... on Stream {
  chat { url mode slowModeMs isOpen messages(first: 9) { edges { node { body } } } } } } }`;
const UPDATE_CHAT = `mutation ($id: DID!) { updateChat(id: $id, input: { mode: MEMBERS, slowModeMs: 0 }) {
  stream { id } } }`;
const UPDATE_INPUT = `mutation ($id: DID!, $input: UpdateLiveInputInput!) { updateLiveInput(id: $id, input: $input) {
  liveInput { chatMode chatSlowModeMs } } }`;
const WRITE = `mutation ($stream: DID!, $body: String!) { createChatMessage(input: { stream: $stream, body: $body }) {
  chatMessage { id } } }`;
const FOLLOW = 'mutation ($id: DID!) { followChannel(channel: $id) { channel { id } } }';
const CREATE_KEY = 'mutation { createSigningKey(input: { algorithm: EDDSA }) { signingKey { id } privateKey } }';
const DELETE_KEY = 'mutation ($id: DID!) { deleteSigningKey(id: $id) { id } }';

describe('the chat of a live input', () => {
  let live: LiveFixture;
  let anna: Person;
  let bert: Person;
  let carl: Person;
  before(async () => {
    live = await openLiveFixture();
    [anna, bert, carl] = [await live.api.person('anna'), await live.api.person('bert'), await live.api.person('carl')];
    await live.api.ok(bert, FOLLOW, { id: anna.channel });
  });
  after(() => live.close());

  const chatOf = async (who: Person, id: string) => (await live.api.ok(who, CHAT, { id })).content.chat;
  const bodies = async (address: string): Promise<string[]> =>
    JSON.parse(await live.text(address)).messages.map(({ body }: { body: string }) => body);
  const tables = () =>
    live.api.rows(
      `select (select jsonb_agg(m order by m.id) from chat_messages m) as messages,
         (select jsonb_agg(h order by h.id) from chats h) as chats,
         (select jsonb_agg(i.id order by i.id) from live_inputs i) as inputs,
         (select jsonb_agg(i.chat_slow_mode_ms order by i.id) from live_inputs i) as slow,
         (select jsonb_agg(r order by r) from chat_rate_limits r) as limits, (select count(*) from events) as events`,
    );
  const schedule = async (liveInput: string, visibility: string) => {
    const scheduledAt = new Date(live.api.clock.now() + 600_000).toISOString();
    const input = { liveInput, title: 'Eclipse', visibility, scheduledAt };
    return (await live.api.ok(anna, SCHEDULE, { input })).scheduleStream.stream.id as string;
  };

  it('begins as the input says, for each of its streams', async () => {
    const input = await live.input(anna, { chatMode: 'FOLLOWERS', chatSlowModeMs: 5_000, visibility: 'PUBLIC' });
    for (const _ of [1, 2]) {
      const encoder = live.publish(input, { seconds: 300 });
      const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
      const { mode, slowModeMs, isOpen } = await chatOf(carl, id);
      assert.deepEqual({ mode, slowModeMs, isOpen }, { mode: 'FOLLOWERS', slowModeMs: 5_000, isOpen: true });
      const before = await tables();
      assert.equal((await live.api.refused(carl, WRITE, { stream: id, body: 'Hi' })).code, 'UNAUTHORIZED');
      assert.deepEqual(await tables(), before);
      await live.api.ok(bert, WRITE, { stream: id, body: 'Hi' });
      await live.api.ok(anna, UPDATE_CHAT, { id });
      await live.api.ok(anna, END_BROADCAST, { id });
      await encoder.ended;
      live.api.clock.advance(60_000);
    }
    const changes = { input: { chatMode: 'NOBODY' }, id: input.id };
    assert.deepEqual((await live.api.ok(anna, UPDATE_INPUT, changes)).updateLiveInput.liveInput, {
      ...{ chatMode: 'NOBODY', chatSlowModeMs: 5_000 },
    });
    const before = await tables();
    for (const chatSlowModeMs of [-1, 600_001]) {
      const changed = await live.api.refused(anna, UPDATE_INPUT, { id: input.id, input: { chatSlowModeMs } });
      const created = await live.api.refused(anna, CREATE_INPUT, { input: { name: 'Other', chatSlowModeMs } });
      for (const { code, field } of [changed, created])
        assert.deepEqual([code, field], ['INVALID_INPUT', 'input.chatSlowModeMs']);
    }
    assert.deepEqual(await tables(), before);
  });

  it('is written before a scheduled broadcast begins, and goes on with it', async () => {
    const input = await live.input(anna, { chatSlowModeMs: 1_000 });
    const id = await schedule(input.id, 'PUBLIC');
    const { url, isOpen, slowModeMs } = await chatOf(carl, id);
    assert.deepEqual([url, isOpen, slowModeMs], [`${live.address}/media/chats/${uuidOf(id)}/chat.json`, true, 1_000]);
    await live.api.ok(carl, WRITE, { stream: id, body: 'Who is here?' });
    await until(async () => (await bodies(url)).includes('Who is here?'));
    assert.deepEqual(JSON.parse(await live.text(`${url}?from=0`)).messages, [], 'nothing is recorded yet');
    const encoder = live.publish(input, { seconds: 300 });
    assert.equal(await live.untilState(anna, input, 'LIVE'), id);
    const { url: now } = await chatOf(carl, id);
    assert.match(now, /\/media\/[0-9a-f-]{36}\/[0-9a-f-]{36}\/chat\.json$/);
    await live.api.ok(bert, WRITE, { stream: id, body: 'It begins' });
    for (const address of [url, now])
      await until(async () => (await bodies(address)).join() === 'Who is here?,It begins', address);
    await live.api.ok(anna, END_BROADCAST, { id });
    await encoder.ended;
    await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
    const { messages } = await chatOf(carl, id);
    assert.deepEqual(
      messages.edges.map(({ node }: { node: { body: string } }) => node.body),
      ['It begins', 'Who is here?'],
    );
    live.api.clock.advance(60_000);
  });

  it('is closed while its broadcast is canceled', async () => {
    const input = await live.input(anna);
    const id = await schedule(input.id, 'PUBLIC');
    await live.api.ok(anna, CANCEL, { id });
    assert.equal((await chatOf(anna, id)).isOpen, false);
    const before = await tables();
    const error = await live.api.refused(anna, WRITE, { stream: id, body: 'Hello?' });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.stream']);
    assert.deepEqual(await tables(), before);
    await live.api.ok(anna, RESCHEDULE, { id, at: new Date(live.api.clock.now() + 900_000).toISOString() });
    assert.equal((await chatOf(carl, id)).isOpen, true);
    await live.api.ok(carl, WRITE, { stream: id, body: 'Again' });
    await live.api.ok(anna, CANCEL, { id });
  });

  it('of a private stream that is scheduled is read by members alone', async () => {
    const input = await live.input(anna);
    const id = await schedule(input.id, 'PRIVATE');
    const { url } = await chatOf(anna, id);
    await live.api.ok(anna, WRITE, { stream: id, body: 'Secret' });
    assert.deepEqual(await bodies(url), ['Secret']);
    assert.equal((await fetch(url.replace(/\/media\/s\/[^/]+\//, '/media/'))).status, 404);
    const forged = url.replace(/(?<=\/media\/s\/\d+\.)./, (first: string) => (first === 'x' ? 'y' : 'x'));
    assert.equal((await fetch(forged)).status, 403);
    const other = url.replace(uuidOf(id), uuidOf(await schedule(input.id, 'PRIVATE')));
    assert.equal((await fetch(other)).status, 403, 'the address of another chat');
    assert.equal((await live.api.run(carl, CHAT, { id })).data.content, null);
    const before = await tables();
    assert.equal((await live.api.refused(carl, WRITE, { stream: id, body: 'Hi' })).code, 'RESOURCE_NOT_FOUND');
    assert.deepEqual(await tables(), before);
    await live.api.ok(anna, CANCEL, { id });
  });

  it('of a private stream is read with a playback token, and not without', async () => {
    const input = await live.input(anna, { visibility: 'PRIVATE' });
    const encoder = live.publish(input, { seconds: 300 });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    await live.api.ok(anna, WRITE, { stream: id, body: 'For subscribers' });
    const { signingKey, privateKey } = (await live.api.ok(anna, CREATE_KEY)).createSigningKey;
    const exp = Math.floor(live.api.clock.now() / 1_000) + 3_600;
    const tokenFor = (sub: string) =>
      signToken(privateKey, { alg: 'EdDSA', kid: signingKey.id }, { sub, aud: 'playback', exp });
    const playback = (token: string) => fetch(`${live.address}/playback/${uuidOf(id)}?token=${token}`);
    const { chat } = (await (await playback(tokenFor(id))).json()) as { chat: string };
    assert.deepEqual(await bodies(chat), ['For subscribers']);
    assert.equal((await playback('')).status, 400);
    assert.equal((await playback(tokenFor(anna.channel))).status, 403);
    assert.equal((await fetch(chat.replace(/\/media\/s\/[^/]+\//, '/media/'))).status, 404);
    await live.api.ok(anna, DELETE_KEY, { id: signingKey.id });
    live.api.clock.advance(60_000);
    assert.equal((await fetch(chat)).status, 404, 'the key is deleted');
    await encoder.kill();
  });
});
