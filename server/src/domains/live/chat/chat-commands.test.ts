import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addBroadcast } from '../../../testing/seed-live.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { placeMessages } from './chats.store.ts';

const WRITE = `mutation ($stream: DID!, $body: String!) { createChatMessage(input: { stream: $stream, body: $body }) {
  chatMessage { id body status heldFor isByMember positionMs author { username } stream { id } } } }`;
const DELETE = 'mutation ($id: DID!) { deleteChatMessage(id: $id) { id stream { id } } }';
const APPROVE = 'mutation ($id: DID!) { approveChatMessage(id: $id) { chatMessage { status heldFor } } }';
const PIN = 'mutation ($id: DID!) { pinChatMessage(id: $id) { stream { chat { pinnedMessage { id } } } } }';
const UNPIN = 'mutation ($id: DID!) { unpinChatMessage(id: $id) { stream { chat { pinnedMessage { id } } } } }';
const UPDATE = `mutation ($id: DID!, $input: UpdateChatInput!) { updateChat(id: $id, input: $input) {
  stream { chat { mode slowModeMs revision } } } }`;
const TIME_OUT = `mutation ($id: DID!, $input: TimeOutUserInput!) { timeOutUser(id: $id, input: $input) {
  user { username } endsAt deletedMessages } }`;
const BLOCK = 'mutation ($id: DID!, $username: String!) { blockUser(id: $id, input: { username: $username }) { ok } }';
const RULES = `mutation ($id: DID!, $input: UpdateModerationInput!) { updateModeration(id: $id, input: $input) {
  channel { id } } }`;
const FOLLOW = 'mutation ($id: DID!) { followChannel(channel: $id) { channel { id } } }';
const CHAT = `query ($id: DID!) { content(id: $id) { ... on Stream { chat {
  isOpen mode slowModeMs pinnedMessage { body }
  messages(first: 20) { totalCount edges { node { body author { username } } } }
  heldMessages(first: 20) { totalCount edges { node { body heldFor } } } } } } }`;

const POSITIONS = `query ($id: DID!) { content(id: $id) { ... on Stream { chat {
  messages(first: 9) { edges { node { positionMs } } } } } } }`;

const wait = (seconds: number) => `You can write the next message in ${seconds} seconds.`;

describe('a chat', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let carl: Person;
  let stream: string;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert, carl] = [await api.person('anna'), await api.person('bert'), await api.person('carl')];
    stream = await addBroadcast(api, anna);
  });
  after(() => api.close());

  const write = async (who: Person, body: string, to = stream) =>
    (await api.ok(who, WRITE, { stream: to, body })).createChatMessage.chatMessage;
  const read = async (who: Person, id = stream) => (await api.run(who, CHAT, { id })).data?.content?.chat ?? null;
  const bodies = (list: { edges: { node: { body: string } }[] }) => list.edges.map(({ node }) => node.body);
  const tables = () =>
    api.rows(
      `select (select jsonb_agg(m order by m.id) from chat_messages m) as messages,
         (select jsonb_agg(h order by h.id) from chats h) as chats,
         (select jsonb_agg(o) from chat_timeouts o) as timeouts,
         (select jsonb_agg(r order by r) from chat_rate_limits r) as limits, (select count(*) from events) as events`,
    );
  const refused = async (who: Person, document: string, variables: Record<string, unknown>) => {
    const before = await tables();
    const error = await api.refused(who, document, variables);
    assert.deepEqual(await tables(), before);
    return error;
  };
  const eventsOf = async (id: string) =>
    (await api.rows<{ type: string }>('select type from events where subject_id = $1 order by id', [uuidOf(id)])).map(
      ({ type }) => type,
    );

  it('shows what is written to everybody who may watch', async () => {
    const { id, ...message } = await write(bert, '  <b>Hello</b> & welcome ');
    assert.match(id, /^did:reelgraph:chat-message\/[0-9a-f-]{36}$/);
    assert.deepEqual(message, {
      ...{ body: '<b>Hello</b> & welcome', status: 'PUBLISHED', heldFor: null, isByMember: false, positionMs: null },
      ...{ author: { username: 'bert' }, stream: { id: stream } },
    });
    await write(anna, 'Hi');
    const { messages, heldMessages, ...chat } = await read(carl);
    assert.deepEqual(chat, { isOpen: true, mode: 'EVERYONE', slowModeMs: 0, pinnedMessage: null });
    assert.deepEqual([messages.totalCount, bodies(messages)], [2, ['Hi', '<b>Hello</b> & welcome']]);
    assert.equal(heldMessages, null);
    assert.deepEqual(await eventsOf(id), ['chat_message.created']);
  });

  it('refuses what is no line of text', async () => {
    for (const [body, code] of [
      ['', 'FIELD_REQUIRED'],
      ['   ', 'FIELD_REQUIRED'],
      ['x'.repeat(501), 'INVALID_INPUT'],
      ['two\nlines', 'INVALID_INPUT'],
    ] as const) {
      const error = await refused(bert, WRITE, { stream, body });
      assert.deepEqual([error.code, error.field], [code, 'input.body']);
    }
  });

  it('is nothing that others learn of where its stream is private', async () => {
    const hidden = await addBroadcast(api, anna);
    await api.rows(`update contents set visibility = 'PRIVATE' where id = $1`, [uuidOf(hidden)]);
    const { id } = await write(anna, 'Between us', hidden);
    assert.equal(await read(bert, hidden), null);
    assert.equal((await refused(bert, WRITE, { stream: hidden, body: 'Hello' })).code, 'RESOURCE_NOT_FOUND');
    for (const document of [DELETE, APPROVE, PIN, UNPIN])
      assert.equal((await refused(bert, document, { id })).code, 'RESOURCE_NOT_FOUND');
    assert.equal((await api.run(bert, 'query ($id: DID!) { node(id: $id) { id } }', { id })).data?.node, null);
  });

  it('does not exist for a stream without a broadcast', async () => {
    const uploaded = await api.content(anna, { kind: 'STREAM', status: 'PUBLISHED' });
    assert.equal(await read(anna, uploaded), null);
    assert.equal((await refused(anna, WRITE, { stream: uploaded, body: 'Hello' })).code, 'RESOURCE_NOT_FOUND');
    assert.equal((await refused(anna, UPDATE, { id: uploaded, input: { mode: 'NOBODY' } })).code, 'RESOURCE_NOT_FOUND');
  });

  it('is open to everyone, to followers, to members, or to nobody', async () => {
    const set = async (mode: string) =>
      (await api.ok(anna, UPDATE, { id: stream, input: { mode } })).updateChat.stream.chat.mode;
    assert.equal(await set('FOLLOWERS'), 'FOLLOWERS');
    assert.equal((await refused(carl, WRITE, { stream, body: 'Hello' })).code, 'UNAUTHORIZED');
    await api.ok(carl, FOLLOW, { id: anna.channel });
    await write(carl, 'A follower');
    await set('MEMBERS');
    assert.equal((await refused(carl, WRITE, { stream, body: 'Hello' })).code, 'UNAUTHORIZED');
    await write(anna, 'A member');
    await set('NOBODY');
    assert.equal((await refused(anna, WRITE, { stream, body: 'Hello' })).code, 'UNAUTHORIZED');
    assert.equal((await refused(bert, UPDATE, { id: stream, input: { mode: 'EVERYONE' } })).code, 'UNAUTHORIZED');
    await set('EVERYONE');
    await write(carl, 'Everyone');
  });

  it('has settings that tell of a change in between', async () => {
    const { revision } = (await api.ok(anna, UPDATE, { id: stream, input: { slowModeMs: 1_000 } })).updateChat.stream
      .chat;
    await api.ok(anna, UPDATE, { id: stream, input: { slowModeMs: 0, ifRevision: revision } });
    const outdated = { slowModeMs: 2_000, ifRevision: revision };
    assert.equal((await refused(anna, UPDATE, { id: stream, input: outdated })).code, 'CONFLICT');
    for (const slowModeMs of [-1, 600_001]) {
      const error = await refused(anna, UPDATE, { id: stream, input: { slowModeMs } });
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.slowModeMs']);
    }
  });

  it('lets an account write every few seconds in slow mode, and members as they like', async () => {
    await api.ok(anna, UPDATE, { id: stream, input: { slowModeMs: 30_000 } });
    api.clock.advance(60_000);
    await write(bert, 'First');
    const error = await refused(bert, WRITE, { stream, body: 'Second' });
    assert.deepEqual([error.code, error.message], ['RATE_LIMIT_EXCEEDED', wait(30)]);
    await write(anna, 'One');
    await write(anna, 'Two');
    api.clock.advance(30_000);
    await write(bert, 'Second');
    await api.ok(anna, UPDATE, { id: stream, input: { slowModeMs: 0 } });
  });

  it('takes thirty messages a minute of an account', async () => {
    api.clock.advance(60_000);
    for (let n = 1; n <= 30; n += 1) await write(bert, `Message ${n}`);
    const error = await refused(bert, WRITE, { stream, body: 'Too many' });
    assert.deepEqual([error.code, error.message], ['RATE_LIMIT_EXCEEDED', wait(60)]);
    api.clock.advance(60_000);
    await write(bert, 'A minute later');
  });

  it('holds blocked words and links until a moderator approves them', async () => {
    await api.ok(anna, RULES, { id: anna.channel, input: { blockedWords: ['spam'], holdLinks: true } });
    const held = await write(bert, 'No SPAM');
    const link = await write(bert, 'See https://example.com');
    assert.deepEqual([held.status, held.heldFor, link.status], ['HELD', null, 'HELD']);
    assert.equal((await write(anna, 'spam by the owner')).status, 'PUBLISHED');
    const { heldMessages, messages } = await read(anna);
    assert.deepEqual(
      heldMessages.edges.map(({ node }: { node: unknown }) => node),
      [
        { body: 'No SPAM', heldFor: 'BLOCKED_WORD' },
        { body: 'See https://example.com', heldFor: 'LINK' },
      ],
    );
    assert.ok(!bodies(messages).includes('No SPAM'));
    assert.equal((await refused(bert, APPROVE, { id: held.id })).code, 'UNAUTHORIZED');
    assert.equal((await refused(carl, APPROVE, { id: held.id })).code, 'RESOURCE_NOT_FOUND');
    assert.equal((await refused(anna, PIN, { id: held.id })).code, 'INVALID_INPUT');
    const approved = (await api.ok(anna, APPROVE, { id: held.id })).approveChatMessage.chatMessage;
    assert.deepEqual(approved, { status: 'PUBLISHED', heldFor: null });
    assert.ok(bodies((await read(carl)).messages).includes('No SPAM'));
    assert.deepEqual(await eventsOf(held.id), ['chat_message.created', 'chat_message.updated']);
    await api.ok(bert, DELETE, { id: link.id });
    await api.ok(anna, RULES, { id: anna.channel, input: { blockedWords: [], holdLinks: false } });
  });

  it('has one pinned message', async () => {
    const [first, second] = [await write(bert, 'First rule'), await write(bert, 'Second rule')];
    assert.equal((await refused(bert, PIN, { id: first.id })).code, 'UNAUTHORIZED');
    await api.ok(anna, PIN, { id: first.id });
    assert.deepEqual((await api.ok(anna, PIN, { id: second.id })).pinChatMessage.stream.chat, {
      pinnedMessage: { id: second.id },
    });
    await api.ok(anna, UNPIN, { id: first.id });
    assert.deepEqual((await read(carl)).pinnedMessage, { body: 'Second rule' });
    await api.ok(bert, DELETE, { id: second.id });
    assert.equal((await read(carl)).pinnedMessage, null);
  });

  it('loses what its author or a moderator deletes', async () => {
    const [own, other] = [await write(bert, 'Mine'), await write(bert, 'Also mine')];
    assert.equal((await refused(carl, DELETE, { id: own.id })).code, 'UNAUTHORIZED');
    assert.deepEqual((await api.ok(bert, DELETE, { id: own.id })).deleteChatMessage, {
      id: own.id,
      stream: { id: stream },
    });
    await api.ok(anna, DELETE, { id: other.id });
    assert.ok(!bodies((await read(anna)).messages).some((body) => body.endsWith('ine')));
    const stored = await api.rows(`select body, status from chat_messages where id = any($1)`, [
      [own, other].map(({ id }) => uuidOf(id)),
    ]);
    assert.deepEqual(stored, [
      { body: '', status: 'DELETED' },
      { body: '', status: 'DELETED' },
    ]);
    assert.deepEqual(await eventsOf(own.id), ['chat_message.created', 'chat_message.deleted']);
    assert.equal((await refused(bert, DELETE, { id: own.id })).code, 'RESOURCE_NOT_FOUND');
  });

  it('keeps an account out for a while, with its messages, or for good', async () => {
    const dora = await api.person('dora');
    await write(dora, 'Nonsense');
    await write(dora, 'More nonsense');
    const id = anna.channel;
    const input = { username: 'DORA', durationMs: 600_000, deleteMessages: true };
    assert.equal((await refused(bert, TIME_OUT, { id, input })).code, 'UNAUTHORIZED');
    assert.equal(
      (await refused(anna, TIME_OUT, { id, input: { ...input, username: 'nobody' } })).code,
      'RESOURCE_NOT_FOUND',
    );
    assert.equal((await refused(anna, TIME_OUT, { id, input: { ...input, username: 'anna' } })).code, 'INVALID_INPUT');
    const tooLong = { ...input, durationMs: 1_209_600_001 };
    assert.equal((await refused(anna, TIME_OUT, { id, input: tooLong })).code, 'INVALID_INPUT');
    const endsAt = new Date(api.clock.now() + 600_000).toISOString();
    assert.deepEqual((await api.ok(anna, TIME_OUT, { id, input })).timeOutUser, {
      ...{ user: { username: 'dora' }, endsAt, deletedMessages: 2 },
    });
    assert.ok(!bodies((await read(carl)).messages).includes('Nonsense'));
    const error = await refused(dora, WRITE, { stream, body: 'Again' });
    assert.deepEqual([error.code, error.field], ['UNAUTHORIZED', 'input.stream']);
    assert.match(error.message, new RegExp(endsAt.replaceAll('.', '\\.')));
    api.clock.advance(600_000);
    await write(dora, 'Sorry');
    await api.ok(anna, TIME_OUT, { id, input: { username: 'dora', durationMs: 600_000 } });
    const ended = await api.ok(anna, TIME_OUT, { id, input: { username: 'dora', durationMs: 0 } });
    assert.deepEqual(ended.timeOutUser, { user: { username: 'dora' }, endsAt: null, deletedMessages: 0 });
    await write(dora, 'Thank you');
    await api.ok(anna, BLOCK, { id, username: 'dora' });
    assert.equal((await refused(dora, WRITE, { stream, body: 'Again' })).code, 'UNAUTHORIZED');
  });

  it('has its messages where they are in the recording, also once that is trimmed', async () => {
    const recorded = await addBroadcast(api, anna);
    const broadcast = await api.row<{ id: string; video: string }>(
      'select id, video_asset_id as video from broadcasts where content_id = $1',
      [uuidOf(recorded)],
    );
    // Two segments of two seconds, half a minute without the encoder, and one more.
    for (const [number, at] of ['12:00:00', '12:00:02', '12:00:34'].entries())
      await api.rows(
        `insert into broadcast_segments (broadcast_id, number, init, is_discontinuity, start_ticks, video_duration,
           video_bytes, audio_duration, audio_bytes, arrived_at) values ($1, $2, 0, $3, 0, 180000, 1, 0, 0, $4)`,
        [broadcast.id, number, number === 2, `2026-11-20T${at}Z`],
      );
    for (const [body, at] of [
      ['before', '11:59:59'],
      ['at the start', '12:00:00'],
      ['in the second segment', '12:00:03.5'],
      ['without an encoder', '12:00:20'],
      ['in the third segment', '12:00:35'],
    ] as const)
      await api.rows('update chat_messages set created_at = $2 where id = $1', [
        uuidOf((await write(anna, body, recorded)).id),
        `2026-11-20T${at}Z`,
      ]);
    await placeMessages(api.platform.db, uuidOf(recorded), broadcast.id);
    const positions = async () => {
      const { edges } = (await api.ok(carl, POSITIONS, { id: recorded })).content.chat.messages;
      return edges.map(({ node }: { node: { positionMs: number | null } }) => node.positionMs);
    };
    assert.deepEqual(await positions(), [5_000, 4_000, 3_500, 0, null]);
    await api.rows(
      `update video_assets set edit = 'TRIM', original_key = 'sources/original', original_bytes = 1,
         kept_ranges = '[{"startMs":0,"endMs":1000},{"startMs":3000,"endMs":4500}]' where id = $1`,
      [broadcast.video],
    );
    assert.deepEqual(await positions(), [null, 2_000, 1_500, 0, null]);
  });

  it('does not show what an account wrote that is closed', async () => {
    const emil = await api.person('emil');
    await write(emil, 'Goodbye');
    await api.rows(`update accounts set closed_at = now(), deletes_at = now() + interval '30 days' where id = $1`, [
      emil.accountId,
    ]);
    assert.ok(!bodies((await read(carl)).messages).includes('Goodbye'));
  });
});
