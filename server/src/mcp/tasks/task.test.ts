import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ERROR_CATALOGUE, type ErrorCode } from '../../kernel/errors.ts';
import type { Work } from '../registry/tool.ts';
import { failedResult } from '../registry/tool-result.ts';
import type { Caller } from '../session/caller.ts';
import { lookAt, resultOf, type Task } from './task.ts';

const WORK: Work = { id: 'job', isOver: false, message: 'TRANSCODING, 40 %', changedAt: null };

/** A task whose work has these states on consecutive polls. */
function taskOf(...looks: readonly (Work | CallToolResult)[]): Task & { waits: number } {
  const left = [...looks];
  const task = {
    waits: 0,
    id: 'task',
    claims: { account: 'olivia', tool: 'wait', arguments: {}, work: 'job', createdMs: 0, ttlMs: 1 },
    waiting: {
      isLong: () => true,
      look: async () => left.shift() ?? assert.fail('one look too many'),
      wait: async () => ({ content: [{ type: 'text' as const, text: `answer ${++task.waits}` }] }),
    },
    call: { caller: {} as Caller, arguments: {}, report: () => {} }, // the caller is not read
  };
  return task;
}

describe('result of a task', () => {
  it('is read again after the wait, so that it is the final one', async () => {
    const { content } = await resultOf(taskOf(WORK, { ...WORK, isOver: true }));
    assert.deepEqual(content, [{ type: 'text', text: 'answer 2' }]);
  });

  it('is missing after the maximum wait of a request: the client is asked to retry', async () => {
    await assert.rejects(resultOf(taskOf(WORK, WORK)), {
      code: -32603,
      message: 'The task is still running (TRANSCODING, 40 %). Poll again.',
    });
  });
});

describe('polling a task', () => {
  const refused = (code: ErrorCode) =>
    failedResult([{ message: 'No.', extensions: { code, retryable: ERROR_CATALOGUE[code].retryable } }]);

  it('distinguishes transient from permanent errors', async () => {
    await assert.rejects(lookAt(taskOf(refused('RATE_LIMIT_EXCEEDED'))), {
      code: -32603,
      message: 'RATE_LIMIT_EXCEEDED: No.',
    });
    await assert.rejects(lookAt(taskOf(refused('RESOURCE_NOT_FOUND'))), {
      code: -32602,
      message: 'RESOURCE_NOT_FOUND: No.',
    });
  });

  it('returns gone once other work has replaced its own', async () => {
    await assert.rejects(lookAt(taskOf({ ...WORK, id: 'other' })), { code: -32602, message: /^The task is gone/ });
    await assert.rejects(lookAt(taskOf({ ...WORK, id: null })), { code: -32602 });
  });
});
