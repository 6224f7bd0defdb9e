import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readArguments, UsageError } from './arguments.ts';

describe('arguments of npm test', () => {
  test('without any, everything runs', () => {
    const { parts, paths, changed, full } = readArguments([]);
    assert.deepEqual([[...parts], paths, changed, full], [['static', 'unit', 'e2e'], [], null, false]);
  });

  test('parts, files and folders are combined', () => {
    const { parts, paths } = readArguments([
      'static',
      'scripts/test-runner/',
      './scripts/test-runner/arguments.test.ts',
    ]);
    assert.deepEqual(
      [[...parts], paths],
      [['static'], ['scripts/test-runner', 'scripts/test-runner/arguments.test.ts']],
    );
  });

  test('a name alone selects from all tests, without the static checks', () => {
    const { parts, name } = readArguments(['-t', 'signs up']);
    assert.deepEqual([[...parts], name], [['unit', 'e2e'], 'signs up']);
  });

  test('a change is compared with a revision or with the branch point', () => {
    assert.deepEqual(readArguments(['changed']).changed, { since: null });
    assert.deepEqual(readArguments(['changed', '--since', 'HEAD~2']).changed, { since: 'HEAD~2' });
    assert.deepEqual([...readArguments(['changed']).parts], []);
  });

  for (const [words, complaint] of [
    [['unti'], /^unti is neither a part of the checks nor a file or folder/],
    [['server/src/nowhere.test.ts'], /nowhere\.test\.ts is neither/],
    [['--fast'], /^--fast is neither/],
    [['-t'], /^-t needs a value/],
    [['--since', 'HEAD'], /^--since belongs to changed/],
    [['changed', 'unit'], /^changed chooses by itself/],
  ] as const) {
    test(`${words.join(' ')} is refused with a message and the usage`, () => {
      assert.throws(
        () => readArguments(words),
        (error) =>
          error instanceof UsageError && complaint.test(error.message) && error.message.includes('Usage: npm test'),
      );
    });
  }
});
