import assert from 'node:assert/strict';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { THOROUGH } from '../../../scripts/test-runner/cases.ts';
import { createProgramRunner } from './runner.ts';

const LIMITS = { cpuSeconds: 20, memoryBytes: 2 * 1024 ** 3, outputBytes: 0, wallMs: 20_000 };
/** Those that lead nowhere: every program has them. */
const ORDINARY = new Set(['console', 'full', 'null', 'ptmx', 'random', 'tty', 'urandom', 'zero']);
const devicesIn = (folder: string) => {
  const all = readdirSync(folder).map((name) => join(folder, name));
  return all.filter((path) => lstatSync(path).isCharacterDevice());
};
const [one, other] = devicesIn('/dev').filter((path) => !ORDINARY.has(path.slice('/dev/'.length)));
const folders = readdirSync('/dev').map((name) => join('/dev', name));
const folder = folders.find(
  (path) => lstatSync(path).isDirectory() && !/pts|shm|mqueue/.test(path) && devicesIn(path)[0],
);
const skip = one && other && folder ? false : 'this machine has too few devices';

const LIST =
  'const found = (path) => { const status = fs.lstatSync(path); return status.isCharacterDevice() ? [path] : ' +
  "status.isDirectory() ? fs.readdirSync(path).flatMap((name) => found(path + '/' + name)) : []; }; " +
  "console.log(JSON.stringify(found('/dev')))";

for (const method of ['bubblewrap', 'unshare'] as const)
  describe(`devices with ${method}`, { skip }, () => {
    const listed = async (devices: readonly string[]) => {
      const runner = await createProgramRunner({ methods: [method] });
      assert.equal(runner.sandbox.method, method);
      const { stdout } = await runner.runProgram(process.execPath, ['-e', LIST], { limits: LIMITS, devices });
      return (JSON.parse(stdout) as string[]).filter((path) => !/^\/dev\/(pts|shm)/.test(path));
    };

    it('are those that lead nowhere, unless the program is given others', async () => {
      const ordinary = await listed([]);
      assert.ok(ordinary.includes('/dev/null'), ordinary.join());
      for (const path of ordinary) assert.ok(ORDINARY.has(path.slice('/dev/'.length)), path);
      assert.deepEqual((await listed([one ?? ''])).sort(), [...ordinary, one].sort());
    });

    it('are in a folder, too', THOROUGH, async () => {
      const found = await listed([folder ?? '']);
      for (const path of devicesIn(folder ?? '')) assert.ok(found.includes(path), path);
      assert.ok(!found.includes(one ?? ''));
      const [inside = ''] = devicesIn(folder ?? '');
      assert.ok((await listed([inside])).includes(inside));
    });
  });
