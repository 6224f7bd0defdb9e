import { glob, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { GeneratedText } from './web-operations.ts';

const FOLDER = 'docs/decisions';
const TITLE = /^# \d+\. (.+)$/m;

/** The status line of a decision: its state, the number of the one that supersedes it, its date and its modules. */
export const DECISION_STATUS =
  /^\*\*Status\.\*\* (Accepted|Superseded by \[(\d{4})\]\([^)]+\)), (\d{4}-\d{2}-\d{2})\. \*\*Module\.\*\* ([a-z0-9-]+(?:, [a-z0-9-]+)*)\.$/m;

/** docs/decisions/README.md: every decision with its status and modules. */
export async function decisionsIndex(): Promise<GeneratedText> {
  const texts = new Map<string, string>();
  for await (const path of glob(`${FOLDER}/[0-9]*.md`)) texts.set(basename(path), await readFile(path, 'utf8'));
  return { path: `${FOLDER}/README.md`, text: decisionsPage(texts) };
}

/** The page of decisions, by file name. */
export function decisionsPage(decisions: ReadonlyMap<string, string>): string {
  const rows = [...decisions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, text]) => rowOf(file, text));
  return [
    '# Decisions',
    '',
    'Written by `npm run gen`. CONTRIBUTING.md says when something is a decision; how a module works is in its README.',
    '',
    '| number | title | status | module |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function rowOf(file: string, text: string): string {
  const [, title] = TITLE.exec(text) ?? [];
  const [, state, , date, modules] = DECISION_STATUS.exec(text) ?? [];
  if (title === undefined || state === undefined)
    throw new Error(
      `${FOLDER}/${file} needs a title "# N. …" and a line "**Status.** Accepted, YYYY-MM-DD. **Module.** ….".`,
    );
  return `| [${file.slice(0, 4)}](${file}) | ${title} | ${state}, ${date} | ${modules} |`;
}
