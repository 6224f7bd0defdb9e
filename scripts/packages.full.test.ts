import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const PACKAGES = ['clients/typescript', 'cli', 'clients/player'];
/** Of each supported line; the tests themselves run on the newest. */
const NODES = ['20.20.2', '22.23.3'];

const exec = promisify(execFile);
let folder = '';
let project = '';
let version = '';

/** Runs a program; its output. Throws with all of it when it fails. */
async function run(file: string, args: readonly string[], cwd: string): Promise<string> {
  const ended = exec(file, [...args], { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  const { stdout } = await ended.catch((error: { stdout?: string; stderr?: string; message: string }) =>
    assert.fail(`${file} ${args.join(' ')}\n${error.stdout}${error.stderr}${error.message}`),
  );
  return stdout;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgraph-packages-'));
  version = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).version;
  const clone = join(folder, 'clone');
  project = join(folder, 'project');
  await Promise.all([mkdir(clone), mkdir(project)]);
  const copy = 'git ls-files -z -co --exclude-standard | xargs -0 cp -P --parents -t "$0"';
  await run('bash', ['-c', copy, clone], ROOT);
  for (const name of PACKAGES) await run('npm', ['pack', '--pack-destination', folder], join(clone, name));
  const packed = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  assert.equal(packed.length, PACKAGES.length);
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'empty', type: 'module', private: true }));
  const files = packed.map((name) => join(folder, name));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], project);
});
after(() => rm(folder, { recursive: true, force: true }));

test('the packages of a fresh clone have what was built, without dependencies', async () => {
  const installed = join(project, 'node_modules');
  assert.deepEqual((await readdir(join(installed, '@reelgraph'))).sort(), ['cli', 'client', 'player']);
  assert.deepEqual(
    (await readdir(installed)).filter((name) => !name.startsWith('.')),
    ['@reelgraph'],
  );
  for (const file of ['client/dist/index.js', 'cli/dist/main.js', 'player/dist/index.js', 'player/dist/index.d.ts'])
    assert.notEqual(await readFile(join(installed, '@reelgraph', file), 'utf8'), '', file);
});

for (const name of [...NODES, process.versions.node])
  describe(`on Node ${name}`, () => {
    let node = process.execPath;
    before(async () => {
      if (name === process.versions.node) return;
      const own = `node-${process.platform}-${process.arch}`;
      const place = join(folder, name);
      await mkdir(place);
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', place, `${own}@${name}`], place);
      node = join(place, 'node_modules', own, 'bin/node');
      assert.equal((await run(node, ['--version'], place)).trim(), `v${name}`);
    });

    test('the client is imported', async () => {
      const program = `
        const { createClient } = await import('@reelgraph/client');
        const { openFile } = await import('@reelgraph/client/node');
        console.log(typeof createClient({ url: 'http://localhost', key: 'x' }).me, typeof openFile);`;
      assert.equal((await run(node, ['--input-type=module', '-e', program], project)).trim(), 'function function');
    });

    test('the command line runs', async () => {
      const main = join(project, 'node_modules/.bin/reelgraph');
      assert.equal((await run(node, [main, '--version'], project)).trim(), version);
    });
  });
