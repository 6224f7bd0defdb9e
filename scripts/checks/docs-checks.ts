import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { posix } from 'node:path';

const MARKDOWN = ['*.md', '{bench,cli,client,docs,e2e,player,scripts,server,sql-planner,web}/**/*.md'];
const DECISION = /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/;
const STATUS = /^\*\*Status\.\*\* (?:Accepted|Superseded by \[(\d{4})\]\([^)]+\))(?:, \d{4}-\d{2}-\d{2})?\.(?: .*)?$/m;
const MAX_COLUMNS = 120;

/** Problems of the Markdown files of the repository, one line each. */
export async function findDocProblems(): Promise<string[]> {
  const files = new Map<string, string>();
  for await (const file of glob(MARKDOWN, { exclude: (path) => path.endsWith('node_modules') })) {
    files.set(posix.normalize(file), await readFile(file, 'utf8'));
  }
  return [...decisionProblems(files), ...linkProblems(files, existsSync), ...lineProblems(files)];
}

/** Every decision has a status and a title with its number; the numbers begin at 1 and have no gaps. */
export function decisionProblems(files: ReadonlyMap<string, string>): string[] {
  const decisions = [...files]
    .filter(([file]) => file.startsWith('docs/decisions/'))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const numbers = new Set(decisions.map(([file]) => DECISION.exec(file)?.[1]));
  return decisions.flatMap(([file, text], index) => {
    const number = DECISION.exec(file)?.[1];
    if (number === undefined) return [`${file}: name it NNNN-some-words.md`];
    const expected = String(index + 1).padStart(4, '0');
    const status = STATUS.exec(text);
    return [
      ...(number === expected ? [] : [`${file}: the next number without a gap is ${expected}`]),
      ...(text.startsWith(`# ${Number(number)}. `) ? [] : [`${file}: begin with the title "# ${Number(number)}. …"`]),
      ...(status
        ? []
        : [`${file}: add a line "**Status.** Accepted, YYYY-MM-DD." or "**Status.** Superseded by [NNNN](…)."`]),
      ...(status?.[1] === undefined || numbers.has(status[1])
        ? []
        : [`${file}: superseded by ${status[1]}, which does not exist`]),
    ];
  });
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
