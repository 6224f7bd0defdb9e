import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AgentFixture, openAgentFixture } from '../testing.ts';
import { DAY_MS, processing, type Sending, send, WAITING_TOOL, waitsMeanwhile } from './tasks.fixture.ts';

const EXTENSION = 'io.modelcontextprotocol/tasks';

let fixture: AgentFixture;
before(async () => {
  fixture = await openAgentFixture();
});
after(() => fixture?.close());

describe('a task of 2026-07-28', () => {
  const capabilities = { extensions: { [EXTENSION]: {} } };
  /** Hand-written, because the official client does not support tasks in tools/call yet. */
  const ask = (method: string, params: Record<string, unknown>, declared: object = capabilities, sending?: Sending) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test-agent', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': declared,
    };
    const name = String(params['name'] ?? params['taskId']);
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': name };
    return send(fixture, { method, params: { ...params, _meta }, headers }, sending);
  };
  const call = (args: object, declared?: object) =>
    ask('tools/call', { name: WAITING_TOOL, arguments: args }, declared);
  const begin = async (args: object) => {
    const { result } = await call(args);
    assert.equal(result?.['resultType'], 'task', JSON.stringify(result));
    return String(result['taskId']);
  };

  it('replaces a waiting call for a client that declares the extension', async () => {
    const client = await fixture.connect({ capabilities });
    assert.deepEqual(client.getServerCapabilities()?.extensions?.[EXTENSION], {});
    const { contentId, end } = await processing(fixture);
    const { result } = await call({ contentId });
    const { status, statusMessage, ttlMs, pollIntervalMs } = result ?? {};
    assert.deepEqual([status, statusMessage, ttlMs, pollIntervalMs], ['working', 'TRANSCODING, 40 %', DAY_MS, 5_000]);
    const taskId = String(result?.['taskId']);
    assert.equal((await ask('tasks/get', { taskId })).result?.['status'], 'working');
    await end('COMPLETE');
    const { result: ended } = await ask('tasks/get', { taskId }, capabilities, {
      address: await fixture.anotherInstance(),
    });
    assert.deepEqual([ended?.['resultType'], ended?.['status']], ['complete', 'completed']);
    const { content, structuredContent } = await client.callTool({ name: WAITING_TOOL, arguments: { contentId } });
    assert.deepEqual(ended?.['result'], { resultType: 'complete', content, structuredContent });
  });

  it('does not replace calls that only poll, have nothing to wait for, are refused, or come from clients without tasks', async () => {
    const { contentId, end } = await processing(fixture);
    const looked = await call({ contentId, timeoutSeconds: 0 });
    assert.equal(looked.result?.structuredContent?.waitForProcessing.status, 'TRANSCODING');
    const waiting = call({ contentId }, {});
    assert.equal(await Promise.race([waiting, waitsMeanwhile(fixture)]), 'waits');
    await end('CANCELLED');
    for (const { result } of [await waiting, await call({ contentId })])
      assert.equal(result?.structuredContent?.waitForProcessing.status, 'CANCELLED');
    assert.equal((await call({ contentId: 'none' })).result?.['isError'], true);
  });

  it('can be cancelled, without stopping the work', async () => {
    const { contentId, end } = await processing(fixture);
    const taskId = await begin({ contentId });
    for (const method of ['tasks/cancel', 'tasks/update']) {
      const { result } = await ask(method, { taskId, inputResponses: {} });
      assert.equal(result?.['resultType'], 'complete', method);
    }
    await end('COMPLETE');
    assert.equal((await ask('tasks/get', { taskId })).result?.['status'], 'completed');
  });

  it('is returned to its own account and to clients that declare the extension', async () => {
    const taskId = await begin({ contentId: (await processing(fixture)).contentId });
    const { key } = await fixture.api.person('other');
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const foreign = await ask(method, { taskId, inputResponses: {} }, capabilities, { key });
      assert.deepEqual(foreign.error, { code: -32602, message: 'Task not found.' }, method);
      const { error } = await ask(method, { taskId, inputResponses: {} }, {});
      assert.deepEqual([error?.code, error?.data], [-32021, { requiredCapabilities: capabilities }], method);
    }
    for (const method of ['tasks/list', 'tasks/result'])
      assert.equal((await ask(method, { taskId })).error?.code, -32601, method);
  });
});
