import { run } from 'node:test';
import { spec } from 'node:test/reporters';

export interface Tally {
  passed: number;
  failed: number;
}

/** Results of the tests of some files. */
export interface TestRun extends Tally {
  /** Statements that declare a test: those in a loop declare one for each row of their table. */
  behaviours: number;
  /** How long each file took, in milliseconds, by its path. */
  readonly took: Map<string, number>;
}

/** Time limit of a test and of a suite; real encodes and browser journeys are well below it. */
const TEST_TIMEOUT_MS = 600_000;
/** Time limit of all files: `npm run test:full` takes more than an hour on slow machines. */
const RUN_TIMEOUT_MS = 4 * 60 * 60_000;

interface Ended {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly skip?: string | boolean | undefined;
  readonly details: {
    readonly type?: string | undefined;
    readonly duration_ms: number;
    readonly error?: object | undefined;
  };
}

/**
 * Runs each of the files from `writeGroups` in a separate process and counts tests, not suites. A file that does not
 * load and a hook that fails count as failed. `name` narrows it to tests of such a name; `signal` ends it.
 */
export async function runTests(
  files: readonly string[],
  concurrency: number,
  { name = null, signal }: { readonly name?: string | null; readonly signal?: AbortSignal } = {},
): Promise<TestRun> {
  const result: TestRun = { passed: 0, failed: 0, behaviours: 0, took: new Map() };
  if (files.length === 0 || signal?.aborted) return result;
  const stream = run({
    files: [...files],
    concurrency,
    timeout: TEST_TIMEOUT_MS,
    isolation: 'process',
    signal: AbortSignal.any([AbortSignal.timeout(RUN_TIMEOUT_MS), ...(signal ? [signal] : [])]),
    ...(name === null ? {} : { testNamePatterns: name }),
  });
  const places = new Set<string>();
  const note = (ended: Ended) => {
    if (ended.nesting === 0) result.took.set(ended.name, ended.details.duration_ms);
    if (ended.details.type !== 'suite' && ended.skip === undefined)
      places.add(`${ended.file}:${ended.line}:${ended.column}`);
  };
  stream.on('test:pass', (ended) => {
    if (files.includes(ended.name)) return; // a process in which nothing ran
    note(ended);
    if (ended.details.type !== 'suite' && ended.skip === undefined) result.passed += 1;
  });
  stream.on('test:fail', (ended) => {
    note(ended);
    if (ended.details.type !== 'suite' || !isOfParts(ended.details.error)) result.failed += 1;
  });
  const report = stream.compose(new spec());
  for await (const chunk of report) process.stdout.write(chunk as string); // the spec reporter yields text
  result.behaviours = places.size;
  return result;
}

/** Whether a suite failed because of tests in it, which were counted. */
function isOfParts(error: object | undefined): boolean {
  return error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed';
}
