import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

const FILES = {
  'good.test.mjs': `import { test } from 'node:test'; test('passes', () => {});`,
  'failing.test.mjs':
    `import { describe, test } from 'node:test'; describe('some', () ` +
    `=> { test('fails', () => { throw new Error('planted'); }); });`,
  'broken.test.mjs': `import { test } from 'node:test'; import './nowhere.mjs'; test('never runs', () => {});`,
  'hook.test.mjs':
    `import { before, test } from 'node:test'; before(() => { throw ` +
    `new Error('planted'); }); test('needs the hook', () => {});`,
  'table.test.mjs': `import { test } from 'node:test'; for (const row of [1, 2, 3]) test('row ' + row, () => {});`,
  'open.test.mjs': `import { test } from 'node:test'; test('passes', () => void setInterval(() => {}, 1000));`,
  'shared.mjs': 'await new Promise((resolve) => void setTimeout(resolve, 20));',
  'waiting.test.mjs':
    `import { describe, test } from 'node:test'; import './shared.mjs'; await 0; ` +
    `describe('one', () => { test('waits', () => new Promise((resolve) => void setTimeout(resolve, 5))); });`,
  'too.test.mjs':
    `import { describe, test } from 'node:test'; import './shared.mjs'; ` +
    'await new Promise((resolve) => void setTimeout(resolve, 50)); ' +
    `describe('other', () => { test('waits too', () => new Promise((resolve) => void setTimeout(resolve, 5))); });`,
  'skipped.test.mjs': `import { test } from 'node:test'; test.skip('is skipped', () => {});`,
} as const;
type Name = keyof typeof FILES;

describe('a run of tests', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-runner-'));
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Counts of a run. In a separate process: Node runs no nested tests. */
  async function counted(
    names: readonly Name[],
    pattern?: string,
  ): Promise<{ passed: number; failed: number; behaviours: number; files: string[] }> {
    const maxExitMs = names.includes('open.test.mjs') ? 100 : 30_000;
    const program = `
      import { runTests } from ${JSON.stringify(join(import.meta.dirname, 'run-tests.ts'))};
      import { writeGroups } from ${JSON.stringify(join(import.meta.dirname, 'test-files.ts'))};
      const group = ${JSON.stringify(names.map((name) => ({ file: join(folder, name), text: '' })))};
      const groups = await writeGroups([group], ${JSON.stringify(folder)}, ${maxExitMs});
      const { took, ...counts } = await runTests(groups, 1, { name: ${JSON.stringify(pattern ?? null)} });
      console.log('\\n' + JSON.stringify({ ...counts, files: [...took.keys()] }));`;
    const main = join(folder, 'main.mjs');
    await writeFile(main, program);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, [main], { env });
    const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    return { ...result, files: result.files.map((file: string) => file.slice(folder.length + 1)) };
  }

  for (const [what, names, expected] of [
    ['counts what passes', ['good.test.mjs'], { passed: 1, failed: 0, behaviours: 1 }],
    ['fails with a test that fails, which counts once', ['failing.test.mjs'], { passed: 0, failed: 1, behaviours: 1 }],
    [
      'fails with a file that does not load, and runs those beside it',
      ['broken.test.mjs', 'good.test.mjs'],
      { passed: 1, failed: 1, behaviours: 1 },
    ],
    [
      'counts the rows of a table as tests and their statement as one behaviour',
      ['table.test.mjs'],
      { passed: 3, failed: 0, behaviours: 1 },
    ],
    [
      'has tests in the suites of their files, also of files that wait for the same module',
      ['waiting.test.mjs', 'too.test.mjs'],
      { passed: 2, failed: 0, behaviours: 2 },
    ],
    ['counts nothing that is skipped', ['skipped.test.mjs', 'good.test.mjs'], { passed: 1, failed: 0, behaviours: 1 }],
  ] as const) {
    test(what, async () => {
      assert.deepEqual(await counted(names), { ...expected, files: [...names] });
    });
  }

  test('fails with a hook that fails, and spares the file beside it', async () => {
    const { passed, failed } = await counted(['hook.test.mjs', 'good.test.mjs']);
    assert.equal(passed, 1);
    assert.ok(failed > 0);
  });

  test('fails with a process that something keeps open after its tests', async () => {
    const { passed, failed } = await counted(['open.test.mjs']);
    assert.deepEqual([passed, failed], [1, 1]);
  });

  test('runs only tests of a name when one is given', async () => {
    const { passed, failed } = await counted(['good.test.mjs', 'failing.test.mjs', 'hook.test.mjs'], 'passes');
    assert.deepEqual([passed, failed], [1, 0]);
  });

  test('counts nothing where no test has the name', async () => {
    assert.deepEqual(await counted(['good.test.mjs'], 'no such test'), {
      passed: 0,
      failed: 0,
      behaviours: 0,
      files: [],
    });
  });
});
