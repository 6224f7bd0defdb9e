import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '../../..');

/** The package as users install it. */
describe('the built package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-player-'));
  after(() => rmSync(folder, { recursive: true }));

  it('is small, has types, and can be imported by servers', async (t) => {
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    execFileSync(tsc, ['-p', 'clients/player/tsconfig.build.json', '--outDir', folder], { cwd: ROOT });
    assert.match(readFileSync(join(folder, 'index.d.ts'), 'utf8'), /export \{ ReelgraphPlayer \}/);
    const imported = await import(pathToFileURL(join(folder, 'index.js')).href);
    assert.deepEqual(Object.keys(imported), ['ReelgraphPlayer']);
    const created = await build({
      configFile: false,
      logLevel: 'silent',
      root: folder,
      build: { write: false, lib: { entry: join(folder, 'index.js'), formats: ['es'] }, minify: true },
    });
    assert.ok(Array.isArray(created));
    const [chunk] = created[0]?.output ?? [];
    assert.ok(chunk?.type === 'chunk');
    const bytes = gzipSync(chunk.code).length;
    t.diagnostic(`${bytes} bytes, gzip`);
    assert.ok(bytes < 2_048, `${bytes} bytes`);
    assert.doesNotMatch(chunk.code, /\bimport\b/);
  });
});
