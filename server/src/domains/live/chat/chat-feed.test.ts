import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../testing/until.ts';
import type { Person } from '../../catalog/testing.ts';
import { END_BROADCAST, type LiveFixture, openLiveFixture, type TestEncoder, type TestInput } from '../live.fixture.ts';

const WRITE = `mutation ($stream: DID!, $body: String!) { createChatMessage(input: { stream: $stream, body: $body }) {
  chatMessage { id } } }`;
const DELETE = 'mutation ($id: DID!) { deleteChatMessage(id: $id) { id } }';
const PIN = 'mutation ($id: DID!) { pinChatMessage(id: $id) { chatMessage { id } } }';
const TIME_OUT = `mutation ($id: DID!, $username: String!) { timeOutUser(id: $id,
  input: { username: $username, durationMs: 60000, deleteMessages: true }) { deletedMessages } }`;
const URL_OF = 'query ($id: DID!) { stream(id: $id) { chat { url } } }';
const POSITIONS = `query ($id: DID!) { stream(id: $id) { chat { messages(first: 9) { edges { node {
  body positionMs } } } } } }`;

interface Update {
  readonly version: number;
  readonly isOpen: boolean;
  readonly isComplete: boolean;
  readonly pinned: { readonly id: string } | null;
  readonly messages: {
    readonly id: string;
    readonly author: string;
    readonly isByMember: boolean;
    readonly body: string;
  }[];
  readonly removed: string[];
}

describe('the chat that players load', () => {
  let live: LiveFixture;
  let anna: Person;
  let bert: Person;
  let input: TestInput;
  let encoder: TestEncoder;
  let stream: string;
  let url: string;
  before(async () => {
    live = await openLiveFixture();
    [anna, bert] = [await live.api.person('anna'), await live.api.person('bert')];
    input = await live.input(anna, { visibility: 'PUBLIC' });
    // Slow enough for the messages of a busy machine to be in the first minute.
    encoder = live.publish(input, { seconds: 300, rate: 1 });
    stream = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    url = (await live.api.ok(bert, URL_OF, { id: stream })).stream.chat.url;
  });
  after(() => live.close());

  const write = async (who: Person, body: string): Promise<string> =>
    (await live.api.ok(who, WRITE, { stream, body })).createChatMessage.chatMessage.id;
  const load = async (query = ''): Promise<Update> => JSON.parse(await live.text(url + query));
  /** All updates after a version, until they contain what is wanted. */
  const follow = async (version: number, isDone: (all: Update[]) => boolean): Promise<Update[]> => {
    const all: Update[] = [];
    while (!isDone(all)) all.push(await load(`?after=${all.at(-1)?.version ?? version}`));
    return all;
  };
  const bodies = (all: readonly Update[]) => all.flatMap(({ messages }) => messages.map(({ body }) => body));

  it('begins with the messages that are there, and tells of each later one', async () => {
    const id = await write(bert, 'First');
    const first = await load();
    assert.deepEqual([first.isOpen, first.isComplete, first.removed], [true, true, []]);
    assert.deepEqual(
      first.messages.map(({ id: of, author, body }) => ({ of, author, body })),
      [{ of: id, author: 'bert', body: 'First' }],
    );
    const reading = follow(first.version, (all) => bodies(all).includes('Third'));
    await write(bert, 'Second');
    await write(anna, 'Third');
    const later = await reading;
    assert.deepEqual(bodies(later), ['Second', 'Third']);
    const isByMember = later.flatMap(({ messages }) => messages.map((message) => message.isByMember));
    assert.deepEqual(isByMember, [false, true]);
    assert.ok(later.every(({ isComplete }) => !isComplete));
  });

  it('tells five hundred readers by one look', async () => {
    const { version } = await load();
    const readers = Array.from({ length: 500 }, () => load(`?after=${version}`));
    await write(bert, 'To all');
    const update = await Promise.all(readers);
    assert.deepEqual(
      new Set(update.map(({ messages }) => messages.map(({ body }) => body).join())),
      new Set(['To all']),
    );
  });

  it('takes away what is deleted, with its pin', async () => {
    const { version } = await load();
    const id = await write(bert, 'Oops');
    await live.api.ok(anna, PIN, { id });
    const shown = (await follow(version, (all) => all.at(-1)?.pinned?.id === id)).at(-1);
    const reading = follow(shown?.version ?? 0, (all) => all.at(-1)?.pinned === null);
    await live.api.ok(bert, DELETE, { id });
    const gone = await reading;
    assert.deepEqual(
      gone.flatMap(({ removed }) => removed),
      [id],
    );
  });

  it('takes away all messages of an account at once', async () => {
    const carl = await live.api.person('carl');
    const { version } = await load();
    const ids = [await write(carl, 'One'), await write(carl, 'Two')];
    await follow(version, (all) => bodies(all).includes('Two'));
    const before = await load();
    await live.api.ok(anna, TIME_OUT, { id: anna.channel, username: 'carl' });
    const update = await follow(before.version, (all) => (all.at(-1)?.removed.length ?? 0) > 0);
    assert.deepEqual(update.at(-1)?.removed.toSorted(), ids.toSorted());
  });

  it('begins again for a reader who is far behind', async () => {
    const { isComplete, messages } = await load('?after=0');
    assert.deepEqual([isComplete, messages[0]?.body], [true, 'First']);
  });

  it('refuses versions that are no numbers', async () => {
    for (const query of ['?after=-1', '?after=x', '?from=1.5'])
      assert.equal((await fetch(url + query)).status, 400, query);
  });

  it('is not for those who may not watch', async () => {
    const hidden = await live.input(bert, { visibility: 'PRIVATE' });
    const own = live.publish(hidden, { seconds: 300 });
    const id = (await live.untilState(bert, hidden, 'LIVE')) ?? assert.fail('there is a stream');
    const address = (await live.api.ok(bert, URL_OF, { id })).stream.chat.url;
    assert.equal((await fetch(address)).status, 200);
    assert.equal((await fetch(address.replace(/\/media\/s\/[^/]+\//, '/media/'))).status, 404);
    const forged = address.replace(/(?<=\/media\/s\/\d+\.)./, (first: string) => (first === 'x' ? 'y' : 'x'));
    assert.equal((await fetch(forged)).status, 403);
    await own.kill();
  });

  it('is closed with the broadcast, and stays with the recording, where it was written', async () => {
    const { version } = await load();
    await write(anna, 'Goodbye');
    const reading = follow(version, (all) => all.at(-1)?.isOpen === false);
    await live.api.ok(anna, END_BROADCAST, { id: stream });
    await reading;
    await encoder.ended;
    await until(async () => (await live.stream(anna, stream)).broadcast.state === 'RECORDED');
    const replay = JSON.parse(await live.text(`${url}?from=0`));
    assert.deepEqual([replay.fromMs, replay.toMs], [0, 60_000]);
    const { edges } = (await live.api.ok(bert, POSITIONS, { id: stream })).stream.chat.messages;
    type Placed = { readonly body: string; readonly positionMs: number };
    const expected: Placed[] = edges.map(({ node }: { node: Placed }) => node).toReversed();
    assert.deepEqual(
      replay.messages.map(({ body, positionMs }: Placed) => ({ body, positionMs })),
      expected,
    );
    assert.equal(expected.at(-1)?.body, 'Goodbye');
    assert.ok(expected.every(({ positionMs }, index) => positionMs >= (expected[index - 1]?.positionMs ?? 0)));
    assert.equal((await load()).isOpen, false);
  });
});
