import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../kernel/errors.ts';
import { withReconnect } from './with-reconnect.ts';

const errorOf = (code: string, message = 'an error') => Object.assign(new Error(message), { code });

describe('a step of the startup', () => {
  /** Runs a step that fails with each of the errors, then succeeds; returns how often it ran. */
  async function runs(errors: readonly Error[], patienceMs?: number): Promise<{ runs: number; warnings: number }> {
    const counts = { runs: 0, warnings: 0 };
    const log = {
      warn: () => {
        counts.warnings += 1;
      },
    };
    const step = async () => {
      const error = errors[counts.runs];
      counts.runs += 1;
      if (error) throw error;
      return 'done';
    };
    assert.equal(
      await withReconnect(step, { log, step: 'test', ...(patienceMs === undefined ? {} : { patienceMs }) }),
      'done',
    );
    return counts;
  }

  it('runs once when nothing fails', async () => {
    assert.deepEqual(await runs([]), { runs: 1, warnings: 0 });
  });

  it('is retried while the database is unavailable, which is logged once', async () => {
    const away = [
      errorOf('ECONNREFUSED'),
      errorOf('57P03', 'the database system is starting up'),
      new Error('Connection terminated unexpectedly'),
      new AppError('SERVICE_UNAVAILABLE', 'The database is not reachable.'),
      new Error('Migration 0001 failed', { cause: errorOf('57P02') }),
    ];
    assert.deepEqual(await runs(away), { runs: 6, warnings: 1 });
  });

  it('is not retried for other errors', async () => {
    for (const error of [errorOf('42P01', 'no such table'), new Error('edited'), new AppError('INVALID_INPUT', 'no')])
      await assert.rejects(runs([error]), error);
  });

  it('fails with the last error when its time has passed', async () => {
    const refused = errorOf('ECONNREFUSED');
    await assert.rejects(runs([refused], -1), refused);
  });
});
