import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { UsageError } from './arguments.ts';
import { readChange } from './change.ts';

describe('what has changed', () => {
  let folder: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'reelgraph-change-'));
    git('init', '--initial-branch=main');
    for (const file of ['kept.ts', 'edited.ts', 'removed.ts']) write(file, 'one\ntwo\n');
    git('add', '.');
    git('commit', '-m', 'Begin');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('on main is what is not committed, including new files', async () => {
    assert.deepEqual((await readChange(null, folder)).files, []);
    write('edited.ts', 'one\nthree\n');
    write('new.ts', 'four\n');
    rmSync(join(folder, 'removed.ts'));
    const change = await readChange(null, folder);
    assert.deepEqual(change.files, ['edited.ts', 'new.ts', 'removed.ts']);
    assert.equal(await change.linesOf('edited.ts'), '-two\n+three');
    assert.equal(await change.linesOf('new.ts'), 'four\n');
  });

  test('in a file with blocks names those around it', async () => {
    const type = (name: string, fields: string) => `type ${name} {\n${fields}}\n`;
    const fields = '  a: Int\n  b: Int\n  c: Int\n  d: Int\n  e: Int\n';
    write('schema.graphql', type('Query', fields) + type('Place', fields));
    git('add', 'schema.graphql');
    git('commit', '-m', 'Add a schema', 'schema.graphql');
    write('schema.graphql', type('Query', fields) + type('Place', `${fields}  name: String\n`));
    const change = await readChange(null, folder);
    assert.deepEqual(await change.blocksOf('schema.graphql'), ['type Place {']);
    assert.equal(await change.linesOf('schema.graphql'), '+  name: String');
    git('checkout', 'schema.graphql');
  });

  test('on a branch is everything since it left main, committed or not', async () => {
    git('checkout', '-b', 'work');
    git('add', '.');
    git('commit', '-m', 'Work');
    write('later.ts', 'five\n');
    assert.deepEqual((await readChange(null, folder)).files, ['edited.ts', 'later.ts', 'new.ts', 'removed.ts']);
    assert.deepEqual((await readChange('HEAD', folder)).files, ['later.ts']);
  });

  test('since a revision that does not exist is refused', async () => {
    await assert.rejects(readChange('nowhere', folder), UsageError);
  });
});
