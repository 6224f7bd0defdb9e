import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findMigrationProblems, migrationProblems } from './migration-numbers.ts';

const GOOD = ['0001_platform.sql', '0002_accounts.sql', '0003_channels.sql', 'schema.sql'];

describe('numbers of migrations', () => {
  test('that begin at 1 and have no gap are fine', () => {
    assert.deepEqual(migrationProblems(GOOD), []);
  });

  for (const [what, name, expected] of [
    ['one number twice', '0003_likes.sql', '0003_likes.sql: the next number without a gap is 0004'],
    ['a gap', '0005_likes.sql', '0005_likes.sql: the next number without a gap is 0004'],
    ['no number', 'likes.sql', 'likes.sql: name it NNNN_some_words.sql'],
    ['three digits', '004_likes.sql', '004_likes.sql: name it NNNN_some_words.sql'],
  ] as const)
    test(`are refused: ${what}`, () => {
      assert.ok(migrationProblems([...GOOD, name]).includes(`server/migrations/${expected}`));
    });

  test('of the present ones are unique; a planted second one is noticed', async () => {
    const present = (await readdir('server/migrations')).filter((name) => name.endsWith('.sql'));
    const last = present.filter((name) => /^\d{4}_/.test(name)).length;
    const folder = await mkdtemp(join(tmpdir(), 'reelgraph-migrations-'));
    try {
      for (const name of present) await writeFile(join(folder, name), '');
      assert.deepEqual(await findMigrationProblems(folder), []);
      const planted = `${String(last).padStart(4, '0')}_zz_planted.sql`;
      await writeFile(join(folder, planted), '');
      assert.deepEqual(await findMigrationProblems(folder), [
        `server/migrations/${planted}: the next number without a gap is ${String(last + 1).padStart(4, '0')}`,
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
