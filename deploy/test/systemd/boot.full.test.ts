import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../server/src/testing/until.ts';
import { DEPLOY } from '../proxies/examples.ts';

const READY = "fetch('http://127.0.0.1:4000/readyz').then(async (answer) => console.log(await answer.text()))";

describe('the platform as a service of systemd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-boot-'));
  let machine: ChildProcess;
  let output = '';

  before(async () => {
    const script = [join(import.meta.dirname, 'boot.sh'), join(DEPLOY, '..'), folder, 'reelgraph.service'];
    machine = spawn('unshare', ['--mount', 'bash', ...script], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [machine.stdout, machine.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    await untilReady();
  });
  after(async () => {
    if (machine.exitCode === null && machine.kill('SIGTERM')) await once(machine, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });

  it('starts, with the complete sandbox of the media tools', async () => {
    const sandboxOf = () => readiness()?.sandbox;
    await until(() => sandboxOf()?.state !== 'unknown');
    assert.deepEqual(sandboxOf(), {
      state: 'complete',
      method: 'bubblewrap',
      protections: { files: true, network: true, processes: true, user: true, seccomp: true, limits: true },
      advice: [],
    });
  });

  it('is started again when it is killed', async () => {
    inMachine('systemctl', 'kill', '--signal=KILL', 'reelgraph.service');
    await until(() => show('NRestarts') === '1');
    await untilReady();
  });

  it('ends without an error when systemd stops it', () => {
    inMachine('systemctl', 'stop', 'reelgraph.service');
    assert.deepEqual([show('ActiveState'), show('Result'), show('ExecMainStatus')], ['inactive', 'success', '0']);
  });

  function show(property: string): string {
    return inMachine('systemctl', 'show', '--value', '--property', property, 'reelgraph.service').trim();
  }

  async function untilReady(): Promise<void> {
    const complaint = () => `the service is not ready:\n${output}\n${JSON.stringify(readiness())}`;
    await until(() => readiness()?.status === 'ready', complaint);
  }

  /** What `/readyz` says; null while nothing answers. */
  function readiness(): { readonly status: string; readonly sandbox: { readonly state: string } } | null {
    if (machine.exitCode !== null) throw new Error(`The machine ended with ${machine.exitCode}: ${output}`);
    if (!existsSync(join(folder, 'pid'))) return null;
    try {
      return JSON.parse(inMachine('/opt/reelgraph/bin/node', '-e', READY));
    } catch {
      return null;
    }
  }

  /** The output of a program that runs beside the service. */
  function inMachine(...command: [string, ...string[]]): string {
    const pid = readFileSync(join(folder, 'pid'), 'utf8').trim();
    const enter = ['--target', pid, '--mount', '--net', '--pid', '--ipc', '--root', '--wd'];
    return execFileSync('nsenter', [...enter, ...command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  }
});
