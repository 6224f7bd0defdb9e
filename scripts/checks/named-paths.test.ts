import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wrongNames } from './named-paths.ts';

const DECISIONS = new Set(['0001', '0043']);
const PATHS = ['server/src/main.ts', 'docs/access.md', 'web/i18n'];
const wrong = (text: string, file = 'server/src/a.ts') =>
  wrongNames(file, text, DECISIONS, (path) => PATHS.includes(path));

describe('decisions', () => {
  for (const [what, text, found] of [
    ['that exist', '// As in ADR 0043, 0001 and ADR 43.\n', []],
    [
      'with an unknown number',
      '// See ADR 0999.\n',
      ['server/src/a.ts:1 names the decision 0999, which does not exist'],
    ],
    [
      'in a list over two lines',
      '/**\n * See ADR 0043,\n * 0007 and 0008.\n */\n',
      [
        'server/src/a.ts:2 names the decision 0007, which does not exist',
        'server/src/a.ts:2 names the decision 0008, which does not exist',
      ],
    ],
    ['in a string', "const about = 'ADR 0999';\n", ['server/src/a.ts:1 names the decision 0999, which does not exist']],
    ['as a placeholder', '// ADR NNNN\n', []],
  ] as const)
    test(`${what} are ${found.length === 0 ? 'fine' : 'reported'}`, () => assert.deepEqual(wrong(text), found));
});

describe('paths', () => {
  for (const [what, text, found] of [
    ['a file or a folder', '// See server/src/main.ts, web/i18n/ and docs/access.md#who.\n', 0],
    ['a line of a file', '// server/src/main.ts:12\n', 0],
    ['a file that is gone', '// See server/src/other.ts.\n', 1],
    ['two that are gone in a block', '/*\n * web/a.ts\n * `cli/b.ts`\n */\n', 2],
    ['a pattern', '// server/**/*.ts, server/src/domains/… and scripts/{gen,checks}/a.ts\n', 0],
    ['a placeholder', '// docs/decisions/NNNN-words.md, server/src/<name>.ts\n', 0],
    ['what a build makes', '// web/dist/index.html\n', 0],
    ['a relative name', '// image-plan.ts, ../server/src/other.ts, @reelgraph/client/none\n', 0],
    ['an address', '// https://example.com/docs/none\n', 0],
    ['code', "import './server/none.ts';\nconst path = 'server/none.ts'; // main.ts\n", 0],
    ['a text that looks like a comment', "const text = '// server/none.ts';\n", 0],
  ] as const)
    test(`${what}: ${found} problems`, () => assert.equal(wrong(text).length, found));

  test('in Markdown are those in backticks', () => {
    assert.deepEqual(
      wrong('clients/server apart.\n\n`server/none.ts` and `npm test -- docs/access.md`\n', 'docs/a.md'),
      ['docs/a.md:3 names server/none.ts, which does not exist'],
    );
  });

  test('in SQL are those of comments', () => {
    assert.deepEqual(
      wrong("select 'server/none.ts';\n-- see server/none.sql\n", 'server/migrations/repeatable/a.sql'),
      ['server/migrations/repeatable/a.sql:2 names server/none.sql, which does not exist'],
    );
  });
});
