/**
 * `npm test`: every check, then every test; ends with the line `N passed, N failed`.
 * Arguments narrow it: `npm test -- unit`, `npm test -- e2e`, `npm test -- static`, or paths of test files.
 */
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestPostgres } from '../server/src/platform/db/testing.ts';
import { runStaticChecks } from './checks/static-checks.ts';
import { findTests, groupTests, runTests, type Tally } from './checks/test-files.ts';

const wanted = process.argv.slice(2);
const wants = (part: string) => wanted.length === 0 || wanted.includes(part);
const paths = wanted.filter((argument) => argument.endsWith('.ts'));

const total: Tally = { passed: 0, failed: 0 };
const add = (tally: Tally) => {
  total.passed += tally.passed;
  total.failed += tally.failed;
};

if (wants('static')) add(await runStaticChecks());

if (paths.length > 0 || wants('unit') || wants('e2e')) {
  const folder = await mkdtemp(join(await roomForDatabases(), 'reelgraph-check-'));
  const server = await startTestPostgres(folder);
  process.env.TEST_DATABASE_URL = server.url;
  try {
    if (paths.length > 0) add(await runTests(paths, 2));
    if (wants('unit'))
      add(await runTests(await groupTests(['server', 'scripts', 'web', 'bench', 'client', 'cli', 'sql-planner'], folder), 3));
    if (wants('e2e')) add(await runTests(await findTests(['e2e']), 3));
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

/** Memory where there is plenty: a database of a thousand files is made and dropped for nearly every test file, which costs a disk four times as much. */
async function roomForDatabases(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => null);
  const bytes = memory ? Math.min(memory.bavail * memory.bsize, process.availableMemory()) : 0;
  return bytes > 8 * 1024 ** 3 ? '/dev/shm' : tmpdir();
}
