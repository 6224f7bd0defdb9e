import { execFile } from 'node:child_process';
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';

/** A part of the host's file system, seen under its own paths: real files and folders, and the links that lead to them. */
export interface HostFiles {
  /** Absolute paths without links; none lies below another. */
  readonly binds: readonly string[];
  /** Symbolic links, none of them below a bind: where they are and what they say. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

/** Every mount costs each start about a millisecond: a program with more libraries gets the folders they lie in. */
const MAX_SINGLE_LIBRARIES = 24;
/** Only folders of the system may be seen as a whole. */
const SYSTEM_FOLDER = /^\/(usr|lib|lib64|nix\/store)\//;
const MAX_LINKS = 40;

/**
 * What must be there so that all of `paths` (absolute) can be opened under their own names.
 * @throws the file system's error when one does not exist.
 */
export function hostFiles(paths: readonly string[]): HostFiles {
  const links = new Map<string, string>();
  const real = [...new Set(paths.map((path) => follow(path, links)))];
  const isBelow = (path: string, folder: string) => path !== folder && path.startsWith(folder === sep ? sep : folder + sep);
  const binds = real.filter((path) => !real.some((other) => isBelow(path, other))).sort();
  const kept = [...links].filter(([path]) => !binds.some((bind) => isBelow(path, bind)));
  return { binds, links: kept.map(([path, target]) => ({ path, target })) };
}

/** The folders above `paths`, the outer ones first, without the root. */
export function foldersAbove(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  const add = (folder: string) => {
    if (folder === sep || folders.has(folder)) return;
    add(dirname(folder));
    folders.add(folder);
  };
  for (const path of paths) add(dirname(path));
  return [...folders];
}

/** The path without links; what was followed is added to `links`. */
function follow(path: string, links: Map<string, string>): string {
  let followed = 0;
  const walk = (from: string, names: string[]): string => {
    const [name, ...rest] = names;
    if (name === undefined) return from;
    const here = join(from, name);
    if (!lstatSync(here).isSymbolicLink()) return walk(here, rest);
    followed += 1;
    if (followed > MAX_LINKS) throw new Error(`Too many symbolic links: ${path}`);
    const target = readlinkSync(here);
    links.set(here, target);
    return walk(sep, [...resolve(from, target).split(sep).filter(Boolean), ...rest]);
  };
  return walk(sep, resolve(path).split(sep).filter(Boolean));
}

/**
 * Paths of the shared libraries and the loader that a program needs, as the loader itself resolves them (ldd(1)); where they are very many, their
 * folders. Empty for a program that needs none.
 */
export async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ldd', [program]).catch(() => ({ stdout: '' }));
  const libraries = librariesIn(stdout);
  if (libraries.length <= MAX_SINGLE_LIBRARIES) return libraries;
  const { binds } = hostFiles(libraries);
  const folders = new Set(binds.filter((path) => SYSTEM_FOLDER.test(path)).map(dirname));
  return [...libraries, ...folders];
}

/** The absolute paths in what ldd prints: `libm.so.6 => /lib/libm.so.6 (0x…)` and `/lib64/ld-linux.so.2 (0x…)`. */
export function librariesIn(listing: string): string[] {
  return listing.split('\n').flatMap((line) => /^\s*(?:\S+ => )?(\/.*) \(0x[0-9a-f]+\)$/.exec(line)?.[1] ?? []);
}
