import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { longLines } from './line-length.ts';

const words = (columns: number): string => 'word '.repeat(columns / 5 + 1).slice(0, columns);

describe('lines of code', () => {
  test('of 120 columns are fine, whatever they contain; longer ones are reported with their place', () => {
    const text = [
      words(120),
      `// ${words(118)}`,
      '',
      `const text = '${words(110)}';`,
      'ä'.repeat(20).padEnd(120, ' ä'),
    ].join('\n');
    assert.deepEqual(longLines('server/src/main.ts', text), [
      'server/src/main.ts:2 has 121 columns, 120 at most',
      'server/src/main.ts:4 has 126 columns, 120 at most',
    ]);
  });

  for (const [what, line] of [
    ['a regular expression', `  /^(${words(130)})$/,`],
    ['the title of a test', `  it('${words(120)}', async () => {`],
    ['a word that is long itself', `  '${words(100)} ${'x'.repeat(60)}',`],
  ] as const)
    test(`may be longer for ${what}`, () => assert.deepEqual(longLines('a.ts', line), []));

  test('may not be longer for what looks like one of these: a comment, a test called otherwise', () => {
    assert.equal(longLines('a.ts', `  // ${words(130)}`).length, 1);
    assert.equal(longLines('a.ts', `  /* ${words(130)} */`).length, 1);
    assert.equal(longLines('a.ts', `  expect('${words(130)}');`).length, 1);
  });
});
