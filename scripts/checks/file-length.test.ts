import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { longFile } from './file-length.ts';

describe('files of code', () => {
  test('of 400 lines are fine, with or without a line break at the end', () => {
    assert.equal(longFile('a.ts', 'line\n'.repeat(400)), null);
    assert.equal(longFile('a.ts', `${'line\n'.repeat(399)}line`), null);
    assert.equal(longFile('a.ts', ''), null);
  });

  test('of more lines are reported, blank ones included', () => {
    const expected = 'server/src/main.ts has 401 lines, 400 at most';
    assert.equal(longFile('server/src/main.ts', `${'line\n'.repeat(400)}line`), expected);
    assert.equal(longFile('server/src/main.ts', '\n'.repeat(401)), expected);
  });
});
