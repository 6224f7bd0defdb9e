import { glob, readFile } from 'node:fs/promises';

/** `const NAME = sql('label', text)`: the text is a template, or literals that are added. */
const STATEMENT = /const (\w+) = sql\(\s*'\w+',\s*(`[^`]*`|'[^']*'(?:\s*\+\s*['`][^'`]*['`])*)/g;
const LOCKS = /\bfor (?:no key )?update\b(?:\s+of \w+)?(?!\s+skip)(?!\s+of)/;
const ASKS = /\(\s*select\b/;

/**
 * Statements that lock rows and ask other tables about them in a subquery, which PostgreSQL answers as of before the
 * lock was waited for; one problem for each that `firstLocked` does not run.
 */
export async function findStaleLocks(): Promise<string[]> {
  const problems: string[] = [];
  for await (const file of glob('server/src/**/*.store.ts'))
    problems.push(...staleLocks(file, await readFile(file, 'utf8')));
  return problems.sort();
}

/** Those of a file. */
export function staleLocks(file: string, text: string): string[] {
  const problems: string[] = [];
  for (const { 1: name = '', 2: statement = '', index } of text.matchAll(STATEMENT)) {
    const isLock = /^['`]\s*select\b/.test(statement) && LOCKS.test(statement) && ASKS.test(statement);
    const isSafe = new RegExp(`\\bfirstLocked(?:<[^;]*?>)?\\(\\w+, ${name}\\b`).test(text);
    if (!isLock || isSafe) continue;
    const line = text.slice(0, index).split('\n').length;
    problems.push(`${file}:${line} ${name} answers subqueries as of before its lock: run it with firstLocked`);
  }
  return problems;
}
