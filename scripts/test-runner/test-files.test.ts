import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { JOURNEYS } from './journeys.ts';
import { findTests, groupTests, isFull, type TestFile, testsBelow, testsNaming, testsOfPart } from './test-files.ts';

const file = (path: string, text = ''): TestFile => ({ file: path, text });
const paths = (groups: readonly (readonly TestFile[])[]) => groups.map((group) => group.map(({ file }) => file));

describe('test files', () => {
  test('share as few processes as keep all places busy, shorter ones at the end', () => {
    const tests = [70, 50, 40, 20, 10].map((seconds) => file(`server/src/${seconds}.test.ts`));
    const took = new Map(tests.map(({ file }, n) => [file, [70_000, 50_000, 40_000, 20_000, 10_000][n] ?? 0]));
    assert.deepEqual(paths(groupTests(tests, took, 2)), [
      ['server/src/70.test.ts', 'server/src/10.test.ts'],
      ['server/src/20.test.ts', 'server/src/50.test.ts'],
      ['server/src/40.test.ts'],
    ]);
    assert.equal(groupTests(tests, took, 4).length, 4);
    assert.equal(groupTests(tests.slice(0, 2), took, 4).length, 2);
    assert.equal(groupTests(tests, new Map(tests.map(({ file }) => [file, 300_000])), 1).length, 3);
  });

  test('that say so run alone, and so do journeys with their own platform', () => {
    const tests = [
      file('server/src/mcp/a.test.ts'),
      file('server/src/mcp/b.test.ts', '// Runs alone: it changes the working folder.\n'),
      file('web/src/c.test.ts', 'before(async () => {\n'),
      file('e2e/kills.test.ts'),
      file('e2e/disks.test.ts'),
    ];
    assert.deepEqual(paths(groupTests(tests, new Map(), 1)).sort(), [
      ['e2e/disks.test.ts'],
      ['e2e/kills.test.ts'],
      ['server/src/mcp/b.test.ts'],
      ['web/src/c.test.ts', 'server/src/mcp/a.test.ts'],
    ]);
  });

  test('that share a platform are spread over a few processes', () => {
    const tests = ['a', 'b', 'c', 'd', 'e'].map((name) => file(`e2e/${name}.test.ts`, 'const stage = sharedStage();'));
    const took = new Map(tests.map(({ file }, n) => [file, 10_000 * (5 - n)]));
    assert.deepEqual(paths(groupTests(tests, took, 4)), [
      ['e2e/a.test.ts', 'e2e/d.test.ts', 'e2e/e.test.ts'],
      ['e2e/b.test.ts', 'e2e/c.test.ts'],
    ]);
  });

  test('are chosen by part, by folder and by a name in their text', () => {
    const tests = [file('server/src/a.test.ts', `it('signs in')`), file('server/b.test.ts'), file('e2e/c.test.ts')];
    const names = (found: readonly TestFile[]) => found.map((each) => each.file);
    assert.deepEqual(names(testsOfPart(tests, 'e2e')), ['e2e/c.test.ts']);
    assert.deepEqual(names(testsBelow(tests, 'server')), ['server/src/a.test.ts', 'server/b.test.ts']);
    assert.deepEqual(names(testsBelow(tests, 'serv')), []);
    assert.deepEqual(names(testsNaming(tests, 'signs in')), ['server/src/a.test.ts']);
    assert.equal(testsNaming(tests, 'is in no text').length, 3);
  });

  test('in the table of journeys exist', async () => {
    const known = new Set((await findTests()).map((each) => each.file));
    for (const [, ...journeys] of JOURNEYS)
      for (const name of journeys) assert.ok(known.has(`e2e/${name}.test.ts`), name);
    assert.ok([...known].some((each) => isFull({ file: each })));
  });
});
