import { readIsGenerated } from '../gen/is-generated.ts';
import { type CheckRequest, UsageError } from './arguments.ts';
import { readChange } from './change.ts';
import { readImportGraph } from './import-graph.ts';
import { testsReachedBy } from './reached-tests.ts';
import { findTests, isFull, type TestFile, testsBelow, testsNaming, testsOfPart } from './test-files.ts';

export interface Choice {
  readonly tests: readonly TestFile[];
  readonly areStaticWanted: boolean;
}

/**
 * The tests that the arguments select. Prints what was omitted when selecting by a change.
 * @throws UsageError for a path without tests.
 */
export async function chooseTests(request: CheckRequest): Promise<Choice> {
  const all = await findTests();
  const everyday = request.full ? all : all.filter((test) => !isFull(test));
  const chosen = request.changed
    ? await chooseChanged(request.changed.since, all, everyday)
    : chooseAsked(request, all, everyday);
  return request.name === null ? chosen : { ...chosen, tests: testsNaming(chosen.tests, request.name) };
}

function chooseAsked({ parts, paths }: CheckRequest, all: readonly TestFile[], everyday: readonly TestFile[]): Choice {
  const chosen = new Set<TestFile>();
  for (const part of ['unit', 'e2e'] as const)
    if (parts.has(part)) for (const test of testsOfPart(everyday, part)) chosen.add(test);
  for (const path of paths) {
    const found = all.filter(({ file }) => file === path);
    if (found.length === 0) found.push(...testsBelow(everyday, path));
    if (found.length === 0) throw new UsageError(`${path} is no test file and has none below it.`);
    for (const test of found) chosen.add(test);
  }
  return { tests: [...chosen], areStaticWanted: parts.has('static') };
}

async function chooseChanged(
  since: string | null,
  all: readonly TestFile[],
  everyday: readonly TestFile[],
): Promise<Choice> {
  const change = await readChange(since);
  const graph = await readImportGraph(process.cwd());
  const { reached, byWholeApi, journeys } = await testsReachedBy(change, graph, await readIsGenerated());
  const tests = all.filter((test) => journeys.has(test.file) || (reached.has(test.file) && everyday.includes(test)));
  console.log(
    `${change.files.length} files differ from ${change.base}: ${tests.length} test files, and the static checks`,
  );
  const left = everyday.filter(({ file }) => byWholeApi.has(file) && !reached.has(file)).length;
  if (left > 0) console.log(`${left} more reach it through the whole API or a browser only; npm test runs them.`);
  return { tests, areStaticWanted: change.files.length > 0 };
}
