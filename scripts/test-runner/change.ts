import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from './arguments.ts';

/** Differences between a revision and the working tree. */
export interface Change {
  readonly base: string;
  /** Files that were added, changed or removed, relative to the root of the repository. */
  readonly files: readonly string[];
  /** The lines of a file that were added or removed. */
  linesOf(file: string): Promise<string>;
  /** The line above each of its differences that begins a block, such as `type Query {`. */
  blocksOf(file: string): Promise<readonly string[]>;
}

const MAIN = 'main';

/**
 * The change since `since`, else since the branch left `main`; on `main` what is not committed. @throws UsageError for
 * an unknown revision.
 */
export async function readChange(since: string | null, cwd: string = process.cwd()): Promise<Change> {
  const base =
    since === null ? await branchPoint(cwd) : await git(cwd, 'rev-parse', '--verify', '--quiet', `${since}^{commit}`);
  if (base === '') throw new UsageError(`${since ?? MAIN} is no revision of this repository.`);
  const [differing, untracked] = await Promise.all([
    git(cwd, 'diff', '--name-only', '--no-renames', base),
    git(cwd, 'ls-files', '--others', '--exclude-standard'),
  ]);
  const isNew = new Set(linesIn(untracked));
  return {
    base: base.slice(0, 10),
    files: [...new Set([...linesIn(differing), ...isNew])].sort(),
    async linesOf(file) {
      if (isNew.has(file)) return readFile(join(cwd, file), 'utf8');
      const lines = linesIn(await git(cwd, 'diff', '-U0', base, '--', file));
      return lines.filter((line) => /^[+-](?![+-]{2} )/.test(line)).join('\n');
    },
    async blocksOf(file) {
      const lines = linesIn(await git(cwd, 'diff', '-U0', base, '--', file));
      return lines.flatMap((line) => /^@@ .* @@ (.+)/.exec(line)?.[1] ?? []);
    },
  };
}

async function branchPoint(cwd: string): Promise<string> {
  const head = await git(cwd, 'rev-parse', 'HEAD');
  return (await git(cwd, 'merge-base', MAIN, 'HEAD')) || head;
}

function linesIn(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Output of git; empty when it fails. */
async function git(cwd: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd, maxBuffer: 64 * 1024 ** 2 });
    return stdout.trim();
  } catch {
    return '';
  }
}
