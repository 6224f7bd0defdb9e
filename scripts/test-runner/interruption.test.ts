import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { isAlive } from '../../server/src/platform/db/local/postgres-process.ts';
import { until } from '../../server/src/testing/until.ts';
import { CHECK_FLAGS } from '../node-flags.mjs';
import { casesOf } from './cases.ts';

/** A test that starts a process, says where everything is, and does not end. */
const HANGING = `import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
test('hangs', async () => {
  const { pid } = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
  const folders = [process.argv[1] + '/..', mkdtempSync(tmpdir() + '/of-a-test-')];
  const facts = { pids: [process.pid, pid], folders, url: process.env.TEST_DATABASE_URL };
  writeFileSync('facts.json', JSON.stringify(facts));
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
`;

interface Facts {
  readonly pids: readonly number[];
  /** Of the runner and of the test. */
  readonly folders: readonly string[];
  readonly url: string;
}

describe('checks that are interrupted', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-interrupted-'));
    await mkdir(join(folder, 'some'));
    await writeFile(join(folder, 'some/hanging.test.ts'), HANGING);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Runs the checks in the folder until its test hangs. */
  async function hanging(): Promise<{ checks: ChildProcess; facts: Facts }> {
    const file = join(folder, 'facts.json');
    await rm(file, { force: true });
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const program = join(import.meta.dirname, '../check.ts');
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
    const checks = spawn(process.execPath, [...CHECK_FLAGS, program, 'some/hanging.test.ts'], {
      ...{ cwd: folder, env, stdio: [...stdio] },
    });
    await until(
      async () => {
        assert.equal(checks.exitCode, null, 'the checks ended by themselves');
        return (await readFile(file, 'utf8').catch(() => '')).endsWith('}');
      },
      'no test hangs',
      60_000,
    );
    return { checks, facts: JSON.parse(await readFile(file, 'utf8')) };
  }

  async function isServing(url: string): Promise<boolean> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  }

  const endings = [
    ['by SIGTERM', (checks: ChildProcess) => checks.kill('SIGTERM'), 143],
    ['by SIGINT', (checks: ChildProcess) => checks.kill('SIGINT'), 130],
    ['by the end of the program above', (checks: ChildProcess) => checks.disconnect(), 129],
  ] as const;
  for (const [what, end, status] of casesOf(endings, 1))
    test(`${what} leave no process, no PostgreSQL and no folder`, async () => {
      const { checks, facts } = await hanging();
      assert.ok(await isServing(facts.url));
      assert.deepEqual(
        facts.folders.map((path) => existsSync(resolve(path))),
        [true, true],
      );
      const exit = once(checks, 'exit');
      end(checks);
      assert.deepEqual(await exit, [status, null]);
      assert.deepEqual(facts.pids.map(isAlive), [false, false]);
      assert.equal(await isServing(facts.url), false);
      assert.deepEqual(
        facts.folders.map((path) => existsSync(resolve(path))),
        [false, false],
      );
    });

  test('by SIGKILL have the same ended by another process', async () => {
    const { checks, facts } = await hanging();
    checks.kill('SIGKILL');
    const isClean = async () =>
      !facts.pids.some(isAlive) &&
      !(await isServing(facts.url)) &&
      !facts.folders.some((path) => existsSync(resolve(path)));
    await until(isClean, 'processes or folders are left', 30_000);
  });
});
