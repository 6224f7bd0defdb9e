import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../server/src/testing/until.ts';
import { kill, NpmStart } from '../support/npm-start.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Of an installation and a build. */
const LIMIT_MS = 300_000;

const clone = mkdtempSync(join(tmpdir(), 'reelgraph-clone-'));
const platform = new NpmStart(clone);
let apiKey = '';

/** A command that needs the development packages. */
function develop(): ChildProcess {
  return spawn('npm', ['run', 'build:client'], { cwd: clone, env: platform.env, detached: true, stdio: 'inherit' });
}

const folders = () => readdirSync(clone).filter((name) => name.startsWith('.node_modules-'));

before(async () => {
  execFileSync('bash', ['-c', 'git ls-files -z -co --exclude-standard | xargs -0 cp -P --parents -t "$0"', clone], {
    cwd: ROOT,
  });
  await platform.prepare();
  await platform.start(LIMIT_MS);
  apiKey = platform.createAccount('runner').apiKey;
});
after(async () => {
  await platform.remove();
  rmSync(clone, { recursive: true, force: true });
});

it('answers while a development command installs its packages', async () => {
  assert.equal(existsSync(join(clone, 'node_modules/@biomejs/biome')), false);
  const command = develop();
  const ended = once(command, 'exit');
  const answers: string[] = [];
  const isRunning = () => command.exitCode === null && command.signalCode === null;
  while (isRunning()) {
    answers.push(await platform.verify(apiKey));
    const docs = await fetch(`http://127.0.0.1:${platform.port}/docs/limits`);
    answers.push(docs.ok ? 'runner' : `status ${docs.status}`);
    await Promise.race([ended, sleep(100)]);
  }
  assert.equal(command.exitCode, 0);
  assert.ok(answers.length > 20, `${answers.length} answers`);
  assert.deepEqual(new Set(answers), new Set(['runner']));
  assert.ok(existsSync(join(clone, 'node_modules/@biomejs/biome')), 'the development packages are there');
  assert.deepEqual(folders(), []);
});

it('goes on where the installation is killed, and the next command repairs it', async () => {
  rmSync(join(clone, 'node_modules/.reelgraph-lock'));
  const killed = develop();
  await until(
    () => folders().length > 0,
    () => 'the installation does not begin',
    LIMIT_MS,
  );
  kill(-(killed.pid ?? 0), 'SIGKILL');
  await once(killed, 'exit');
  assert.equal(await platform.verify(apiKey), 'runner');
  assert.ok(existsSync(join(clone, 'node_modules/@biomejs/biome')), 'what was installed is there');
  const command = develop();
  const [status] = await once(command, 'exit');
  assert.equal(status, 0);
  assert.deepEqual(folders(), []);
  assert.equal(await platform.verify(apiKey), 'runner');
});
