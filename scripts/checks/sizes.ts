import { dirname } from 'node:path';
import { handwrittenFiles } from './handwritten-files.ts';

const CODE = 'ts,tsx,mjs,mts';
const MAX_LINES = 400;
const MAX_FILES = 30;

/** Files of code that are longer than 400 lines, one problem each. */
export async function findLongFiles(): Promise<string[]> {
  const problems: (string | null)[] = [];
  for await (const [file, text] of handwrittenFiles(CODE)) problems.push(longFile(file, text));
  return problems.filter((problem) => problem !== null).sort();
}

/** The problem of a file with too many lines; null for others. */
export function longFile(file: string, text: string): string | null {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines <= MAX_LINES ? null : `${file} has ${lines} lines, ${MAX_LINES} at most`;
}

/** Folders with more than 30 files of code, one problem each. */
export async function findFullFolders(): Promise<string[]> {
  const files: string[] = [];
  for await (const [file] of handwrittenFiles(CODE)) files.push(file);
  return fullFolders(files);
}

/** As {@link findFullFolders}, among these paths. */
export function fullFolders(files: readonly string[]): string[] {
  return Array.from(Map.groupBy(files, (file) => dirname(file)))
    .filter(([, members]) => members.length > MAX_FILES)
    .map(([folder, { length }]) => `${folder} has ${length} files, ${MAX_FILES} at most`)
    .sort();
}
