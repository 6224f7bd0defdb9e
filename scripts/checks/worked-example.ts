import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { promisify } from 'node:util';

/** The table of the example, and the commit it describes. */
interface Example {
  readonly subject: string;
  readonly paths: readonly string[];
}

/** What CONTRIBUTING.md says about the commit of its example and is not so; nothing without a whole history. */
export async function findExampleProblems(folder = '.'): Promise<string[]> {
  const { subject, paths } = exampleOf(await readFile(join(folder, 'CONTRIBUTING.md'), 'utf8'));
  try {
    if ((await git(folder, 'rev-parse', '--is-shallow-repository')) === 'true') return [];
    const log = await git(folder, 'log', '--fixed-strings', `--grep=${subject}`, '--format=%H %s');
    const commit = log.split('\n').find((line) => line.slice(line.indexOf(' ') + 1) === subject);
    if (!commit) return [`CONTRIBUTING.md names the commit "${subject}", which does not exist`];
    const files = await git(folder, 'show', '--no-renames', '--name-only', '--format=', commit.split(' ')[0] ?? '');
    return differences(paths, files.split('\n'));
  } catch {
    return []; // git is not installed, or this is not a clone
  }
}

/** The example of a text: the commit in quotation marks and the paths of the table behind it. */
export function exampleOf(markdown: string): Example {
  const [named, subject] = /Example: [^"]{1,80}in the commit "([^"]+)"/.exec(markdown) ?? [];
  if (!named || !subject) throw new Error('CONTRIBUTING.md has no example with a commit');
  const [table = ''] = /\n\|(?:.*\n\|)*.*/.exec(markdown.slice(markdown.indexOf(named))) ?? [];
  const paths = Array.from(table.matchAll(/`([^`]+\/[^`]+|schema\.graphql)`/g), ([, path = '']) => path);
  return { subject: subject.replaceAll(/\s+/g, ' '), paths };
}

/** Paths of the table that the commit does not change, and files of the commit that are not in the table. */
export function differences(paths: readonly string[], files: readonly string[]): string[] {
  const patterns = paths.map((path) => path.replace('NNNN', '[0-9][0-9][0-9][0-9]'));
  return [
    ...paths
      .filter((_, index) => !files.some((file) => matchesGlob(file, patterns[index] ?? '')))
      .map((path) => `CONTRIBUTING.md lists ${path}, which the commit of its example does not change`),
    ...files
      .filter((file) => !patterns.some((pattern) => matchesGlob(file, pattern)))
      .map((file) => `CONTRIBUTING.md does not list ${file}, which the commit of its example changes`),
  ];
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)('git', args, { cwd })).stdout.trim();
}
