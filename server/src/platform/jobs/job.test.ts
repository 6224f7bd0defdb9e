import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../kernel/errors.ts';
import { decideAfterFailure } from './job.ts';

describe('result of a failed attempt', () => {
  const cases = [
    {
      name: 'an unknown error is retried',
      error: new Error('x'),
      failures: 0,
      expect: { kind: 'again', afterSeconds: 2, counted: true },
    },
    {
      name: 'pauses double',
      error: new Error('x'),
      failures: 3,
      expect: { kind: 'again', afterSeconds: 16, counted: true },
    },
    {
      name: 'pauses are at most five minutes',
      error: new Error('x'),
      failures: 9,
      expect: { kind: 'again', afterSeconds: 300, counted: true },
    },
    {
      name: 'an unavailable part is tried again',
      error: new AppError('SERVICE_UNAVAILABLE'),
      failures: 1,
      expect: { kind: 'again', afterSeconds: 4, counted: true },
    },
  ];
  for (const { name, error, failures, expect } of cases) {
    it(name, () => assert.deepEqual(decideAfterFailure(error, failures, 10), expect));
  }

  it('a full disk of the database, which the queue itself may report, is waited for', () => {
    const error = new Error('x', { cause: Object.assign(new Error('could not extend file'), { code: '53100' }) });
    assert.deepEqual(decideAfterFailure(error, 10, 10), { kind: 'again', afterSeconds: 60, counted: false });
  });

  it('an invalid file is not retried', () => {
    const error = new AppError('TRANSCODE_FAILED', 'no video');
    assert.deepEqual(decideAfterFailure(error, 0, 10), { kind: 'give-up', reason: error });
  });

  it('the limit ends a permanent failure, without revealing its message', () => {
    const decision = decideAfterFailure(new Error('connect ECONNREFUSED 10.0.0.1'), 10, 10);
    assert.equal(decision.kind, 'give-up');
    assert.equal(decision.kind === 'give-up' && decision.reason.code, 'INTERNAL_SERVER_ERROR');
    assert.doesNotMatch(decision.kind === 'give-up' ? decision.reason.message : '', /10\.0\.0\.1/);
  });
});
