import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MAX_CHARACTERS = 72;
const COMMITS = 50;
/** Subjects before this were not checked, and history is not rewritten. */
const SINCE = '2026-11-22T16:00:00Z';

/** Subjects of the latest commits that are too long; none without a history. */
export async function findLongSubjects(folder = '.', since = SINCE): Promise<string[]> {
  const log = ['log', `--max-count=${COMMITS}`, `--since=${since}`, '--format=%h %s'];
  try {
    const { stdout } = await promisify(execFile)('git', log, { cwd: folder });
    return longSubjects(stdout.split('\n').filter(Boolean));
  } catch {
    return []; // git is not installed, or this is not a clone
  }
}

/** Lines of hash and subject whose subject is too long. */
export function longSubjects(commits: readonly string[]): string[] {
  return commits.flatMap((commit) => {
    const at = commit.indexOf(' ');
    const length = [...commit.slice(at + 1)].length;
    return length > MAX_CHARACTERS ? [`${commit}: ${length} characters, ${MAX_CHARACTERS} at most`] : [];
  });
}
