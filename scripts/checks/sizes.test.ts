import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fullFolders, longFile } from './sizes.ts';

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

describe('folders', () => {
  const files = (folder: string, count: number) => Array.from({ length: count }, (_, index) => `${folder}/${index}.ts`);

  test('of 30 files are fine, those below them are not counted', () => {
    assert.deepEqual(fullFolders([...files('server/src', 30), ...files('server/src/docs', 30)]), []);
  });

  test('of more files are reported', () => {
    assert.deepEqual(fullFolders([...files('server/src', 31), ...files('cli', 3), ...files('cli/src', 40)]), [
      'cli/src has 40 files, 30 at most',
      'server/src has 31 files, 30 at most',
    ]);
  });
});
