import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { readVideoSource } from './video-source.ts';

describe('the source of a video', () => {
  it('is an address or a file', () => {
    assert.deepEqual(readVideoSource({ sourceUrl: ' https://example.com/a.mp4 ' }), {
      kind: 'url',
      url: 'https://example.com/a.mp4',
    });
    assert.deepEqual(readVideoSource({ filename: 'a.mp4', size: 5, sourceUrl: null }), {
      kind: 'upload',
      filename: 'a.mp4',
      sizeBytes: 5,
    });
  });

  const refusals: [string, Parameters<typeof readVideoSource>[0], string, string][] = [
    ['both', { sourceUrl: 'https://example.com', filename: 'a.mp4', size: 1 }, 'INVALID_INPUT', 'input.sourceUrl'],
    ['neither', {}, 'FIELD_REQUIRED', 'input.sourceUrl'],
    ['a file without size', { filename: 'a.mp4' }, 'FIELD_REQUIRED', 'input.size'],
    ['a size without file', { size: 1 }, 'FIELD_REQUIRED', 'input.filename'],
  ];
  for (const [name, given, code, field] of refusals) {
    it(`is not ${name}`, () => {
      assert.throws(
        () => readVideoSource(given),
        (error) => error instanceof AppError && error.code === code && error.field === field,
      );
    });
  }
});
