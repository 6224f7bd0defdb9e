import { basename, dirname, extname, join } from 'node:path';
import type { Change } from './change.ts';
import type { ImportGraph } from './import-graph.ts';
import { journeysThrough } from './journeys.ts';

export interface Reached {
  /** Paths of test files that a change can reach. */
  readonly reached: ReadonlySet<string>;
  /** Those that reach it only by opening the whole platform. */
  readonly byWholeApi: ReadonlySet<string>;
  /** Those of `reached` that are journeys through a changed page. */
  readonly journeys: ReadonlySet<string>;
}

const isTest = (file: string) => file.endsWith('.test.ts');
/**
 * Modules that put the whole platform together, and test helpers that open it: nearly every test reaches nearly every
 * module through them, so nothing could be chosen by what they import.
 */
const WHOLE_PLATFORM =
  /^server\/src\/(wiring|schema|main|admin|open-platform)\.ts$|^server\/src\/(roles|testing)\/|^server\/src\/(domains|platform|http|mcp|docs)\/.*testing\.ts$|^(e2e|bench)\//;
/** SQL, from which stores and declared fields read. */
const MIGRATION = /^server\/migrations\/.*\.sql$|^server\/src\/.*\.sql$/;
const DATA_ACCESS = /\.(store|sql|graphql)\.ts$|-source\.ts$/;

/**
 * The tests that a change can reach: those that import a changed file, however indirectly, but not through modules that
 * put the whole platform together; those beside a changed file, which open the platform to ask for what it does; and
 * the journeys through changed pages.
 */
export async function testsReachedBy(change: Pick<Change, 'files' | 'linesOf'>, graph: ImportGraph): Promise<Reached> {
  const reached = new Set<string>();
  const byWholeApi = new Set<string>();
  const journeys = new Set<string>();
  for (const file of change.files) {
    const asking = MIGRATION.test(file) ? askersOf(tablesIn(await change.linesOf(file)), graph) : [];
    const reading = graph.files.includes(file) ? [] : readersOf(file, graph);
    for (const start of [file, ...asking, ...reading]) {
      for (const importer of importersOf(start, graph, (each) => WHOLE_PLATFORM.test(each)))
        if (isTest(importer)) reached.add(importer);
      for (const importer of importersOf(start, graph, () => false)) if (isTest(importer)) byWholeApi.add(importer);
    }
    for (const start of [file, ...asking]) for (const test of testsBeside(start, graph)) reached.add(test);
    for (const journey of journeysThrough(file)) journeys.add(journey);
  }
  return { reached: new Set([...reached, ...journeys]), byWholeApi, journeys };
}

/** The modules whose SQL names one of the tables. */
function askersOf(tables: readonly string[], graph: ImportGraph): string[] {
  const named = new RegExp(`\\b(${tables.join('|')})\\b`);
  return tables.length === 0
    ? []
    : graph.files.filter((file) => DATA_ACCESS.test(file) && named.test(graph.textOf(file)));
}

const OF_CHECKS = /^scripts\/(checks|test-runner)\//;

/** The modules that read a file by its name, or else a folder around it. */
function readersOf(file: string, graph: ImportGraph): string[] {
  const modules = graph.files.filter((each) => !OF_CHECKS.test(each));
  const mentioning = (words: string) => modules.filter((each) => graph.textOf(each).includes(words));
  const byName = mentioning(basename(file));
  if (byName.length > 0) return byName;
  const folder = dirname(file);
  const byPath = modules.filter((each) =>
    foldersNamedIn(each, graph.textOf(each)).some((named) => folder === named || folder.startsWith(`${named}/`)),
  );
  return byPath.length > 0 ? byPath : mentioning(`/${basename(folder)}/`);
}

/** The folders that a module names by a path from its own, such as `'../tools'`. */
function foldersNamedIn(file: string, text: string): string[] {
  return [...text.matchAll(/['"`](\.\.?\/[\w./-]*)['"`]/g)]
    .map(([, path = '']) => join(dirname(file), path).replace(/\/$/, ''))
    .filter((path) => path.split('/').length > 2 && extname(path) === '');
}

/** Names of the tables that statements in this SQL are about. */
export function tablesIn(sql: string): string[] {
  const found = sql.matchAll(
    /\b(?:table(?: if (?:not )?exists)?|into|update|from|join|on)\s+(?:only\s+)?([a-z][a-z0-9_]{3,})\b/gi,
  );
  return [...new Set([...found].map(([, table = '']) => table.toLowerCase()))];
}

/** The file and its transitive importers, without those beyond a module in `ends`. */
function importersOf(file: string, graph: ImportGraph, ends: (file: string) => boolean): Set<string> {
  const found = new Set([file]);
  for (const each of found) {
    if (each !== file && !isTest(each) && ends(each)) continue;
    for (const importer of graph.importersOf(each)) found.add(importer);
  }
  return found;
}

/** Tests in the folder of a file and below it; where there are none, around it, as far as its domain or feature. */
function testsBeside(file: string, graph: ImportGraph): string[] {
  const parts = dirname(file).split('/');
  const least = parts[0] === 'server' ? 4 : 3; // server/src/domains/catalog, web/src/features; not for what lies higher
  for (let length = parts.length; length >= least || length === parts.length; length -= 1) {
    const folder = `${parts.slice(0, length).join('/')}/`;
    const found = graph.files.filter((each) => isTest(each) && each.startsWith(folder));
    if (found.length > 0) return found;
  }
  return [];
}
