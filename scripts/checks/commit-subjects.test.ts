import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { findLongSubjects, longSubjects } from './commit-subjects.ts';

describe('commit subjects', () => {
  let folder = '';
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'reelgraph-subjects-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  test('of 72 characters are fine, longer ones are reported with their length', () => {
    const [fits, long] = [`Add ${'a'.repeat(68)}`, `Add ${'ä'.repeat(69)}`];
    assert.deepEqual(longSubjects([`1a2b3c4 ${fits}`, `5d6e7f8 ${long}`]), [
      `5d6e7f8 ${long}: 73 characters, 72 at most`,
    ]);
  });

  test('are not read without a repository or commits', async () => {
    assert.deepEqual(await findLongSubjects(folder), []);
    git('init', '--quiet');
    assert.deepEqual(await findLongSubjects(folder), []);
  });

  test('are read from the history, back to the first checked day', async () => {
    const long = `Explain ${'at length '.repeat(8)}`.trim();
    git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
    git('commit', '--quiet', '--allow-empty', '--message', long, '--date', '2026-11-23T00:00:00Z');
    const [problem = '', ...others] = await findLongSubjects(folder, '2000-01-01T00:00:00Z');
    assert.match(problem, /^[0-9a-f]{7,} Explain at length .*: 87 characters, 72 at most$/);
    assert.deepEqual(others, []);
    assert.deepEqual(await findLongSubjects(folder, '2099-01-01T00:00:00Z'), []);
  });
});
