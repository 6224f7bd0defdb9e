import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { AppError, StorageFullError } from '../kernel/errors.ts';
import { createLogger, type Logger } from './log.ts';

interface Line {
  readonly msg: string;
  readonly level: string;
  readonly repeated?: number;
  readonly job?: string;
}

describe('log lines about full storage', () => {
  let lines: Line[];
  let log: Logger;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    lines = [];
    log = createLogger({ level: 'info', destination: { write: (text) => void lines.push(JSON.parse(text) as Line) } });
  });
  afterEach(() => mock.timers.reset());

  it('are written once and then counted, with a summary each minute', () => {
    for (let index = 0; index < 184; index += 1)
      log.warn({ error: new StorageFullError(), job: `job ${index}` }, 'job waits');
    assert.deepEqual(
      lines.map(({ msg, job, repeated }) => [msg, job, repeated]),
      [['job waits', 'job 0', undefined]],
    );
    mock.timers.tick(60_000);
    assert.deepEqual(
      lines.slice(1).map(({ msg, level, job, repeated }) => [msg, level, job, repeated]),
      [['job waits', 'warn', 'job 183', 183]],
    );
    log.warn({ error: new StorageFullError() }, 'job waits');
    assert.equal(lines.length, 3, 'the next minute begins with a line');
    mock.timers.tick(60_000);
    assert.equal(lines.length, 3, 'nothing was repeated');
  });

  it('are distinguished by text, also in child loggers, and found in causes', () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const child = log.child({ part: 'a' });
    for (const logger of [log, child]) {
      logger.warn({ error: new Error('failed', { cause: full }) }, 'not stored');
      logger.error({ err: new StorageFullError() }, 'request failed');
    }
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ['not stored', 'request failed'],
    );
  });

  it('are found in plain objects, as the job queue reports its errors', () => {
    const error = { code: '53100', message: 'could not extend file', stack: 'error: …', queue: 'send-mail' };
    for (let index = 0; index < 400; index += 1) {
      log.error({ error }, 'job queue error');
      log.warn({ data: { message: 'could not write to file: No space left on device' } }, 'warning');
      log.warn({ error: { message: 'failed', cause: error } }, 'with a cause');
    }
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ['job queue error', 'warning', 'with a cause'],
    );
    mock.timers.tick(60_000);
    assert.deepEqual(
      lines.slice(3).map(({ msg, repeated }) => [msg, repeated]),
      [
        ['job queue error', 399],
        ['warning', 399],
        ['with a cause', 399],
      ],
    );
  });

  it('do not affect other lines', () => {
    for (let index = 0; index < 3; index += 1) {
      log.warn({ error: new AppError('SERVICE_UNAVAILABLE') }, 'request failed');
      log.info('started');
    }
    assert.equal(lines.length, 6);
  });
});
