import assert from 'node:assert/strict';
import { type StdioOptions, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SANDBOX_METHODS } from './core/sandbox.ts';

const DRIVER = join(import.meta.dirname, 'escape-descriptors.fixture.ts');
const NORMAL_UID = 65_533;
/** Node marks those up to 15 itself. */
const INHERITED = [7, 77, 300];
const isRoot = process.getuid?.() === 0;

describe('descriptors of sandboxed programs', { skip: process.platform !== 'linux' }, () => {
  let folder: string;
  let secret: number;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-descriptors-'));
    for (const name of ['secret', 'input']) await writeFile(join(folder, name), 'private');
    for (const path of [folder, join(folder, 'input')]) if (isRoot) await chown(path, NORMAL_UID, NORMAL_UID);
    await chmod(folder, 0o755);
    secret = openSync(join(folder, 'secret'), 'r');
  });
  after(async () => {
    closeSync(secret);
    await rm(folder, { recursive: true });
  });

  /** By method: what each descriptor of the program is, where the platform itself was started with INHERITED. */
  function listed(asUser: readonly string[]): Map<string, Map<number, string>> {
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...Array<'ignore'>(298).fill('ignore')];
    for (const number of INHERITED) stdio[number] = secret;
    const [command = '', ...args] = [...asUser, process.execPath, ...process.execArgv, DRIVER];
    const { stdout, stderr } = spawnSync(command, [...args, join(folder, 'input')], { stdio });
    assert.equal(`${stderr}`, '');
    const printed: { method: string; stdout: string }[] = `${stdout}`
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return new Map(
      printed.map(({ method, stdout }) => [
        method,
        new Map([...stdout.matchAll(/ (\d+) -> (.*)$/gm)].map(([, number, target = '']) => [Number(number), target])),
      ]),
    );
  }

  for (const asUser of [[], ['setpriv', '--reuid', `${NORMAL_UID}`, '--regid', `${NORMAL_UID}`, '--clear-groups']]) {
    const who = asUser.length === 0 ? 'started as here' : 'started by a normal user';
    it(`are its own with every method, ${who}`, { skip: asUser.length > 0 && !isRoot }, () => {
      const methods = listed(asUser);
      assert.deepEqual([...methods.keys()], SANDBOX_METHODS);
      for (const [method, found] of methods) {
        const inputs = method === 'partial' ? [join(folder, 'input')] : [];
        const others = [...found].filter(([, target]) => target !== '/dev/null');
        assert.deepEqual(
          others.map(([number, target]) => [number, target.replace(/:\[\d+\]|(?<=^\/proc\/)\d+/g, '')]),
          [[1, 'socket'], [2, 'socket'], ...[...inputs, '/proc//fd'].map((target, at) => [3 + at, target])],
        );
        for (const number of INHERITED.slice(1)) assert.equal(found.get(number), '/dev/null', `${method} ${number}`);
      }
    });
  }
});
