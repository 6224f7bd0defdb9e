import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readChanges, readNew } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { METADATA_FIELDS } from '../../channels/index.ts';
import { MAX_RELEASE_AHEAD_MS, readRelease } from './content-input.ts';

function failure(work: () => unknown): [string, string | undefined, string] {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.field, error.suggestedFix];
    throw error;
  }
  throw new assert.AssertionError({ message: 'nothing was refused' });
}

describe('content input', () => {
  it('refuses a title of 10,000 characters and names the limit', () => {
    const [code, field, fix] = failure(() => readNew(METADATA_FIELDS, { title: 'x'.repeat(10_000) }));
    assert.deepEqual([code, field], ['INVALID_INPUT', 'input.title']);
    assert.match(fix, /200/);
  });

  it('requires a title for new content only', () => {
    assert.deepEqual(failure(() => readNew(METADATA_FIELDS, { summary: 's' })).slice(0, 2), [
      'FIELD_REQUIRED',
      'input.title',
    ]);
    assert.deepEqual(readChanges(METADATA_FIELDS, { summary: 's' }), { summary: 's' });
  });

  it('limits summaries, each with its own field', () => {
    assert.deepEqual(failure(() => readChanges(METADATA_FIELDS, { summary: 'x'.repeat(5001) })).slice(0, 2), [
      'INVALID_INPUT',
      'input.summary',
    ]);
    assert.deepEqual(failure(() => readChanges(METADATA_FIELDS, { shortSummary: 'x'.repeat(301) })).slice(0, 2), [
      'INVALID_INPUT',
      'input.shortSummary',
    ]);
  });
});

describe('release dates', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  it('publishes immediately without a date, or with a past one', () => {
    assert.deepEqual(readRelease(undefined, now, 'releaseDate'), { releaseAt: null, inFuture: false });
    assert.deepEqual(readRelease(now - 1000, now, 'releaseDate'), {
      releaseAt: '2026-11-20T11:59:59.000Z',
      inFuture: false,
    });
  });
  it('schedules a future date', () => {
    assert.deepEqual(readRelease(now + 1000, now, 'releaseDate'), {
      releaseAt: '2026-11-20T12:00:01.000Z',
      inFuture: true,
    });
  });
  it('refuses dates more than five years ahead', () => {
    assert.deepEqual(failure(() => readRelease(now + MAX_RELEASE_AHEAD_MS + 1, now, 'input.releaseDate')).slice(0, 2), [
      'INVALID_INPUT',
      'input.releaseDate',
    ]);
    assert.deepEqual(failure(() => readRelease(-1, now, 'input.releaseDate')).slice(0, 2), [
      'INVALID_INPUT',
      'input.releaseDate',
    ]);
  });
});
