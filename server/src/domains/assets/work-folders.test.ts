import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { workFolders } from './work-folders.ts';

describe('work folders', () => {
  let root: string;
  const warned: object[] = [];
  const log = { warn: (fields: object) => void warned.push(fields) };
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'work-folders-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('are deleted with their content, also when the work fails', async () => {
    const folders = workFolders(root, log);
    const work = async (path: string) => {
      await writeFile(join(path, 'x'), 'x');
      throw new Error('broken');
    };
    await assert.rejects(folders.use(work), /broken/);
    assert.deepEqual(await readdir(join(root, 'tmp')), []);
  });

  it('of killed processes are swept; those in use or of other machines are kept', async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const abandoned = `work-${hostname()}-${dead}-0123456789ab`;
    const ofParent = `work-${hostname()}-${process.ppid}-0123456789ab`;
    const elsewhere = 'work-other-host-1-0123456789ab';
    for (const name of [abandoned, ofParent, elsewhere, 'objects'])
      await mkdir(join(root, 'tmp', name), { recursive: true });
    await workFolders(root, log).use(async (mine) => {
      await workFolders(root, log).sweep();
      assert.ok(existsSync(mine));
      assert.ok(!existsSync(join(root, 'tmp', abandoned)));
      for (const name of [ofParent, elsewhere, 'objects']) assert.ok(existsSync(join(root, 'tmp', name)), name);
    });
  });

  it('are removed at any depth and with any name, and one failure does not stop the others', async () => {
    const name = 'n'.repeat(100);
    const script =
      `process.chdir(process.argv[1]); for (let n = 0; n < 60; n += 1) { fs.mkdirSync('${name}'); ` +
      `process.chdir('${name}'); } fs.writeFileSync(Buffer.from([255]), '');`;
    await workFolders(root, log).use(async (path) => {
      assert.equal(spawnSync(process.execPath, ['-e', script, path]).status, 0);
    });
    assert.deepEqual(await readdir(join(root, 'tmp')), []);
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const [first, second] = ['0', '1'].map((n) => join(root, 'tmp', `work-${hostname()}-${dead}-00000000000${n}`));
    assert.ok(first && second);
    await mkdir(second);
    // A mount point cannot be removed.
    await mkdir(first);
    const mounted = process.getuid?.() === 0 && spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', first]).status === 0;
    await workFolders(root, log).sweep();
    if (mounted) assert.equal(spawnSync('umount', [first]).status, 0);
    assert.deepEqual([existsSync(first), existsSync(second), warned.length], [mounted, false, mounted ? 1 : 0]);
  });

  it('may be missing when swept', () => workFolders(join(root, 'nowhere'), log).sweep());
});
