import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { DECISION_STATUS } from '../gen/decisions.ts';

const MARKDOWN = ['*.md', '{bench,cli,clients,deploy,docs,e2e,scripts,server,packages,web}/**/*.md'];
const DECISION = /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/;
/** Folders in which a module of a decision lies. */
const MODULE_PARENTS = ['', 'packages/', 'server/', 'server/src/', 'server/src/domains/'];
const MAX_COLUMNS = 120;

/** Files that no one writes by hand; those of `docs/examples` have long lines of JSON. */
const EXCLUDED = /(^|\/)(node_modules|dist)$|^docs\/examples$/;

/** Problems of the Markdown files of the repository, one line each. */
export async function findDocProblems(): Promise<string[]> {
  const files = new Map<string, string>();
  for await (const file of glob(MARKDOWN, { exclude: (path) => EXCLUDED.test(path) })) {
    files.set(posix.normalize(file), await readFile(file, 'utf8'));
  }
  return [...decisionProblems(files, existsSync), ...linkProblems(files, existsSync), ...lineProblems(files)];
}

/**
 * Every decision has a number of its own, a title with it, and a status with modules: folders that exist, or
 * "repository".
 */
export function decisionProblems(files: ReadonlyMap<string, string>, exists: (path: string) => boolean): string[] {
  const decisions = [...files]
    .filter(([file]) => file.startsWith('docs/decisions/') && file !== 'docs/decisions/README.md')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const numbers = decisions.map(([file]) => DECISION.exec(file)?.[1]);
  return decisions.flatMap(([file, text], index) => {
    const number = numbers[index];
    if (number === undefined) return [`${file}: name it NNNN-some-words.md`];
    const isTaken = numbers.indexOf(number) !== index;
    return [
      ...(isTaken ? [`${file}: the number ${number} is that of another one, take the next free one`] : []),
      ...(text.startsWith(`# ${Number(number)}. `) ? [] : [`${file}: begin with the title "# ${Number(number)}. …"`]),
      ...statusProblems(text, numbers, exists).map((problem) => `${file}: ${problem}`),
    ];
  });
}

function statusProblems(
  text: string,
  numbers: readonly (string | undefined)[],
  exists: (path: string) => boolean,
): string[] {
  const [status, , successor, , modules = ''] = DECISION_STATUS.exec(text) ?? [];
  if (status === undefined)
    return ['add a line "**Status.** Accepted, YYYY-MM-DD. **Module.** NAME." or with "Superseded by [NNNN](…)"'];
  const unknown = modules
    .split(', ')
    .filter((name) => name !== 'repository' && !MODULE_PARENTS.some((parent) => exists(parent + name)));
  return [
    ...(successor === undefined || numbers.includes(successor)
      ? []
      : [`superseded by ${successor}, which does not exist`]),
    ...unknown.map((name) => `there is no module ${name}`),
  ];
}

/**
 * Relative links lead to files, and to headings, that exist. Pages that the server adds (/docs/…) are crawled by its
 * tests.
 */
export function linkProblems(files: ReadonlyMap<string, string>, exists: (path: string) => boolean): string[] {
  return [...files].flatMap(([file, text]) =>
    Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target)
      .filter((target) => !/^(?:[a-z]+:|\/)/.test(target))
      .flatMap((target) => {
        const [path = '', anchor] = target.split('#');
        const found = path === '' ? file : posix.join(posix.dirname(file), path);
        if (!exists(found)) return [`${file}: links to ${target}, which does not exist`];
        const linked = files.get(found);
        const missing = anchor !== undefined && linked !== undefined && !anchorsOf(linked).has(anchor);
        return missing ? [`${file}: links to ${target}, a heading that does not exist`] : [];
      }),
  );
}

/** Lines of at most 120 columns, except tables and lines with long addresses. */
export function lineProblems(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => {
      const columns = line.startsWith('|') ? 0 : [...line.replace(/https?:\/\/\S+|\]\(\S+\)/g, '')].length;
      return columns > MAX_COLUMNS ? [`${file}:${index + 1} has ${columns} columns, ${MAX_COLUMNS} at most`] : [];
    }),
  );
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^( *)```[\s\S]*?^\1```/gm, '').replace(/`[^`\n]*`/g, '');
}

/** The anchors of a file's headings, as GitHub makes them. */
function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.replace(/^( *)```[\s\S]*?^\1```/gm, '').matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    Array.from(headings, ([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  );
}
