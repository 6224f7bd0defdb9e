import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeGenerated } from './write-generated.ts';

test('files that are no longer generated are deleted, and nothing else', async () => {
  const root = await mkdtemp(join(tmpdir(), 'reelgraph-generated-'));
  try {
    const handles = ['account', 'library', 'search'].map((area) => ({ path: `handles/${area}.gen.ts`, text: area }));
    assert.deepEqual(await writeGenerated(handles, root), [
      'handles/account.gen.ts',
      'handles/library.gen.ts',
      'handles/search.gen.ts',
    ]);
    await writeFile(join(root, 'handles/written-by-hand.ts'), '');
    const left = handles.filter(({ text }) => text !== 'library');
    assert.deepEqual(await writeGenerated(left, root), [
      'handles/account.gen.ts',
      'handles/search.gen.ts',
      'deleted handles/library.gen.ts',
    ]);
    assert.deepEqual((await readdir(join(root, 'handles'))).sort(), [
      'account.gen.ts',
      'search.gen.ts',
      'written-by-hand.ts',
    ]);
    assert.equal(await readFile(join(root, 'handles/search.gen.ts'), 'utf8'), 'search');
  } finally {
    await rm(root, { recursive: true });
  }
});
