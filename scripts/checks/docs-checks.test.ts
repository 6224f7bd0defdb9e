import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decisionProblems, lineProblems, linkProblems } from './docs-checks.ts';

const FIRST = '# 1. Planned reads\n\n**Status.** Accepted, 2026-11-20.\n';
const SECOND = '# 2. Keys\n\n**Status.** Superseded by [0001](0001-planned-reads.md).\n';

function decisions(second: string, name = '0002-keys.md'): string[] {
  return decisionProblems(
    new Map([
      ['docs/decisions/0001-planned-reads.md', FIRST],
      [`docs/decisions/${name}`, second],
    ]),
  );
}

describe('decisions', () => {
  test('with a status, a title and numbers without gaps are fine', () => {
    assert.deepEqual(decisions(SECOND), []);
  });

  for (const [what, second, name, expected] of [
    [
      'no status',
      '# 2. Keys\n\nBecause.\n',
      '0002-keys.md',
      'docs/decisions/0002-keys.md: add a line "**Status.** Accepted',
    ],
    [
      'a status that is neither',
      '# 2. Keys\n\n**Status.** Proposed.\n',
      '0002-keys.md',
      'docs/decisions/0002-keys.md: add a line',
    ],
    [
      'a gap in the numbers',
      SECOND.replace('2.', '3.'),
      '0003-keys.md',
      'docs/decisions/0003-keys.md: the next number without a gap is 0002',
    ],
    [
      'one number twice',
      SECOND.replace('2.', '1.'),
      '0001-two.md',
      'docs/decisions/0001-two.md: the next number without a gap is 0002',
    ],
    [
      'a title with another number',
      SECOND.replace('2.', '7.'),
      '0002-keys.md',
      'docs/decisions/0002-keys.md: begin with the title "# 2. …"',
    ],
    [
      'a successor that does not exist',
      SECOND.replace('[0001]', '[0009]'),
      '0002-keys.md',
      'docs/decisions/0002-keys.md: superseded by 0009',
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
