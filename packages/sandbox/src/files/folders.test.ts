import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SANDBOX_GID } from '../core/sandbox.ts';
import { hostFiles, librariesIn } from '../methods/host-files.ts';
import { until } from '../processes.fixture.ts';
import { folderBytes, namelessBytes } from '../run/watch.ts';
import { openInputs } from './inputs.ts';
import { adoptFolder, lendFolder, makeWorkDir } from './outputs.ts';

const MIB = 1024 ** 2;

const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
const asRoot = uid === 0 ? false : 'only root can give files away';

describe('inputs and outputs of a sandboxed process', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'sandbox-folders-'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  it('outputs become private files of the platform; links are removed and reported', async () => {
    const [folder, secret] = [join(root, 'work'), join(root, 'secret')];
    await makeWorkDir(folder, ['sub']);
    await writeFile(secret, 'secret', { mode: 0o640 });
    await writeFile(join(folder, 'sub', 'video.m4s'), 'x', { mode: 0o666 });
    await writeFile(join(folder, 'program'), 'x');
    await chmod(join(folder, 'program'), 0o4755);
    await mkdir(join(folder, 'open'));
    await chmod(join(folder, 'open'), 0o777);
    await symlink(secret, join(folder, 'sub', 'symlink'));
    await symlink(root, join(folder, 'folder-link'));
    await link(secret, join(folder, 'hardlink'));
    assert.deepEqual((await adoptFolder(folder)).sort(), ['folder-link', 'hardlink', 'sub/symlink']);
    const modes: [string, number][] = [];
    for (const name of (await readdir(folder, { recursive: true })).sort()) {
      const status = await stat(join(folder, name));
      assert.deepEqual([status.uid, status.gid], [uid, gid]);
      modes.push([name, status.mode & 0o7777]);
    }
    assert.deepEqual(modes, [
      ['open', 0o700],
      ['program', 0o600],
      ['sub', 0o700],
      ['sub/video.m4s', 0o600],
    ]);
    assert.equal((await stat(secret)).mode & 0o777, 0o640, 'the target of the link is unchanged');
    assert.equal(await readFile(secret, 'utf8'), 'secret');
  });

  it('too deep folders and names that are not UTF-8 are removed and reported', async () => {
    const folder = join(root, 'deep');
    await makeWorkDir(folder, ['sub']);
    const name = 'n'.repeat(100);
    const deep =
      'process.chdir(process.argv[1]); for (let n = 0; n < 60; n += 1) { ' +
      `fs.mkdirSync('${name}'); process.chdir('${name}'); } fs.writeFileSync('file', '');`;
    assert.equal(spawnSync(process.execPath, ['-e', deep, folder]).status, 0);
    await writeFile(join(folder, 'video.m4s'), '');
    const strange =
      'cd "$1" && touch "$(printf \'a\\377\')" && mkdir "$(printf \'sub/\\376\')" && touch "$(printf \'sub/\\376/x\')"';
    assert.equal(spawnSync('sh', ['-c', strange, 'sh', folder]).status, 0);
    assert.equal(await folderBytes(folder), Number.POSITIVE_INFINITY);
    assert.deepEqual((await adoptFolder(folder)).sort(), ['a\ufffd', Array(9).fill(name).join('/'), 'sub/\ufffd']);
    assert.deepEqual((await readdir(folder)).sort(), [name, 'sub', 'video.m4s']);
    assert.equal((await readdir(folder, { recursive: true })).length, 10, 'eight folders, sub and the video');
    assert.deepEqual(await adoptFolder(folder), []);
    assert.equal(await folderBytes(folder), 0);
  });

  it('space beyond a file’s size and unlinked open files count', async () => {
    const folder = join(root, 'hidden-space');
    await makeWorkDir(folder, []);
    const kept = join(folder, 'kept');
    await writeFile(kept, '');
    assert.equal(spawnSync('fallocate', ['--keep-size', '--length', `${MIB}`, kept]).status, 0);
    assert.equal((await stat(kept)).size, 0);
    assert.equal(await folderBytes(folder), MIB / 2);
    const file = await open(join(folder, 'unlinked'), 'w');
    try {
      await file.write(Buffer.alloc(MIB));
      // Node and other tests may have unlinked files on the same disk.
      const others = await namelessBytes(process.pid, folder);
      await unlink(join(folder, 'unlinked'));
      await until(
        async () => (await namelessBytes(process.pid, folder)) === others + MIB,
        'the file without a name counts',
      );
      await file.close();
      await until(async () => (await namelessBytes(process.pid, folder)) === others, 'it no longer counts');
    } finally {
      await file.close();
    }
  });

  it('a work folder is granted to the sandboxed user and revoked', { skip: asRoot }, async () => {
    const folder = join(root, 'lent');
    await makeWorkDir(folder, ['sub']);
    await writeFile(join(folder, 'sub', 'file'), 'x');
    const owners = async () =>
      Promise.all(['', 'sub', 'sub/file'].map(async (name) => (await stat(join(folder, name))).uid));
    await lendFolder(folder, 65_435);
    assert.deepEqual(await owners(), [65_435, 65_435, 65_435]);
    assert.deepEqual(await adoptFolder(folder), []);
    assert.deepEqual(await owners(), [uid, uid, uid]);
  });

  it('a private input is readable for the sandbox group during a run', {
    skip: asRoot,
  }, async () => {
    const path = join(root, 'input');
    await writeFile(path, 'x', { mode: 0o600 });
    await chown(path, 0, 7);
    const rights = async () => {
      const status = await stat(path);
      return [status.uid, status.gid, status.mode & 0o777];
    };
    const options = { uid: 65_435, workDir: null };
    const first = await openInputs([path], options);
    const second = await openInputs([path], options);
    assert.deepEqual(await rights(), [0, SANDBOX_GID, 0o640]);
    await first.close();
    assert.deepEqual(await rights(), [0, SANDBOX_GID, 0o640], 'the second run still reads it');
    assert.equal(second.revoked(), false);
    await chmod(path, 0o600);
    assert.equal(second.revoked(), true, 'another process revoked it');
    await second.close();
    assert.deepEqual(await rights(), [0, 7, 0o600]);
  });

  it('an input left readable by another or a killed process is private afterwards', {
    skip: asRoot,
  }, async () => {
    const path = join(root, 'left-lent');
    await writeFile(path, 'x', { mode: 0o600 });
    await chown(path, 0, SANDBOX_GID);
    await chmod(path, 0o640);
    const inputs = await openInputs([path], { uid: 65_435, workDir: null });
    const status = await stat(path);
    assert.deepEqual([status.gid, status.mode & 0o777], [SANDBOX_GID, 0o640]);
    await inputs.close();
    const { uid: owner, gid: group, mode } = await stat(path);
    assert.deepEqual([owner, group, mode & 0o777], [0, gid, 0o600]);
  });

  it('an input that others may read, or that the sandboxed user owns, is unchanged', async () => {
    const path = join(root, 'public');
    await writeFile(path, 'x', { mode: 0o644 });
    const before = await stat(path);
    const inputs = await openInputs([path], { uid: 65_435, workDir: null });
    assert.deepEqual(inputs.paths, [path]);
    assert.deepEqual([(await stat(path)).mode, (await stat(path)).gid], [before.mode, before.gid]);
    await inputs.close();
    await assert.rejects(openInputs([root], { uid: null, workDir: null }), /Not a regular file/);
    await assert.rejects(openInputs([join(root, 'nowhere')], { uid: null, workDir: null }), { code: 'ENOENT' });
  });

  it('visible host files are real files and folders, with the links to them', async () => {
    const at = (name: string) => join(root, 'host', name);
    await mkdir(at('real/lib'), { recursive: true });
    await (await open(at('real/lib/a.so.1'), 'w')).close();
    await symlink('a.so.1', at('real/lib/a.so'));
    await symlink('real', at('current'));
    await symlink(at('current/lib/a.so'), at('alternative'));
    assert.deepEqual(hostFiles([at('alternative')]), {
      binds: [at('real/lib/a.so.1')],
      links: [
        { path: at('alternative'), target: at('current/lib/a.so') },
        { path: at('current'), target: 'real' },
        { path: at('real/lib/a.so'), target: 'a.so.1' },
      ],
    });
    assert.deepEqual(hostFiles([at('current/lib'), at('real/lib/a.so')]), {
      binds: [at('real/lib')],
      links: [{ path: at('current'), target: 'real' }],
    });
    assert.throws(() => hostFiles([at('nowhere')]), { code: 'ENOENT' });
    await symlink('loop', at('loop'));
    assert.throws(() => hostFiles([at('loop')]), /symbolic links/);
  });

  it('reads what ldd prints', () => {
    const listing =
      '\tlinux-vdso.so.1 (0x00007f16)\n\tlibc.so.6 => /lib/libc.so.6 ' +
      '(0x00007f16)\n\t/lib64/ld-linux.so.2 (0x00007f16)\n\tgone.so => not found\n';
    assert.deepEqual(librariesIn(listing), ['/lib/libc.so.6', '/lib64/ld-linux.so.2']);
    assert.deepEqual(librariesIn('\tnot a dynamic executable\n'), []);
  });
});
