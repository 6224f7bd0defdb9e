import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Folders of the modules in the graph. */
export const SOURCE_FOLDERS = ['server', 'packages', 'scripts', 'bench', 'e2e', 'deploy', 'clients', 'cli', 'web'];

/** Imports at run time. Type imports are not included: the compiler checks them. */
export interface ImportGraph {
  readonly files: readonly string[];
  /** Direct importers of a file. */
  importersOf(file: string): readonly string[];
  /** Empty for a file that is not in the graph. */
  textOf(file: string): string;
}

interface Reexport {
  readonly file: string;
  readonly names: readonly string[];
}

const EXCLUDED = new Set(['node_modules', 'dist']);

/** Reads every module below the folders. Paths are relative to `root`, as in `server/src/main.ts`. */
export async function readImportGraph(root: string, folders: readonly string[] = SOURCE_FOLDERS): Promise<ImportGraph> {
  const files: string[] = [];
  for (const folder of folders) {
    for await (const file of glob(`${folder}/**/*.{ts,tsx,mts,mjs}`, {
      cwd: root,
      exclude: (name) => EXCLUDED.has(name),
    }))
      files.push(file);
  }
  const texts = new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const)),
  );
  return graphOf(texts);
}

/** The graph of modules given as texts. */
export function graphOf(texts: ReadonlyMap<string, string>): ImportGraph {
  const indexes = new Map<string, readonly Reexport[]>();
  for (const [file, text] of texts) if (isIndex(file)) indexes.set(file, reexportsOf(file, text));
  const importers = new Map<string, Set<string>>();
  const note = (imported: string, importer: string) => {
    if (texts.has(imported)) importers.set(imported, (importers.get(imported) ?? new Set()).add(importer));
  };
  for (const [file, text] of texts) {
    for (const { target, names } of importsOf(file, text)) {
      note(target, file);
      for (const source of names === null ? [] : sourcesOf(indexes, target, names)) note(source, file);
    }
  }
  return {
    files: [...texts.keys()],
    importersOf: (file) => [...(importers.get(file) ?? [])],
    textOf: (file) => texts.get(file) ?? '',
  };
}

const isIndex = (file: string) => file.endsWith('/index.ts');

interface Import {
  readonly target: string;
  /** Null for a module as a whole. */
  readonly names: readonly string[] | null;
}

const STATEMENT = /^\s*(import|export)\s+(?!type\s)(?:([^'"`;()]*?)\s+from\s+)?['"](\.[^'"]+|@reelgraph\/[\w-]+)['"]/gm;
const DYNAMIC = /\b(?:import\(|new URL\()\s*['"](\.[^'"]+)['"]/g;

/** Libraries that others import by name. */
const LIBRARY = /^@reelgraph\/([\w-]+)$/;

/** The module that a file imports under this path. */
function targetOf(file: string, path: string): string {
  const [, library] = LIBRARY.exec(path) ?? [];
  return library === undefined ? join(dirname(file), path) : `packages/${library}/src/index.ts`;
}

function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  for (const [, keyword, clause, path = ''] of text.matchAll(STATEMENT)) {
    // Re-exports of an index do not belong to it: importers of a name depend on the module that declares it.
    if (keyword === 'export' && isIndex(file)) continue;
    found.push({ target: targetOf(file, path), names: namesIn(clause) });
  }
  for (const [, path = ''] of text.matchAll(DYNAMIC)) found.push({ target: join(dirname(file), path), names: null });
  return found;
}

/** The imported values in braces; null for anything but a list of names. */
function namesIn(clause: string | undefined): readonly string[] | null {
  const list = /^\{([\s\S]*)\}$/.exec(clause?.trim() ?? '')?.[1];
  return list === undefined ? null : namesOf(list).map((name) => name.split(/\s+as\s+/)[0] ?? name);
}

function namesOf(list: string): string[] {
  const names = list.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '' && !name.startsWith('type '));
}

function reexportsOf(file: string, text: string): Reexport[] {
  return [...text.matchAll(/^export\s+(?!type\s)\{([^}]*)\}\s+from\s+['"](\.[^'"]+|@reelgraph\/[\w-]+)['"]/gm)].map(
    ([, list = '', path = '']) => ({
      file: targetOf(file, path),
      names: namesOf(list).map((name) => name.split(/\s+as\s+/).at(-1) ?? name),
    }),
  );
}

/** The modules behind an index that have these names, through any number of indexes. */
function sourcesOf(
  indexes: ReadonlyMap<string, readonly Reexport[]>,
  target: string,
  names: readonly string[],
): string[] {
  return names.flatMap((name) => {
    const source = indexes.get(target)?.find((each) => each.names.includes(name))?.file;
    return source === undefined ? [] : [source, ...sourcesOf(indexes, source, [name])];
  });
}
