import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface TestFile {
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly text: string;
}

/** Files that one process runs, one after the other. */
export type TestGroup = readonly TestFile[];

/** About how long the files of a process take together: less loads the server more often, more ends late. */
const GROUP_MS = 70_000;
/** As many groups for each place at most, also where a slow or busy machine made the last run long. */
const MOST_ROUNDS = 3;
/**
 * Files that share a platform, by what they call for it, and the processes they are spread over: each has a platform.
 */
const SHARING = [
  { call: '= sharedStage(', processes: 2 },
  { call: '= sharedTestPlatform(', processes: 1 },
  { call: '\nuseFuzzPlatform(', processes: 1 },
];

/**
 * A file that changes what belongs to its process, or meets a library that does, says so in a comment and stays alone.
 */
const isAlone = ({ file, text }: TestFile) => isJourney(file) || /^\/\/ Runs alone: /m.test(text);
/** Tests too heavy for every change: `npm run test:full` runs them, too. */
export const isFull = ({ file }: Pick<TestFile, 'file'>) => file.endsWith('.full.test.ts');
const isJourney = (file: string) => file.startsWith('e2e/');

/** All `*.test.ts` of the repository. */
export async function findTests(): Promise<TestFile[]> {
  const files: string[] = [];
  for await (const file of glob('*/**/*.test.ts', { exclude: (name) => name === 'node_modules' || name === 'dist' }))
    files.push(file);
  return Promise.all(files.sort().map(async (file) => ({ file, text: await readFile(file, 'utf8') })));
}

/** Those of a part of the checks. */
export function testsOfPart(tests: readonly TestFile[], part: 'unit' | 'e2e'): TestFile[] {
  return tests.filter(({ file }) => isJourney(file) === (part === 'e2e'));
}

/** Those at or below a path. */
export function testsBelow(tests: readonly TestFile[], path: string): TestFile[] {
  return tests.filter(({ file }) => path === '.' || file === path || file.startsWith(`${path}/`));
}

/**
 * Those that can have a test of this name: where a file has it in its text, only such files; everything where none has,
 * since loops generate names, too.
 */
export function testsNaming(tests: readonly TestFile[], name: string): TestFile[] {
  const found = tests.filter(({ text }) => text.includes(name));
  return found.length > 0 ? found : [...tests];
}

/**
 * Puts files that may share a process together, and begins with those that take longest. Loading the server takes most
 * files longer than to run: as few processes as keep all places busy and end in time. Files that share a platform are
 * spread over a few; other journeys stay alone. `took` is how long files took before, `places` how many processes run
 * at a time.
 */
export function groupTests(tests: readonly TestFile[], took: ReadonlyMap<string, number>, places: number): TestGroup[] {
  const msOf = ({ file, text }: TestFile) => took.get(file) ?? text.length * (isJourney(file) ? 4 : 0.4);
  const kindOf = (test: TestFile) =>
    SHARING.find(({ call }) => test.text.includes(call)) ?? (isAlone(test) ? test.file : 'any');
  return [...Map.groupBy(tests, kindOf)]
    .flatMap(([kind, members]) => {
      if (kind !== 'any') return deal(members, Array(typeof kind === 'string' ? 1 : kind.processes).fill(1), msOf);
      const wanted = Math.min(Math.ceil(sumOf(members, msOf) / GROUP_MS), places * MOST_ROUNDS);
      const groups = deal(members, sharesOf(Math.max(wanted, places), places), msOf);
      // Files that take long wait often: they do not begin at the same time in all groups.
      return groups.map((files, n) => (n % 2 === 0 ? files : files.toReversed()));
    })
    .toSorted((one, other) => sumOf(other, msOf) - sumOf(one, msOf));
}

/** Groups of the last round are half as long: files take more or less time than before, and places would be idle. */
const sharesOf = (groups: number, places: number): number[] =>
  Array.from({ length: groups }, (_, n) => (n >= Math.max(places, groups - places) ? 0.5 : 1));

/** Deals files out, those that take longest first, to groups that take as long as their `shares`; omits empty ones. */
function deal(tests: readonly TestFile[], shares: readonly number[], msOf: (test: TestFile) => number): TestFile[][] {
  const parts = shares.map((share) => ({ share, ms: 0, files: [] as TestFile[] }));
  for (const test of tests.toSorted((one, other) => msOf(other) - msOf(one))) {
    const shortest = parts.reduce((one, other) => (other.ms / other.share < one.ms / one.share ? other : one));
    shortest.files.push(test);
    shortest.ms += msOf(test);
  }
  return parts.map(({ files }) => files).filter((files) => files.length > 0);
}

function sumOf(group: TestGroup, msOf: (test: TestFile) => number): number {
  return group.reduce((sum, test) => sum + msOf(test), 0);
}

/** How long a process may stay after its last test: sockets and connection pools close within seconds. */
const MAX_EXIT_MS = 30_000;

const RUN_GROUP = import.meta.resolve('./test-group.ts');

/** Writes one file for each group into `folder`, which runs its members in suites of their own (`test-group.ts`). */
export async function writeGroups(
  groups: readonly TestGroup[],
  folder: string,
  maxExitMs = MAX_EXIT_MS,
): Promise<string[]> {
  return Promise.all(
    groups.map(async (group, index) => {
      const path = join(folder, `group-${index}.test.mjs`);
      const files = JSON.stringify(group.map(({ file }) => file));
      await writeFile(path, `import { runGroup } from '${RUN_GROUP}';\nrunGroup(${files}, ${maxExitMs});\n`);
      return path;
    }),
  );
}
