import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { basename, posix } from 'node:path';

const FILES = [
  '*.{md,ts,mjs,cjs}',
  '.dependency-cruiser*.cjs',
  '{bench,cli,clients,deploy,docs,e2e,scripts,server,packages,web}/**/*.{md,ts,tsx,mts,mjs,cjs,sql}',
];
/** Generated and recorded text, and the tests of this check. */
const EXCLUDED =
  /node_modules|(^|\/)dist\/|\.gen\.ts$|\/generated\/|^docs\/(examples\/|versions\/changelog)|^server\/migrations\/releases\/|^scripts\/checks\/named-paths\.test\.ts$/;

const GAP = '[\\s*/-]';
const DECISIONS = new RegExp(
  `\\bADRs?${GAP}+(\\d{1,4}\\b(?:(?:,${GAP}*|,?${GAP}+(?:and|or)${GAP}+)\\d{3,4}\\b)*)`,
  'g',
);
const PATH = /(?<![\w./@:…-])(?:bench|cli|clients|deploy|docs|e2e|scripts|server|packages|web)\/[^\s`'"()|,;]*/g;
/** Parts that stand for others, and folders that builds make. */
const PLACEHOLDER = /[*…<>{}$[\]]|\.\.\.|NNNN|NAME|VERSION|(^|\/)(?:dist|node_modules)(?:\/|$)/;
/** Texts of code, which may contain what looks like a comment, and comments. */
const CODE = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)/g;
const SQL = /'(?:[^'])*'|(?<comment>--[^\n]*)/g;
const MARKDOWN = /`(?<comment>[^`\n]+)`/g;

/**
 * Names of things that do not exist, one problem each: decisions anywhere, paths of the repository in comments and, in
 * backticks, in Markdown.
 */
export async function findWrongNames(): Promise<string[]> {
  const decisions = new Set<string>();
  for await (const path of glob('docs/decisions/[0-9]*.md')) decisions.add(basename(path).slice(0, 4));
  const problems: string[] = [];
  for await (const path of glob(FILES, { exclude: (entry) => /(^|\/)(node_modules|dist)$/.test(entry) })) {
    const file = posix.normalize(path);
    if (!EXCLUDED.test(file)) problems.push(...wrongNames(file, await readFile(path, 'utf8'), decisions, existsSync));
  }
  return problems.sort();
}

/** As {@link findWrongNames}, in one text. */
export function wrongNames(
  file: string,
  text: string,
  decisions: ReadonlySet<string>,
  exists: (path: string) => boolean,
): string[] {
  const lineOf = (index: number) => text.slice(0, index).split('\n').length;
  const wrongDecisions = Array.from(text.matchAll(DECISIONS), ({ 1: numbers = '', index }) =>
    (numbers.match(/\d+/g) ?? [])
      .map((number) => number.padStart(4, '0'))
      .filter((number) => !decisions.has(number))
      .map((number) => `${file}:${lineOf(index)} names the decision ${number}, which does not exist`),
  );
  const wrongPaths = commentsOf(file, text).flatMap(({ comment, at }) =>
    Array.from(comment.matchAll(PATH), ({ 0: match, index }) => ({ path: pathIn(match), at: at + index }))
      .filter(({ path }) => !PLACEHOLDER.test(path) && !exists(path))
      .map(({ path, at }) => `${file}:${lineOf(at)} names ${path}, which does not exist`),
  );
  return [...wrongDecisions.flat(), ...wrongPaths];
}

function commentsOf(file: string, text: string): { comment: string; at: number }[] {
  const pattern = file.endsWith('.md') ? MARKDOWN : file.endsWith('.sql') ? SQL : CODE;
  return Array.from(text.matchAll(pattern), ({ 0: match, groups, index }) => {
    const comment = groups?.comment ?? '';
    return { comment, at: index + match.indexOf(comment) };
  });
}

/** Without what follows a path: a line, a heading, punctuation. */
function pathIn(match: string): string {
  return match.replace(/[:#].*$/, '').replace(/[./?!]+$/, '');
}
