import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ModelFiles } from './find-models.ts';

/** SHA-256 of `one` and of `another`. */
const ONE = '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed';
const ANOTHER = 'ae448ac86c4e8e4dec645729708ef41873ae79c6dff84eff73360989487f08e5';

describe('the operator’s folder of models', () => {
  let folder: string;
  let files: ModelFiles;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-models-'));
    files = new ModelFiles(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFile(join(folder, name), text, { mode: 0o644 });
  const problems = async () => (await files.list()).map(({ name, problem }) => [name, problem]);

  it('has models by the names of their files, with digests', async () => {
    await write('x4plus.onnx', 'one');
    await write('Anime_2.1.onnx', 'another');
    await write('readme.txt', 'not a model');
    await symlink(join(folder, 'x4plus.onnx'), join(folder, 'linked.onnx'));
    const path = (name: string) => join(folder, `${name}.onnx`);
    assert.deepEqual(await files.list(), [
      { name: 'Anime_2.1', path: path('Anime_2.1'), digest: ANOTHER, problem: null },
      { name: 'linked', path: path('linked'), digest: ONE, problem: null },
      { name: 'x4plus', path: path('x4plus'), digest: ONE, problem: null },
    ]);
  });

  it('has the path of a model as long as it is the same file', async () => {
    await write('x4plus.onnx', 'one');
    assert.equal(await files.pathOf('x4plus', ONE), join(folder, 'x4plus.onnx'));
    assert.equal(await files.pathOf('x4plus', ANOTHER), null);
    await write('x4plus.onnx', 'another');
    assert.equal(await files.pathOf('x4plus', ONE), null);
    assert.equal(await files.pathOf('x4plus', ANOTHER), join(folder, 'x4plus.onnx'));
    await rm(join(folder, 'x4plus.onnx'));
    assert.equal(await files.pathOf('x4plus', ANOTHER), null);
    assert.equal(await files.pathOf('../x4plus', ANOTHER), null);
  });

  it('says of files why they cannot be used', async () => {
    await write('clean.onnx', 'the name of ours');
    await write('my model.onnx', 'a space');
    await write('.onnx', 'no name');
    await write(`${'n'.repeat(61)}.onnx`, 'a long name');
    await mkdir(join(folder, 'folder.onnx'));
    await symlink('/nonexistent', join(folder, 'gone.onnx'));
    await write('large.onnx', '');
    await truncate(join(folder, 'large.onnx'), 2 * 1024 ** 3);
    const naming =
      'A name begins with a letter or a digit and has letters, digits, dots, dashes and underscores, at most 60.';
    assert.deepEqual(await problems(), [
      ['-', naming],
      ['clean.onnx', 'It has the name of a model of the platform.'],
      ['folder', 'It is not a file.'],
      ['gone', 'It cannot be read.'],
      ['large', 'It has 2048 MiB; 512 are the most.'],
      ['my-model', naming],
      ['n'.repeat(60), naming],
    ]);
  });

  it('has at most 32 models, and one of those with the same name', async () => {
    for (let number = 10; number < 43; number += 1) await write(`m${number}.onnx`, 'one');
    const listed = await problems();
    assert.deepEqual([listed.length, listed[31]], [33, ['m41', null]]);
    assert.deepEqual(listed[32], ['m42', 'The folder has more than 32 models.']);
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await write('my model.onnx', 'a space');
    await write('my-model.onnx', 'one');
    assert.deepEqual(await problems(), [['my-model', null]]);
  });

  const asRoot = process.getuid?.() === 0 ? false : 'only root starts programs as other users';
  it('has no file that the users of the sandbox may not read', { skip: asRoot }, async () => {
    await write('secret.onnx', 'one');
    await chmod(join(folder, 'secret.onnx'), 0o600);
    assert.deepEqual(await problems(), [['secret', 'Other users may not read it: run chmod a+r on it.']]);
  });

  it('that does not exist is an error', async () => {
    await assert.rejects(new ModelFiles('/nonexistent').list(), { code: 'ENOENT' });
  });
});
