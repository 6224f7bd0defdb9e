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

/** The tests that walk the whole schema, and those of them that call every operation as other people. */
const OF_SCHEMA = /^server\/src\/schema\.[\w.-]+\.test\.ts$/;
const OF_CALLERS = /^server\/src\/schema\.(access|test-data|tokens|visibility)\.test\.ts$/;
const SCHEMA = 'schema.graphql';
const OPERATIONS = /^type (Query|Mutation|Subscription)\b/;

/**
 * The tests that a change can reach: those that import a changed file, however indirectly, but not through modules that
 * put the whole platform together; those beside a changed file, which open the platform to ask for what it does; and
 * the journeys through changed pages. A generated file follows from others, which have changed as well: it reaches only
 * the tests that read it themselves, and the schema those that walk it: as other people only where an operation or an
 * identifier changed.
 */
export async function testsReachedBy(
  change: Pick<Change, 'files' | 'linesOf' | 'blocksOf'>,
  graph: ImportGraph,
  isGenerated: (file: string) => boolean,
): Promise<Reached> {
  const reached = new Set<string>();
  const byWholeApi = new Set<string>();
  const journeys = new Set<string>();
  for (const file of change.files) {
    if (isGenerated(file)) {
      const reading = testsReading(file, graph);
      const isOfAll = file !== SCHEMA || (await concernsCallers(change));
      for (const test of reading) if (isOfAll || !OF_CALLERS.test(test)) reached.add(test);
      continue;
    }
    const isMigration = MIGRATION.test(file);
    const asking = isMigration ? askersOf(await change.linesOf(file), graph) : [];
    const reading = graph.files.includes(file) ? [] : readersOf(file, graph);
    // Every test with a database executes all migrations.
    if (isMigration) for (const test of testsOfModules(reading, graph)) reached.add(test);
    for (const start of [file, ...asking, ...(isMigration ? [] : reading)]) {
      for (const importer of importersOf(start, graph, (each) => WHOLE_PLATFORM.test(each)))
        if (isTest(importer)) reached.add(importer);
      for (const importer of importersOf(start, graph, () => false)) if (isTest(importer)) byWholeApi.add(importer);
    }
    for (const start of [file, ...asking]) for (const test of testsBeside(start, graph)) reached.add(test);
    for (const journey of journeysThrough(file)) journeys.add(journey);
  }
  return { reached: new Set([...reached, ...journeys]), byWholeApi, journeys };
}

/** Whether the schema changed in an operation, or in what takes or gives an identifier. */
async function concernsCallers(change: Pick<Change, 'linesOf' | 'blocksOf'>): Promise<boolean> {
  const lines = (await change.linesOf(SCHEMA)).split('\n');
  const changed = lines.map((line) => line.replace(/^[+-]/, ''));
  return [...changed, ...(await change.blocksOf(SCHEMA))].some((line) => OPERATIONS.test(line) || /\bDID\b/.test(line));
}

/** The tests that import a generated file or name it, and those that walk the schema if it is that. */
function testsReading(file: string, graph: ImportGraph): string[] {
  const importers = new Set(graph.importersOf(file));
  const isReading = (test: string) =>
    importers.has(test) || namesFile(test, graph.textOf(test), file) || (file === SCHEMA && OF_SCHEMA.test(test));
  return graph.files.filter((each) => isTest(each) && !OF_CHECKS.test(each) && isReading(each));
}

/** The tests among modules, and those that import one of the others themselves. */
function testsOfModules(modules: readonly string[], graph: ImportGraph): string[] {
  return modules.flatMap((file) => [file, ...graph.importersOf(file)]).filter(isTest);
}

/** Whether a test has the path of a file, from its own folder or from the root; `/name` is an address. */
function namesFile(test: string, text: string, file: string): boolean {
  const quoted = [...text.matchAll(/['"`]([\w./-]+)['"`]/g)].map(([, path = '']) => path);
  return quoted.some((path) => path === file || path === basename(file) || join(dirname(test), path) === file);
}

/** The modules that SQL concerns: those that name one of its tables, and where it only adds columns, one of these. */
function askersOf(sql: string, graph: ImportGraph): string[] {
  const words = [tablesIn(sql), columnsAddedBy(sql)].filter((names) => names !== null);
  if (words[0]?.length === 0) return [];
  const named = words.map((names) => new RegExp(`\\b(${names.join('|')})\\b`));
  return graph.files.filter(
    (file) => DATA_ACCESS.test(file) && named.every((pattern) => pattern.test(graph.textOf(file))),
  );
}

/** One column, and nothing behind it that could be another action. */
const ADDED_COLUMN =
  /^alter\s+table\s+(?:only\s+)?\w+\s+add\s+column\s+(?:if\s+not\s+exists\s+)?(\w+)(?!.*,\s*(?:add|drop|alter)\b)/is;
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

/** The columns that statements add; null for SQL that does anything else. */
export function columnsAddedBy(sql: string): string[] | null {
  const statements = sql
    .replace(/--.*/g, '')
    .replace(/^[+-]/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  const columns = statements.map((statement) => ADDED_COLUMN.exec(statement)?.[1]?.toLowerCase());
  return columns.length > 0 && columns.every((column) => column !== undefined) ? columns : null;
}

/** The file and its transitive importers, without those beyond a module in `ends`. */
function importersOf(file: string, graph: ImportGraph, ends: (file: string) => boolean): Set<string> {
  const found = new Set([file]);
  for (const each of found) {
    if (each !== file && !isTest(each) && ends(each)) continue;
    for (const importer of graph.importersOf(each)) if (!opensAnotherDomain(importer, each)) found.add(importer);
  }
  return found;
}

const DOMAIN = /^server\/src\/domains\/(\w+)\//;

/** Whether a fixture of one domain imports another one: it opens that for its tests, which are about their own. */
function opensAnotherDomain(importer: string, file: string): boolean {
  if (!/\.fixture\.ts$/.test(importer)) return false;
  const domain = DOMAIN.exec(importer)?.[1];
  return domain !== undefined && DOMAIN.exec(file) !== null && DOMAIN.exec(file)?.[1] !== domain;
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
