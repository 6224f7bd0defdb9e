import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findUndeclaredPackages } from './declared-packages.ts';

test('packages that are imported and not declared are noticed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'reelgraph-packages-'));
  const files = {
    'packages/mp4/package.json': '{ "name": "@reelgraph/mp4" }',
    'packages/mp4/src/index.ts': `import { readBox } from '@reelgraph/mp4';\n`,
    'server/package.json': '{ "name": "@reelgraph/server", "dependencies": { "@reelgraph/mp4": "0.1.0" } }',
    'server/src/main.ts': `import '@reelgraph/mp4';\nimport type { Chunk } from '@reelgraph/rtmp/chunk';\n`,
    'server/src/late.ts': `export const late = () => import('@reelgraph/upmix');\n`,
    'scripts/gen.ts': `import { readBox } from '@reelgraph/mp4';\n`,
  };
  try {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), text);
    }
    assert.deepEqual(await findUndeclaredPackages(root), [
      'server/package.json: declare @reelgraph/rtmp, which server/src/main.ts imports',
      'server/package.json: declare @reelgraph/upmix, which server/src/late.ts imports',
    ]);
  } finally {
    await rm(root, { recursive: true });
  }
});
