import { glob } from 'node:fs/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

export interface Tally {
  passed: number;
  failed: number;
}

/** The longest a single test may take; real encodes and browser journeys are well below it. */
const TEST_TIMEOUT_MS = 180_000;
/** The longest all files may take: one that leaves something open would else keep the run for ever. */
const RUN_TIMEOUT_MS = 20 * 60_000;

/** All `*.test.ts` below the folders, in a stable order. */
export async function findTests(folders: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const folder of folders) {
    for await (const file of glob(`${folder}/**/*.test.ts`, { exclude: (name) => name === 'node_modules' || name === 'dist' }))
      files.push(file);
  }
  return files.sort();
}

/** Runs each file in a process of its own and counts tests, not suites. A file that fails to load counts as failed. */
export async function runTests(files: readonly string[], concurrency: number): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  if (files.length === 0) return tally;
  const stream = run({
    files: [...files],
    concurrency,
    timeout: TEST_TIMEOUT_MS,
    isolation: 'process',
    signal: AbortSignal.timeout(RUN_TIMEOUT_MS),
  });
  stream.on('test:pass', ({ details, skip }) => {
    if (details.type !== 'suite' && skip === undefined) tally.passed += 1;
  });
  stream.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') tally.failed += 1;
  });
  const report = stream.compose(new spec());
  for await (const chunk of report) process.stdout.write(chunk as string); // the spec reporter yields text
  return tally;
}
