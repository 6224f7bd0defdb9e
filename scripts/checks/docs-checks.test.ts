import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decisionProblems, lineProblems, linkProblems } from './docs-checks.ts';

const FIRST = '# 1. Planned reads\n\n**Status.** Accepted, 2026-11-20. **Module.** gql, sql-planner.\n';
const SECOND =
  '# 4. Keys\n\n**Status.** Superseded by [0001](0001-planned-reads.md), 2026-11-21. **Module.** accounts.\n';
const MODULES = ['server/src/gql', 'packages/sql-planner', 'server/src/domains/accounts'];

function decisions(second: string, name = '0004-keys.md'): string[] {
  return decisionProblems(
    new Map([
      ['docs/decisions/README.md', '# Decisions\n'],
      ['docs/decisions/0001-planned-reads.md', FIRST],
      [`docs/decisions/${name}`, second],
    ]),
    (path) => MODULES.includes(path),
  );
}

describe('decisions', () => {
  test('with a status, modules, a title and numbers of their own are fine', () => {
    assert.deepEqual(decisions(SECOND), []);
    assert.deepEqual(decisions(SECOND.replace('accounts', 'repository')), []);
  });

  for (const [what, second, name, expected] of [
    [
      'no status',
      '# 4. Keys\n\nBecause.\n',
      '0004-keys.md',
      'docs/decisions/0004-keys.md: add a line "**Status.** Accepted',
    ],
    [
      'a status that is neither',
      '# 4. Keys\n\n**Status.** Proposed, 2026-11-20. **Module.** gql.\n',
      '0004-keys.md',
      'docs/decisions/0004-keys.md: add a line',
    ],
    [
      'no module',
      SECOND.replace(' **Module.** accounts.', ''),
      '0004-keys.md',
      'docs/decisions/0004-keys.md: add a line',
    ],
    [
      'text after the module',
      SECOND.replace('accounts.', 'accounts. Complements 0001.'),
      '0004-keys.md',
      'docs/decisions/0004-keys.md: add a line',
    ],
    [
      'a module that does not exist',
      SECOND.replace('accounts', 'gql, payments'),
      '0004-keys.md',
      'docs/decisions/0004-keys.md: there is no module payments',
    ],
    [
      'one number twice',
      SECOND.replace('4.', '1.'),
      '0001-two.md',
      'docs/decisions/0001-two.md: the number 0001 is that of another one',
    ],
    [
      'a title with another number',
      SECOND.replace('4.', '7.'),
      '0004-keys.md',
      'docs/decisions/0004-keys.md: begin with the title "# 4. …"',
    ],
    [
      'a successor that does not exist',
      SECOND.replaceAll('0001', '0009'),
      '0004-keys.md',
      'docs/decisions/0004-keys.md: superseded by 0009',
    ],
    ['a name without a number', SECOND, 'keys.md', 'docs/decisions/keys.md: name it NNNN-some-words.md'],
  ] as const) {
    test(`are reported with ${what}`, () => {
      const errors = decisions(second, name);
      assert.equal(errors.length, 1, errors.join('\n'));
      assert.ok(errors[0]?.startsWith(expected), errors[0]);
    });
  }
});

describe('links', () => {
  const files = (text: string) =>
    new Map([
      ['docs/a.md', text],
      ['docs/b.md', '# B\n\n## How `a` works\n'],
    ]);
  const exists = (path: string) => ['docs/a.md', 'docs/b.md', 'docs', 'schema.graphql'].includes(path);

  test('to files, folders, headings, other sites and pages of the server are fine', () => {
    const text =
      '# A\n\n[b](b.md) [part](b.md#how-a-works) [own](#a) [up](../schema.graphql) [site](https://example.com/x) ' +
      '[page](/docs/errors)\n';
    assert.deepEqual(linkProblems(files(text), exists), []);
  });

  test('in code are not links', () => {
    assert.deepEqual(linkProblems(files('`[x](none.md)`\n\n```md\n[x](none.md)\n```\n'), exists), []);
  });

  test('to a file or a heading that does not exist are reported', () => {
    assert.deepEqual(linkProblems(files('[b](c.md)\n[part](b.md#nothing)\n'), exists), [
      'docs/a.md: links to c.md, which does not exist',
      'docs/a.md: links to b.md#nothing, a heading that does not exist',
    ]);
  });
});

describe('lines', () => {
  const words = (columns: number) => 'a'.repeat(columns);

  test('of 120 columns, rows of tables and addresses are fine', () => {
    const text = [
      words(120),
      `| ${words(200)} |`,
      `See https://example.com/${words(200)}`,
      `[text](other.md#${words(150)})`,
    ].join('\n');
    assert.deepEqual(lineProblems(new Map([['README.md', text]])), []);
  });

  test('of 121 columns are reported, in code too', () => {
    const text = ['# Title', words(121), '```sh', words(130), '```'].join('\n');
    assert.deepEqual(lineProblems(new Map([['README.md', text]])), [
      'README.md:2 has 121 columns, 120 at most',
      'README.md:4 has 130 columns, 120 at most',
    ]);
  });
});
