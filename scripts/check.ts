/**
 * `npm test`: every check, then every test; ends with the line `N passed, N failed`. Arguments narrow it
 * (`checks/arguments.ts`): parts, files, folders, `changed`, `-t NAME`. `npm run test:full` adds what is too heavy for
 * every change.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestPostgres } from '../server/src/platform/db/testing.ts';
import { runStaticChecks } from './checks/static-checks.ts';
import { writePythonClient } from './gen/python/write-python.ts';
import { writeWebTypes } from './gen/web-files.ts';
import {
  buildWeb,
  ensureBrowser,
  ensureContainers,
  ensureDeployment,
  ensureEncoders,
  ensureProgram,
  ensureProxy,
  ensurePython,
  offerHeic,
  offerSandbox,
} from './prerequisites.mjs';
import { type CheckRequest, readArguments, UsageError } from './test-runner/arguments.ts';
import { type Choice, chooseTests } from './test-runner/choose-tests.ts';
import { Interruption } from './test-runner/interruption.ts';
import { printReport } from './test-runner/report.ts';
import { runTests, type Tally, type TestRun } from './test-runner/run-tests.ts';
import { groupTests, isFull, type TestFile, writeGroups } from './test-runner/test-files.ts';
import { keepTimes, knownTimes } from './test-runner/test-times.ts';

/** Test processes at a time: many tests wait, so four keep two cores busy. Three took 309 s instead of 254. */
const PROCESSES = 4;

const startedAt = performance.now();
const interruption = new Interruption();
const { request, tests, areStaticWanted } = await choose();
const total: Tally = { passed: 0, failed: 0 };
if (areStaticWanted) {
  await writeWebTypes();
  add(await runStaticChecks(interruption.signal));
}
await interruption.exitIfInterrupted();
const run = tests.length > 0 ? await runAll(tests) : null;
await interruption.exitIfInterrupted();
if (run) add(run);
if (run) printReport(run, request.slowest);
console.log(`${Math.round((performance.now() - startedAt) / 1000)} s`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

async function choose(): Promise<{ request: CheckRequest } & Choice> {
  try {
    const request = readArguments(process.argv.slice(2));
    return { request, ...(await chooseTests(request)) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return process.exit(2);
  }
}

function add({ passed, failed }: Tally): void {
  total.passed += passed;
  total.failed += failed;
}

/** Nothing was named that is to be tried in full. */
function isEverything({ paths, changed, name, full }: CheckRequest): boolean {
  return paths.length === 0 && changed === null && name === null && !full;
}

async function runAll(files: readonly TestFile[]): Promise<TestRun> {
  ensureProgram(process.env.FFMPEG_PATH ?? 'ffmpeg', 'ffmpeg');
  offerSandbox();
  offerHeic();
  ensureProgram('srt-live-transmit', 'srt-tools');
  if (files.some(({ file }) => file.startsWith('e2e/'))) {
    ensureBrowser();
    buildWeb();
  }
  if (files.some(({ file }) => file.startsWith('e2e/live/'))) ensureEncoders();
  if (files.some(({ file }) => file.endsWith('rolling-restart.full.test.ts'))) ensureProxy();
  if (files.some((test) => isFull(test) && test.file.startsWith('deploy/'))) ensureDeployment();
  if (files.some(({ file }) => file.startsWith('deploy/test/release/'))) ensureContainers();
  const ofPython = files.filter(({ file }) => file.startsWith('clients/python/'));
  if (ofPython.length > 0) {
    ensurePython({ full: ofPython.some(isFull) });
    await writePythonClient();
  }
  if (isEverything(request)) process.env.TEST_CASES = 'few';
  const folder = await mkdtemp(join(await roomForDatabases(), 'reelgraph-check-'));
  const temporary = await mkdtemp(join(tmpdir(), 'reelgraph-tests-'));
  await chmod(temporary, 0o1777); // tests start programs as other users
  const release = cleanUpAfterKill([folder, temporary]);
  process.env.TMPDIR = temporary;
  // Memory in huge pages: a hash of a password touches 32 MiB, which takes a virtual machine 0.15 s in small ones.
  process.env.GLIBC_TUNABLES ??= 'glibc.malloc.hugetlb=1';
  try {
    const server = await startTestPostgres(folder);
    process.env.TEST_DATABASE_URL = server.url;
    try {
      const groups = groupTests(files, await knownTimes(), PROCESSES);
      const { signal } = interruption;
      const result = await runTests(await writeGroups(groups, folder), PROCESSES, { name: request.name, signal });
      if (request.name === null && !signal.aborted) await keepTimes(result.took);
      return result;
    } finally {
      await server.stop();
    }
  } finally {
    // What killed programs were writing may still come.
    for (const left of [folder, temporary]) await rm(left, { recursive: true, force: true, maxRetries: 5 });
    release();
  }
}

/** Has processes ended and folders removed if this process is killed. Returns what ends that. */
function cleanUpAfterKill(folders: readonly string[]): () => void {
  if (!existsSync('/proc/self/environ')) return () => {};
  const program = join(import.meta.dirname, 'test-runner/after-kill.ts');
  const child = spawn(process.execPath, [program, ...folders], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  return () => child.stdin?.end('over');
}

/**
 * Memory where there is plenty: a database of a thousand files is created and dropped for nearly every test file, which
 * costs a disk four times as much.
 */
async function roomForDatabases(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => null);
  const bytes = memory ? Math.min(memory.bavail * memory.bsize, process.availableMemory()) : 0;
  return bytes > 8 * 1024 ** 3 ? '/dev/shm' : tmpdir();
}
