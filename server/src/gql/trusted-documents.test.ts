import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentIdOf, loadTrustedDocuments } from './trusted-documents.ts';

test('trusted documents are read from a file whose ids must be the digests of the texts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trusted-'));
  try {
    const path = join(folder, 'documents.json');
    const text = '{ things { totalCount } }';
    await writeFile(path, JSON.stringify({ [documentIdOf(text)]: text }));
    assert.deepEqual([...(await loadTrustedDocuments(path))], [[documentIdOf(text), text]]);
    await writeFile(path, JSON.stringify({ [documentIdOf(text)]: `${text} ` }));
    await assert.rejects(loadTrustedDocuments(path), /is not the digest/);
    await writeFile(path, '[]');
    await assert.rejects(loadTrustedDocuments(path), /not an object/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
