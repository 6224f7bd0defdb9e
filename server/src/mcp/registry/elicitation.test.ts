import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CallToolResult, Client, ElicitResult, FetchLike } from '@modelcontextprotocol/client';
import { until } from '../../testing/until.ts';
import { type ElicitedCall, RawSession } from '../session/session-testing.ts';
import { type AgentFixture, openAgentFixture } from '../testing.ts';

const DELETE = 'delete_content';
const YES = { action: 'accept', content: { confirm: true } } as const;

let fixture: AgentFixture;
/** Another instance on the same database, which receives the answers. */
let elsewhere: string;
before(async () => {
  fixture = await openAgentFixture();
  elsewhere = await fixture.anotherInstance();
});
after(() => fixture?.close());

const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
const isThere = async (id: string) =>
  (await fixture.api.run(fixture.owner, 'query ($id: DID!) { content(id: $id) { id } }', { id })).errors.length === 0;

const last = async (
  messages: AsyncGenerator<{ result?: { isError?: boolean; content?: readonly { text: string }[] } }, undefined>,
) => (await messages.next()).value?.result;

/** Asks and answers another question: an earlier answer would have had its effect by then. */
async function untilAnswersCount(session: RawSession): Promise<void> {
  const { question, messages } = await session.call(DELETE, { id: await fixture.things.content() });
  assert.equal((await session.answer(question, { action: 'decline' })).status, 202);
  assert.match((await last(messages))?.content?.[0]?.text ?? '', /declined/);
}

/** Messages go to the first instance, answers to questions to the other one. */
const answersElsewhere: FetchLike = (address, init) =>
  fetch(typeof init?.body === 'string' && !init.body.includes('"method"') ? elsewhere : address, init);

describe('asking a client of the protocol of 2025 before destructive tools', () => {
  let questions: string[];
  const connect = async (response: ElicitResult, capabilities: object = { elicitation: {} }): Promise<Client> => {
    questions = [];
    const client = await fixture.connect({ era: 'legacy', capabilities, fetch: answersElsewhere });
    if ('elicitation' in capabilities)
      client.setRequestHandler('elicitation/create', ({ params }) => {
        questions.push(params.message);
        return response;
      });
    return client;
  };

  it('runs once the user confirms, on any instance', async () => {
    const id = await fixture.things.content();
    const result = await (await connect(YES)).callTool({ name: DELETE, arguments: { id } });
    assert.deepEqual([questions.length, result.isError, await isThere(id)], [1, undefined, false]);
    assert.ok(questions[0]?.includes(id));
    assert.match(textOf(result), /To take it back: restore_content\.$/);
  });

  const refusals: [string, ElicitResult][] = [
    ['declines', { action: 'decline' }],
    ['puts the question away', { action: 'cancel' }],
    ['does not tick the box', { action: 'accept', content: { confirm: false } }],
    ['sends a form of another shape', { action: 'accept', content: { confirm: 'true' } }],
  ];
  for (const [what, response] of refusals) {
    it(`change nothing when the user ${what}`, async () => {
      const id = await fixture.things.content();
      const result = await (await connect(response)).callTool({ name: DELETE, arguments: { id } });
      assert.deepEqual(
        [questions.length, result.isError, textOf(result)],
        [1, true, 'The person declined. Nothing was changed.'],
      );
      assert.ok(await isThere(id));
    });
  }

  it('changes nothing when the client fails to ask', async () => {
    const id = await fixture.things.content();
    const client = await connect(YES);
    client.setRequestHandler('elicitation/create', () => {
      throw new Error('no window');
    });
    assert.match(textOf(await client.callTool({ name: DELETE, arguments: { id } })), /^The client could not ask/);
    assert.ok(await isThere(id));
  });

  it('does not ask before reads and harmless changes', async () => {
    const client = await connect(YES);
    await client.callTool({ name: 'verify_connection', arguments: {} });
    await client.callTool({ name: 'create_playlist', arguments: { title: 'New' } });
    assert.deepEqual(questions, []);
  });

  it('records the client’s name in the audit log', async () => {
    const id = await fixture.things.content();
    await (await connect(YES)).callTool({ name: DELETE, arguments: { id } });
    await fixture.api.domains.accounts.writeKeyUses();
    const { agent } = await fixture.api.row<{ agent: string }>(
      `select agent from api_key_audit_log where subject = $1`,
      [id],
    );
    assert.equal(agent, 'test-agent 1.0.0');
  });

  for (const [what, capabilities] of [
    ['cannot be asked', {}],
    ['can be sent to an address only', { elicitation: { url: {} } }],
  ] as const) {
    it(`asks no client that ${what}, and runs its calls immediately`, async () => {
      const id = await fixture.things.content();
      const client = await connect(YES, capabilities);
      assert.equal((await client.callTool({ name: DELETE, arguments: { id } })).isError, undefined);
      assert.deepEqual([questions.length, await isThere(id)], [0, false]);
    });
  }

  it('times out without an answer, and lets the client close its form', async () => {
    const address = await fixture.anotherInstance({ elicitationMs: 200 });
    const client = await fixture.connect({ era: 'legacy', address, capabilities: { elicitation: {} } });
    const putAway = Promise.withResolvers<void>();
    client.setRequestHandler('elicitation/create', async (_request, { mcpReq }) => {
      mcpReq.signal.addEventListener('abort', () => putAway.resolve());
      await putAway.promise;
      return YES;
    });
    const id = await fixture.things.content();
    const result = await client.callTool({ name: DELETE, arguments: { id } });
    assert.match(textOf(result), /did not answer in time\. Nothing was changed/);
    await putAway.promise;
    assert.ok(await isThere(id));
  });
});

describe('a question', () => {
  it('has a form with one checkbox and an unguessable id', async () => {
    const session = await RawSession.begin(fixture.address, fixture.key);
    const ids = new Set<unknown>();
    for (const id of [1, 2]) {
      const { question } = await session.call(DELETE, { id: await fixture.things.content() }, { id });
      ids.add(question.id);
      assert.match(String(question.id), /^[\w-]{22}\.[\w-]{43}$/);
      assert.deepEqual(Object.keys(question.params ?? {}).toSorted(), ['message', 'requestedSchema']);
      assert.equal((await session.answer(question, { action: 'decline' })).status, 202);
    }
    assert.equal(ids.size, 2);
  });

  it('can be answered only by its recipient', async () => {
    const other = await fixture.api.person('otto');
    const theirs = await RawSession.begin(fixture.address, other.key);
    const session = await RawSession.begin(fixture.address, fixture.key);
    const id = await fixture.things.content();
    const { question, messages } = await session.call(DELETE, { id });
    assert.equal((await session.answer(question, YES, { key: other.key })).status, 404, "with another account's key");
    assert.equal((await theirs.answer(question, YES)).status, 400, "in another account's session");
    const again = await RawSession.begin(fixture.address, fixture.key);
    assert.equal((await again.answer(question, YES)).status, 400, 'in another session of the same account');
    assert.equal((await session.answer({ id: `${question.id}x` }, YES)).status, 400, 'with another id');
    assert.equal((await session.answer({ id: 0 }, YES)).status, 400, 'with a guessed id');
    assert.ok(await isThere(id));
    assert.equal((await session.answer(question, YES, { address: elsewhere })).status, 202);
    assert.equal((await last(messages))?.isError, undefined);
    assert.ok(!(await isThere(id)));
  });

  it('can be answered once', async () => {
    const session = await RawSession.begin(fixture.address, fixture.key);
    const id = await fixture.things.content();
    const { question, messages } = await session.call(DELETE, { id });
    await session.answer(question, { action: 'decline' });
    assert.equal((await session.answer(question, YES)).status, 202);
    assert.match((await last(messages))?.content?.[0]?.text ?? '', /declined/);
    assert.ok(await isThere(id));
  });

  it('ends when the client disconnects', async () => {
    const session = await RawSession.begin(await fixture.anotherInstance({ maxOpen: 1 }), fixture.key);
    const leaving = new AbortController();
    const id = await fixture.things.content();
    const { question } = await session.call(DELETE, { id }, { signal: leaving.signal });
    leaving.abort();
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    await until(async () => (await session.post(ping)).status === 200, 'the call still counts');
    assert.equal((await session.answer(question, YES)).status, 202);
    await untilAnswersCount(session);
    assert.ok(await isThere(id));
  });

  it('ends when the client cancels the call', async () => {
    const session = await RawSession.begin(fixture.address, fixture.key);
    const id = await fixture.things.content();
    const { question, messages } = await session.call(DELETE, { id }, { id: 41 });
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 41 } };
    assert.equal((await session.post(cancel, { address: elsewhere })).status, 202);
    assert.deepEqual(await messages.next(), { done: true, value: undefined }, 'the call gets no response');
    await session.answer(question, YES);
    await untilAnswersCount(session);
    assert.ok(await isThere(id));
  });

  it('ends when the key is replaced before the answer', async () => {
    const person = await fixture.api.person('regula');
    const { key } = person;
    const session = await RawSession.begin(fixture.address, key);
    const id = await fixture.api.content(person);
    const { question, messages } = await session.call(DELETE, { id });
    const signedIn = await fixture.api.signedIn(person);
    const renewed = (await fixture.api.ok(signedIn, 'mutation { regenerateApiKey { key } }')).regenerateApiKey
      .key as string;
    assert.equal((await session.answer(question, YES)).status, 401);
    assert.equal((await session.answer(question, YES, { key: renewed })).status, 202, 'the account is the same');
    assert.match(
      (await last(messages))?.content?.[0]?.text ?? '',
      /^UNAUTHENTICATED: /,
      'but the call used the old key',
    );
    assert.equal(
      (await fixture.api.run(signedIn, 'query ($id: DID!) { content(id: $id) { id } }', { id })).errors.length,
      0,
    );
  });

  it('is refused when twenty others of the account are pending', async () => {
    const person = await fixture.api.person('quentin');
    const { key } = person;
    const session = await RawSession.begin(fixture.address, key);
    const leaving = new AbortController();
    const id = await fixture.api.content(person);
    for (let call = 1; call <= 20; call += 1) await session.call(DELETE, { id }, { id: call, signal: leaving.signal });
    const refused = await session.post({
      jsonrpc: '2.0',
      id: 21,
      method: 'tools/call',
      params: { name: DELETE, arguments: { id } },
    });
    assert.match(await refused.text(), /Too many confirmations are already pending/);
    leaving.abort();
    let next: ElicitedCall | null = null;
    await until(async () => {
      next = await session.call(DELETE, { id }, { id: 22 }).catch(() => null);
      return next !== null;
    }, 'the calls still count');
    assert.equal((await session.answer(next!.question, { action: 'decline' })).status, 202);
  });

  it('can be answered at the account’s concurrency limit', async () => {
    const session = await RawSession.begin(await fixture.anotherInstance({ maxOpen: 2 }), fixture.key);
    const id = await fixture.things.content();
    const first = await session.call(DELETE, { id }, { id: 1 });
    await session.call(DELETE, { id }, { id: 2 });
    const ping = { jsonrpc: '2.0', id: 3, method: 'ping' };
    const refused = await session.post(ping);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '5']);
    const { errors } = (await refused.json()) as { errors: { code: string }[] };
    assert.equal(errors[0]?.code, 'RATE_LIMIT_EXCEEDED');
    assert.equal((await session.answer(first.question, { action: 'decline' })).status, 202);
    assert.match((await last(first.messages))?.content?.[0]?.text ?? '', /declined/);
    await first.messages.next();
    assert.equal((await session.post(ping)).status, 200, 'a slot is free again');
  });
});
