import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, specTypeSchemas } from '@modelcontextprotocol/client';
import { newId } from '../../kernel/ids.ts';
import { type AgentFixture, openAgentFixture } from '../testing.ts';
import { DAY_MS, processing, type Sending, send, WAITING_TOOL, waitsMeanwhile } from './tasks.fixture.ts';

let fixture: AgentFixture;
let otherInstance: string;
before(async () => {
  fixture = await openAgentFixture();
  otherInstance = await fixture.anotherInstance();
});
after(() => fixture?.close());

describe('a task of 2025-11-25', () => {
  const ask = (method: string, params: object, sending?: Sending) =>
    send(fixture, { method, params, headers: { 'mcp-protocol-version': '2025-11-25' } }, sending);
  const call = (args: object, task: object = {}) => ask('tools/call', { name: WAITING_TOOL, arguments: args, task });
  const begin = async (args: object, task?: object) => (await call(args, task)).result?.task ?? assert.fail('a task');

  let client: Client;
  before(async () => {
    client = await fixture.connect({ era: 'legacy' });
  });

  it('is supported by the waiting tool only', async () => {
    assert.deepEqual(client.getServerCapabilities()?.tasks, { requests: { tools: { call: {} } } });
    const { tools } = await client.listTools();
    const offering = tools
      .filter(({ execution }) => execution !== undefined)
      .map(({ name, execution }) => [name, execution]);
    assert.deepEqual(offering, [[WAITING_TOOL, { taskSupport: 'optional' }]]);
    const other = await ask('tools/call', { name: 'verify_connection', arguments: {}, task: {} });
    assert.deepEqual(
      [other.error?.code, other.error?.message],
      [-32601, 'verify_connection cannot be called as a task.'],
    );
  });

  it('is working until processing has ended, and then returns the result of the call', async () => {
    const { contentId, end } = await processing(fixture);
    const params = { name: WAITING_TOOL, arguments: { contentId }, task: { ttl: 3_600_000 } };
    const created = await client.request({ method: 'tools/call', params }, specTypeSchemas.CreateTaskResult);
    const { taskId, status, statusMessage, ttl, pollInterval } = created.task;
    assert.deepEqual([status, statusMessage, ttl, pollInterval], ['working', 'TRANSCODING, 40 %', 3_600_000, 5_000]);
    const get = () => client.request({ method: 'tasks/get', params: { taskId } }, specTypeSchemas.GetTaskResult);
    assert.equal((await get()).status, 'working');
    await end('COMPLETE');
    const { status: ended, createdAt, lastUpdatedAt } = await get();
    assert.deepEqual([ended, createdAt <= lastUpdatedAt], ['completed', true]);
    const { _meta, ...result } = await client.request(
      { method: 'tasks/result', params: { taskId } },
      specTypeSchemas.CallToolResult,
    );
    assert.deepEqual(_meta, { 'io.modelcontextprotocol/related-task': { taskId } });
    assert.deepEqual(result, await client.callTool({ name: WAITING_TOOL, arguments: { contentId } }));
  });

  it('is valid on any instance', async () => {
    const { contentId, end } = await processing(fixture);
    const { taskId } = await begin({ contentId });
    assert.equal((await ask('tasks/get', { taskId }, { address: otherInstance })).result?.['status'], 'working');
    await end('COMPLETE');
    const { result } = await ask('tasks/result', { taskId }, { address: otherInstance });
    assert.equal(result?.structuredContent?.waitForProcessing.content.id, contentId);
  });

  it('lets a client wait for its result', async () => {
    const { contentId, end } = await processing(fixture);
    const { taskId } = await begin({ contentId, timeoutSeconds: 1 });
    const waiting = ask('tasks/result', { taskId });
    assert.equal(await Promise.race([waiting, waitsMeanwhile(fixture)]), 'waits');
    await end('COMPLETE');
    assert.equal((await waiting).result?.structuredContent?.waitForProcessing.status, 'COMPLETE');
  });

  it('reports failed processing with the error', async () => {
    const { contentId, end } = await processing(fixture);
    const { taskId } = await begin({ contentId });
    await end('ERROR');
    const { status, statusMessage } = (await ask('tasks/get', { taskId })).result ?? {};
    assert.deepEqual([status, statusMessage], ['completed', 'ERROR: No sound, no picture.']);
    const { result } = await ask('tasks/result', { taskId });
    assert.equal(result?.structuredContent?.waitForProcessing.status, 'ERROR');
    assert.match(result?.content?.[0]?.text ?? '', /No sound, no picture/);
  });

  it('ends with the first poll for a content that was never submitted', async () => {
    const { taskId, status } = await begin({ contentId: await fixture.things.content() });
    assert.equal(status, 'working');
    assert.equal((await ask('tasks/get', { taskId })).result?.['status'], 'completed');
    assert.equal((await ask('tasks/result', { taskId })).result?.structuredContent?.waitForProcessing.status, 'NONE');
  });

  it('is gone once other processing has started, or the content is deleted', async () => {
    const { contentId, end, beginAgain } = await processing(fixture);
    const { taskId } = await begin({ contentId });
    await end('COMPLETE');
    fixture.api.clock.advance(1);
    await beginAgain();
    for (const method of ['tasks/get', 'tasks/result']) {
      const { error } = await ask(method, { taskId });
      assert.deepEqual([error?.code, /other work has started/.test(error?.message ?? '')], [-32602, true], method);
    }
    const deleted = await begin({ contentId });
    await fixture.api.ok(fixture.owner, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: contentId });
    const { error } = await ask('tasks/get', { taskId: deleted.taskId });
    assert.deepEqual([error?.code, /^RESOURCE_NOT_FOUND: [\s\S]*Fix:/.test(error?.message ?? '')], [-32602, true]);
  });

  it('lives as long as requested, between a minute and a day', async () => {
    const { contentId } = await processing(fixture);
    const ttls = [undefined, 120_000, 1, -5, 10 * DAY_MS].map(
      async (ttl) => (await begin({ contentId }, ttl === undefined ? {} : { ttl })).ttl,
    );
    assert.deepEqual(await Promise.all(ttls), [DAY_MS, 120_000, 60_000, 60_000, DAY_MS]);
    const { taskId } = await begin({ contentId }, { ttl: 60_000 });
    fixture.api.clock.advance(59_999);
    assert.equal((await ask('tasks/get', { taskId })).result?.['status'], 'working');
    fixture.api.clock.advance(1);
    for (const method of ['tasks/get', 'tasks/result'])
      assert.deepEqual((await ask(method, { taskId })).error, { code: -32602, message: 'The task has expired.' });
  });

  it('belongs to its account only, and cannot be forged', async () => {
    const { contentId } = await processing(fixture);
    const { taskId } = await begin({ contentId });
    assert.notEqual(taskId, (await begin({ contentId })).taskId, 'each call has its own task');
    const stranger = await fixture.api.person('stranger');
    const forged = `${taskId.startsWith('A') ? 'B' : 'A'}${taskId.slice(1)}`;
    for (const [id, key] of [
      [taskId, stranger.key],
      [forged],
      ['786512e2-9e0d-44bd-8f29-789f320fe840'],
      [''],
      ['é'.repeat(5_000)],
    ] as const)
      for (const method of ['tasks/get', 'tasks/result'])
        assert.deepEqual((await ask(method, { taskId: id }, key ? { key } : {})).error, {
          code: -32602,
          message: 'Task not found.',
        });
    assert.equal((await ask('tasks/get', { taskId: 7 })).error?.code, -32602);
  });

  it('is not created for a refused call', async () => {
    const { contentId } = await processing(fixture);
    for (const [args, said] of [
      [{ contentId, timeout: 3 }, /^INVALID_INPUT: The tool wait_for_processing has no argument "timeout"/],
      [{ contentId, timeoutSeconds: 9_000 }, /^INVALID_INPUT: timeoutSeconds is out of range/],
      [{ contentId: 'did:reelgraph:content/feature/none' }, /^INVALID_INPUT: /],
      [{ contentId: `did:reelgraph:content/feature/${newId()}` }, /^RESOURCE_NOT_FOUND: /],
      [{}, /^GRAPHQL_VALIDATION_FAILED: [\s\S]*contentId/],
    ] as const) {
      const { error } = await call(args);
      assert.deepEqual([error?.code, said.test(error?.message ?? '')], [-32602, true], JSON.stringify([args, error]));
    }
    assert.equal((await call({ contentId }, { ttl: 'long' })).error?.code, -32602);
  });

  it('is refused with a replaced key', async () => {
    const person = await fixture.api.person('regina');
    const { key } = person;
    const contentId = await fixture.api.content(person);
    const { result } = await ask('tools/call', { name: WAITING_TOOL, arguments: { contentId }, task: {} }, { key });
    assert.ok(result?.task?.taskId);
    await fixture.api.ok(await fixture.api.signedIn(person), 'mutation { regenerateApiKey { key } }');
    const response = await fixture.post(
      { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId: result.task.taskId } },
      { authorization: `Bearer ${key}` },
    );
    assert.equal(response.status, 401);
  });

  it('can be neither listed nor cancelled, and is not offered to read-only clients', async () => {
    const { taskId } = await begin({ contentId: (await processing(fixture)).contentId });
    for (const method of ['tasks/list', 'tasks/cancel'])
      assert.equal((await ask(method, { taskId })).error?.code, -32601, method);
    const reader = await fixture.connect({ era: 'legacy', search: '?readonly=true' });
    assert.equal(reader.getServerCapabilities()?.tasks, undefined);
    const address = `${fixture.address}?readonly=true`;
    assert.equal((await ask('tasks/get', { taskId }, { address })).error?.code, -32601);
    // Without support for tasks the request is ignored.
    const plain = await ask('tools/call', { name: 'verify_connection', arguments: {}, task: {} }, { address });
    assert.match(plain.result?.content?.[0]?.text ?? '', /^authenticated: true/);
  });
});
