import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { JOURNEYS } from './journeys.ts';
import { findTests, groupTests, isFull, type TestFile, testsBelow, testsNaming, testsOfPart } from './test-files.ts';

const file = (path: string, text = ''): TestFile => ({ file: path, text });
const paths = (groups: readonly (readonly TestFile[])[]) => groups.map((group) => group.map(({ file }) => file));

describe('test files', () => {
  test('of a folder share a process, eight at most', () => {
    const tests = Array.from({ length: 10 }, (_, n) => file(`server/src/http/${n}.test.ts`));
    assert.deepEqual(
      groupTests(tests, new Map()).map((group) => group.length),
      [8, 2],
    );
  });

  test('that took long are not together, and begin first', () => {
    const tests = ['a', 'b', 'c'].map((name) => file(`server/src/media/${name}.test.ts`));
    const took = new Map([
      ['server/src/media/a.test.ts', 30_000],
      ['server/src/media/b.test.ts', 35_000],
      ['server/src/media/c.test.ts', 100],
    ]);
    assert.deepEqual(paths(groupTests(tests, took)), [
      ['server/src/media/b.test.ts'],
      ['server/src/media/c.test.ts', 'server/src/media/a.test.ts'],
    ]);
  });

  test('that say so are alone, and so are journeys with a platform of their own', () => {
    const tests = [
      file('server/src/mcp/a.test.ts'),
      file('server/src/mcp/b.test.ts', '// Runs alone: it changes the working folder.\n'),
      file('server/src/mcp/c.test.ts', 'before(async () => {\n'),
      file('e2e/kills.test.ts'),
      file('e2e/disks.test.ts'),
    ];
    assert.deepEqual(paths(groupTests(tests, new Map())).sort(), [
      ['e2e/disks.test.ts'],
      ['e2e/kills.test.ts'],
      ['server/src/mcp/a.test.ts', 'server/src/mcp/c.test.ts'],
      ['server/src/mcp/b.test.ts'],
    ]);
  });

  test('that share a platform are spread over a few processes', () => {
    const tests = ['a', 'b', 'c', 'd', 'e'].map((name) => file(`e2e/${name}.test.ts`, 'const stage = sharedStage();'));
    const took = new Map(tests.map(({ file }, n) => [file, 10_000 * (5 - n)]));
    assert.deepEqual(paths(groupTests(tests, took)), [
      ['e2e/a.test.ts'],
      ['e2e/b.test.ts', 'e2e/e.test.ts'],
      ['e2e/c.test.ts', 'e2e/d.test.ts'],
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

  test('of journeys that a table names are there', async () => {
    const known = new Set((await findTests()).map((each) => each.file));
    for (const [, ...journeys] of JOURNEYS)
      for (const name of journeys) assert.ok(known.has(`e2e/${name}.test.ts`), name);
    assert.ok([...known].some((each) => isFull({ file: each })));
  });
});
