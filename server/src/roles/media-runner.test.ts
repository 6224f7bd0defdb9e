import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { RunError, type SandboxStatus } from '../media/index.ts';
import { createLogger } from '../platform/log.ts';
import { sandboxHealth, whenUsable } from './media-runner.ts';

const log = createLogger({ level: 'silent' });
const protections = { files: true, network: true, processes: true, user: true, seccomp: true, limits: true };
const COMPLETE: SandboxStatus = { method: 'bubblewrap', protections, warnings: [] };
const INCOMPLETE: SandboxStatus = {
  method: 'unshare',
  protections: { ...protections, seccomp: false },
  warnings: [{ problem: 'NO_SECCOMP', detail: '' }],
};

/** A machine whose operator installs missing tools after some checks. */
class Machine {
  sandbox = INCOMPLETE;
  isUsable = false;
  looks = 0;
  readonly fixedAfter: number;

  constructor(fixedAfter: number) {
    this.fixedAfter = fixedAfter;
  }

  async recheck(): Promise<void> {
    this.looks += 1;
    if (this.looks < this.fixedAfter) return;
    this.sandbox = COMPLETE;
    this.isUsable = true;
  }
}

describe('media work with a required sandbox', () => {
  it('starts immediately if it is available', async () => {
    let starts = 0;
    const count = async () => {
      starts += 1;
    };
    const machine = new Machine(1);
    await machine.recheck();
    await (await whenUsable(machine, log, count)).stop();
    assert.deepEqual([starts, machine.looks], [1, 1]);
  });

  it('waits until it is available, and starts once', async () => {
    let starts = 0;
    const count = async () => {
      starts += 1;
    };
    const machine = new Machine(3);
    const waiting = await whenUsable(machine, log, count, 5);
    assert.equal(starts, 0);
    while (starts === 0) await pause(5);
    await waiting.stop();
    assert.deepEqual([starts, machine.looks], [1, 3]);
  });

  it('is retried on a busy machine, and starts once', async () => {
    let tries = 0;
    const busyTwice = async () => {
      tries += 1;
      if (tries <= 2) throw new RunError('busy', { tool: 'ffmpeg' });
    };
    const machine = new Machine(1);
    await machine.recheck();
    const waiting = await whenUsable(machine, log, busyTwice, 5);
    while (tries < 3) await pause(5);
    await waiting.stop();
    assert.equal(tries, 3);
  });

  it('fails at once when the tools are missing', async () => {
    const machine = new Machine(1);
    await machine.recheck();
    const missing = new RunError('missing-binary', { tool: 'ffmpeg' });
    await assert.rejects(
      whenUsable(machine, log, () => Promise.reject(missing), 5),
      missing,
    );
  });

  it('never starts after it was stopped', async () => {
    let starts = 0;
    const count = async () => {
      starts += 1;
    };
    const machine = new Machine(Number.POSITIVE_INFINITY);
    const waiting = await whenUsable(machine, log, count, 5);
    while (machine.looks < 2) await pause(5);
    await waiting.stop();
    assert.equal(starts, 0);
  });
});

describe('the reported state of the sandbox', () => {
  const noFilter = 'Media tools may make every system call: this machine allows no seccomp filter.';
  const cases: [status: SandboxStatus, isUsable: boolean, state: string, advice: string[]][] = [
    [COMPLETE, true, 'complete', []],
    [INCOMPLETE, true, 'incomplete', [noFilter]],
    [INCOMPLETE, false, 'refusing', [noFilter]],
    // Complete protection by another method does not satisfy `require`.
    [{ ...COMPLETE, method: 'unshare' }, false, 'refusing', []],
  ];
  for (const [sandbox, isUsable, state, advice] of cases) {
    it(`${sandbox.method}, ${isUsable ? 'used' : 'not used'}: ${state}`, () => {
      const { method, protections } = sandbox;
      const health = sandboxHealth({ sandbox, isUsable });
      const details = { ...health.details, advice: health.details.advice.map(String) };
      assert.deepEqual({ ...health, details }, { state, details: { method, protections, advice } });
    });
  }
});
