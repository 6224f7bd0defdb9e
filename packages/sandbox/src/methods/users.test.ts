import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { countsInNamespaces } from '../core/limits.ts';
import { supervise } from '../run/supervise.ts';
import { createProgramRunner } from '../runner.ts';
import { isOwnFolder, takeUser } from './users.ts';

const LIMITS = { cpuSeconds: 60, memoryBytes: 1024 ** 3, outputBytes: 1024, wallMs: 60_000 };
const notRoot = process.getuid?.() === 0 ? false : 'only root can become other users';
/** Starts and keeps processes up to its limit. */
const TAKE_ALL = 'exec 3<&0; (while :; do (read x <&3) & done) 2>/dev/null; echo full; read x <&3';

describe('users of sandboxed programs', () => {
  it('are unique per run on the machine, and are released with their process', async () => {
    // Uses a separate folder: concurrently running programs keep their users.
    const folder = await mkdtemp(join(tmpdir(), 'users-test-'));
    const script = `
      import { takeUser } from ${JSON.stringify(join(import.meta.dirname, 'users.ts'))};
      const taken = [];
      try { for (;;) taken.push(takeUser(${JSON.stringify(folder)}).uid); }
      catch (error) { console.log(JSON.stringify([...taken, error.reason])); }
      setInterval(() => {}, 1000);`;
    const mine = takeUser(folder);
    const other = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [line] = (await once(other.stdout, 'data')) as [Buffer];
    const theirs = JSON.parse(line.toString());
    assert.equal(theirs.pop(), 'busy');
    assert.equal(new Set([mine.uid, ...theirs]).size, 64);
    assert.deepEqual([Math.min(mine.uid, ...theirs), Math.max(mine.uid, ...theirs)], [65_432, 65_495]);
    assert.throws(() => takeUser(folder), { name: 'RunError', reason: 'busy' });
    mine.release();
    const again = takeUser(folder);
    assert.equal(again.uid, mine.uid);
    other.kill('SIGKILL');
    await once(other, 'exit');
    const next = takeUser(folder);
    assert.notEqual(next.uid, again.uid);
    for (const user of [again, next]) user.release();
    await rm(folder, { recursive: true });
  });

  it('are locked in a folder that no other user may enter', { skip: notRoot }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'users-test-'));
    assert.equal(isOwnFolder(join(folder, 'new')), true);
    assert.equal((await stat(join(folder, 'new'))).mode & 0o777, 0o700);
    await chmod(join(folder, 'new'), 0o777);
    assert.equal(isOwnFolder(join(folder, 'new')), true);
    assert.equal((await stat(join(folder, 'new'))).mode & 0o777, 0o700);
    await mkdir(join(folder, 'foreign'));
    await chown(join(folder, 'foreign'), 65_533, 65_533);
    await symlink(join(folder, 'new'), join(folder, 'link'));
    for (const name of ['foreign', 'link']) assert.equal(isOwnFolder(join(folder, name)), false, name);
    await chmod(folder, 0o755);
    const asOther = { uid: 65_533, gid: 65_533 };
    assert.notEqual(spawnSync('ls', [join(folder, 'new')], asOther).status, 0);
    assert.equal(spawnSync('ls', [join(folder, 'foreign')], asOther).status, 0);
    await rm(folder, { recursive: true });
  });

  it('share no limit: a program at its process limit does not prevent others from starting', {
    ...THOROUGH,
    skip: notRoot,
  }, async () => {
    const runner = await createProgramRunner({ methods: ['unshare'] });
    assert.equal(runner.sandbox.method, 'unshare');
    const greedy = await runner.startProgram('sh', ['-c', TAKE_ALL], { limits: LIMITS });
    const [output] = (await once(greedy.stdout, 'data')) as [Buffer];
    assert.equal(output.toString(), 'full\n');
    for (let run = 0; run < 5; run++) await runner.runProgram('true', [], { limits: LIMITS });
    greedy.kill();
    await assert.rejects(greedy.ended, { reason: 'aborted' });
  });

  it('report missing processes as a transient error', { skip: notRoot }, async () => {
    const argv = [
      'setpriv',
      '--reuid',
      '65499',
      '--clear-groups',
      '--',
      'prlimit',
      '--nproc=1',
      '--',
      'sh',
      '-c',
      'sleep 60 & sleep 60',
    ];
    const launch = { argv, uid: null, cwd: '/', stdio: ['pipe'] as const, revoked: () => false, close: async () => {} };
    const { ended } = supervise(launch, {
      tool: 'sh',
      limits: LIMITS,
      workDir: null,
      bytesBefore: 0,
      input: false,
      output: 'collect',
    });
    await assert.rejects(ended, { name: 'RunError', reason: 'busy' });
  });

  it('are counted in their namespaces by kernels from 5.14 on', () => {
    assert.deepEqual(
      ['5.4.0-generic', '5.13.19', '5.14.0-427.el9', '6.1.0-18-amd64', '4.19.1'].map((release) =>
        countsInNamespaces(release),
      ),
      [false, false, true, true, false],
    );
  });
});
