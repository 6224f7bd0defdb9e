/**
 * `npm test`: every check, then every test; ends with the line `N passed, N failed`.
 * Arguments narrow it: `npm test -- unit`, `npm test -- e2e`, `npm test -- static`, or paths of test files.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startTestPostgres } from '../server/src/platform/db/testing.ts';
import { runStaticChecks } from './checks/static-checks.ts';
import { findTests, runTests, type Tally } from './checks/test-files.ts';

const wanted = process.argv.slice(2);
const wants = (part: string) => wanted.length === 0 || wanted.includes(part);
const paths = wanted.filter((argument) => argument.endsWith('.ts'));

const total: Tally = { passed: 0, failed: 0 };
const add = (tally: Tally) => {
  total.passed += tally.passed;
  total.failed += tally.failed;
};

if (wants('static')) add(await runStaticChecks());

const units = paths.length > 0 ? paths : wants('unit') ? await findTests(['server', 'scripts', 'web', 'bench', 'client', 'cli']) : [];
const journeys = wants('e2e') ? await findTests(['e2e']) : [];
if (units.length + journeys.length > 0) {
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-check-'));
  const server = await startTestPostgres(folder);
  // Every file is a process of its own and most load the whole server: what one has compiled serves the others.
  process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compiled');
  process.env.TEST_DATABASE_URL = server.url;
  try {
    add(await runTests(units, 2));
    add(await runTests(journeys, 2));
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
