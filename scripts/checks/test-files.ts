import { glob, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

export interface Tally {
  passed: number;
  failed: number;
}

/** The longest the files of one process may take; real encodes and browser journeys are well below it. */
const PROCESS_TIMEOUT_MS = 300_000;
/** Files in one process: more save little, and end late. */
const GROUP_FILES = 8;
/** The longest all files may take: one that leaves something open would else keep the run for ever. */
const RUN_TIMEOUT_MS = 20 * 60_000;

/** All `*.test.ts` below the folders, the largest first: they take longest, and what is short fills up the end. */
export async function findTests(folders: readonly string[]): Promise<string[]> {
  return largestFirst((await readTests(folders)).map(({ file, text }) => ({ file, size: text.length })));
}

/**
 * The same, several of a folder in one file of `into` that imports them: to load the server takes most files longer than to run.
 * A file with hooks outside a suite, which would be everybody's, stays alone.
 */
export async function groupTests(folders: readonly string[], into: string): Promise<string[]> {
  const tests = await readTests(folders);
  const alone = tests.filter(({ text }) => /^(before|after)(Each)?\(/m.test(text));
  const groups = Map.groupBy(
    tests.filter((test) => !alone.includes(test)),
    ({ file }) => dirname(file).split('/').slice(0, 4).join('-'),
  );
  const found = alone.map(({ file, text }) => ({ file, size: text.length }));
  for (const [name, members] of groups) {
    for (let at = 0; at < members.length; at += GROUP_FILES) {
      const some = members.slice(at, at + GROUP_FILES);
      const file = join(into, `${name}-${at}.test.mjs`);
      await writeFile(file, some.map((member) => `import ${JSON.stringify(resolve(member.file))};\n`).join(''));
      found.push({ file, size: some.reduce((sum, { text }) => sum + text.length, 0) });
    }
  }
  return largestFirst(found);
}

interface TestFile {
  readonly file: string;
  readonly text: string;
}

async function readTests(folders: readonly string[]): Promise<TestFile[]> {
  const files: string[] = [];
  for (const folder of folders) {
    for await (const file of glob(`${folder}/**/*.test.ts`, { exclude: (name) => name === 'node_modules' || name === 'dist' }))
      files.push(file);
  }
  return Promise.all(files.sort().map(async (file) => ({ file, text: await readFile(file, 'utf8') })));
}

function largestFirst(files: readonly { file: string; size: number }[]): string[] {
  return files.toSorted((one, other) => other.size - one.size).map(({ file }) => file);
}

/** Runs each of the files in a process of its own and counts tests, not suites. A file that fails to load counts as failed. */
export async function runTests(files: readonly string[], concurrency: number): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  if (files.length === 0) return tally;
  const stream = run({
    files: [...files],
    concurrency,
    timeout: PROCESS_TIMEOUT_MS,
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
