import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { replaceBuild } from './prerequisites.mjs';

test('a new build of the web application keeps the assets of pages that are open', (t) => {
  const dist = mkdtempSync(join(tmpdir(), 'web-build-'));
  t.after(() => rmSync(dist, { recursive: true }));
  const fresh = join(dist, '.fresh');
  for (const folder of [dist, fresh]) mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const name of ['recent.js', 'outdated.js', 'same.css']) writeFileSync(join(dist, 'assets', name), 'old');
  const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400;
  for (const name of ['outdated.js', 'same.css']) utimesSync(join(dist, 'assets', name), twoDaysAgo, twoDaysAgo);
  writeFileSync(join(dist, 'index.html'), 'recent.js');
  for (const name of ['new.js', 'same.css']) writeFileSync(join(fresh, 'assets', name), 'new');
  writeFileSync(join(fresh, 'index.html'), 'new.js');

  replaceBuild(fresh, dist);
  assert.deepEqual(readdirSync(dist).sort(), ['assets', 'index.html']);
  assert.equal(readFileSync(join(dist, 'index.html'), 'utf8'), 'new.js');
  assert.deepEqual(readdirSync(join(dist, 'assets')).sort(), ['new.js', 'recent.js', 'same.css']);
  assert.equal(readFileSync(join(dist, 'assets', 'same.css'), 'utf8'), 'new');
});
