import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { prepareDataFolder } from './data-folder.ts';

describe('the data folder', () => {
  let scratch: string;
  let dataDir: string;
  let umask: number;
  beforeEach(() => {
    umask = process.umask(0o022);
    scratch = mkdtempSync(join(tmpdir(), 'reelgraph-data-'));
    dataDir = join(scratch, 'data');
  });
  afterEach(() => {
    process.umask(umask);
    rmSync(scratch, { recursive: true, force: true });
  });

  const warnings: string[] = [];
  const prepare = () => prepareDataFolder(dataDir, (path) => warnings.push(path));
  const modeOf = (path: string): string => (statSync(join(dataDir, path)).mode & 0o777).toString(8);
  function write(path: string, mode = 0o644): void {
    const file = join(dataDir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'x');
    chmodSync(file, mode);
  }

  it('is created traversable but not listable for others, with private files', () => {
    prepare();
    assert.equal(modeOf('.'), '711');
    writeFileSync(join(dataDir, 'new'), 'x');
    mkdirSync(join(dataDir, 'folder'));
    assert.deepEqual([modeOf('new'), modeOf('folder')], ['600', '700']);
  });

  it('of an earlier version becomes private, with every object in it', () => {
    for (const file of ['secret-key', 'demo.json', 'postgres/password', 'objects/a/b/one.mp4', 'objects/,tmp/two'])
      write(file);
    write('objects/three.png', 0o666);
    mkdirSync(join(dataDir, 'tmp'));
    prepare();
    for (const folder of ['objects', 'objects/a', 'objects/a/b', 'objects/,tmp', 'tmp'])
      assert.equal(modeOf(folder), '700', folder);
    for (const file of [
      'secret-key',
      'demo.json',
      'postgres/password',
      'objects/a/b/one.mp4',
      'objects/,tmp/two',
      'objects/three.png',
    ])
      assert.equal(modeOf(file), '600', file);
    assert.deepEqual([modeOf('.'), modeOf('postgres')], ['711', '711']);
    assert.deepEqual(warnings, []);
  });

  it('continues after an interrupted start', () => {
    write('objects/done/one.mp4', 0o600);
    chmodSync(join(dataDir, 'objects/done'), 0o700);
    write('objects/open/two.mp4');
    prepare();
    assert.deepEqual(
      [modeOf('objects'), modeOf('objects/open'), modeOf('objects/open/two.mp4')],
      ['700', '700', '600'],
    );
  });

  it('does not change the targets of links, except a link in place of a folder', () => {
    const elsewhere = join(scratch, 'elsewhere');
    mkdirSync(join(elsewhere, 'objects'), { recursive: true });
    writeFileSync(join(elsewhere, 'objects', 'one.mp4'), 'x');
    writeFileSync(join(elsewhere, 'shared.txt'), 'x');
    mkdirSync(dataDir);
    symlinkSync(join(elsewhere, 'objects'), join(dataDir, 'objects'));
    symlinkSync(join(elsewhere, 'shared.txt'), join(elsewhere, 'objects', 'link'));
    prepare();
    assert.deepEqual([modeOf('objects'), modeOf('objects/one.mp4')], ['700', '600']);
    assert.equal((statSync(join(elsewhere, 'shared.txt')).mode & 0o777).toString(8), '644');
  });
});
