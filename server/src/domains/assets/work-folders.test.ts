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
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'work-folders-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('go away with what is in them, also when the work fails', async () => {
    const folders = workFolders(root);
    const work = async (path: string) => {
      await writeFile(join(path, 'x'), 'x');
      throw new Error('broken');
    };
    await assert.rejects(folders.use(work), /broken/);
    assert.deepEqual(await readdir(join(root, 'tmp')), []);
  });

  it('of killed processes are swept, those in use and those of other machines stay', async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const abandoned = `work-${hostname()}-${dead}-0123456789ab`;
    const ofParent = `work-${hostname()}-${process.ppid}-0123456789ab`;
    const elsewhere = 'work-other-host-1-0123456789ab';
    for (const name of [abandoned, ofParent, elsewhere, 'objects']) await mkdir(join(root, 'tmp', name), { recursive: true });
    await workFolders(root).use(async (mine) => {
      await workFolders(root).sweep();
      assert.ok(existsSync(mine));
      assert.ok(!existsSync(join(root, 'tmp', abandoned)));
      for (const name of [ofParent, elsewhere, 'objects']) assert.ok(existsSync(join(root, 'tmp', name)), name);
    });
  });

  it('need not exist to be swept', () => workFolders(join(root, 'nowhere')).sweep());
});
