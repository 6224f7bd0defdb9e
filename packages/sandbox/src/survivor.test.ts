import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findExecutable } from './core/executables.ts';
import { isRunning } from './processes.fixture.ts';
import { createProgramRunner } from './runner.ts';

const LIMITS = { cpuSeconds: 60, memoryBytes: 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 60_000 };
const PATH = '/usr/bin:/bin';
/** Closes its pipes, ignores signals and writes to its work folder endlessly. */
const SURVIVE = 'trap "" HUP INT TERM; exec </dev/null >/dev/null 2>&1; while :; do echo alive > beat; done';

for (const [method, needs] of [
  ['bubblewrap', 'bwrap'],
  ['unshare', 'unshare'],
] as const) {
  const found = [needs, 'setpriv', 'setsid', 'sh'].map((name) => findExecutable(name, PATH));
  const skip = found.includes(null) ? `needs ${needs}, setpriv and setsid` : false;
  describe(`a program in ${method} that tries to survive`, { skip }, () => {
    let root: string;
    before(async () => {
      root = await mkdtemp(join(tmpdir(), 'survivor-'));
    });
    after(() => rm(root, { recursive: true, force: true }));

    for (const end of ['is stopped', 'ends and leaves others'] as const) {
      // Only unshare lets a program start others.
      if (end === 'ends and leaves others' && method === 'bubblewrap') continue;
      it(`leaves nothing running when it ${end}`, async () => {
        const cwd = join(root, end);
        const marker = `survivor-${method}-${process.pid}`;
        const runner = await createProgramRunner({ methods: [method] });
        assert.equal(runner.sandbox.method, method);
        await runner.prepareWorkDir(cwd);
        const [, setpriv = '', setsid = '', sh = ''] = found.map((path) => path ?? '');
        // Bubblewrap's filter refuses a session of its own.
        const leave = method === 'bubblewrap' ? [] : end === 'is stopped' ? [setsid] : [setsid, '--fork'];
        const attack = ['--pdeathsig', 'clear', '--', ...leave];
        const controller = new AbortController();
        const run = runner.runProgram(setpriv, [...attack, sh, '-c', SURVIVE, marker], {
          ...{ cwd, limits: LIMITS, readOnly: [setsid, sh], signal: controller.signal },
        });
        let settled = false;
        const ended = run.then(
          () => 'done',
          (error) => `${error.reason} ${error.stderrTail}`,
        );
        void ended.then(() => (settled = true));
        while (!settled && !existsSync(join(cwd, 'beat'))) await pause(5);
        if (end === 'is stopped') controller.abort();
        assert.equal((await ended).trim(), end === 'is stopped' ? 'aborted' : 'done');
        assert.equal(await isRunning(marker), false);
      });
    }
  });
}
