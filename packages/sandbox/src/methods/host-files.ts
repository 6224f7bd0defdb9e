import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { SandboxedCommand } from '../core/sandbox.ts';
import { runProgram } from '../core/spawn-program.ts';

/**
 * A part of the host's file system, seen under its own paths: real files and folders, and the links that lead to them.
 */
export interface HostFiles {
  /** Absolute paths without links; none lies below another. */
  readonly binds: readonly string[];
  /** Symbolic links, none of them below a bind: their paths and their targets. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

/** The host files of a command. */
export interface CommandFiles extends HostFiles {
  /** Shared libraries of its program. */
  readonly libraries: readonly string[];
}

/** Mounts slow down each start: a program with more libraries gets their folders. */
const MAX_SINGLE_LIBRARIES = 24;
/** Only system folders may be visible as a whole. */
const SYSTEM_FOLDER = /^\/(usr|lib|lib64|nix\/store)\//;
const MAX_LINKS = 40;

/**
 * The files, folders and links needed to open all of `paths` (absolute).
 * @throws the file system's error when one does not exist.
 */
export function hostFiles(paths: readonly string[]): HostFiles {
  const links = new Map<string, string>();
  const real = [...new Set(paths.map((path) => follow(path, links)))];
  const isBelow = (path: string, folder: string) =>
    path !== folder && path.startsWith(folder === sep ? sep : folder + sep);
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

/** Host files for downloads: all programs, host names, certificates. */
const NETWORK_FILES = [
  ...['/usr', '/bin', '/lib', '/lib64', '/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime', '/etc/python3'],
  ...[
    '/etc/hosts',
    '/etc/nsswitch.conf',
    '/etc/resolv.conf',
    '/etc/gai.conf',
    '/etc/ssl',
    '/etc/pki',
    '/etc/ca-certificates',
  ],
];
const SHARED_OBJECT = /\.(node|so(\.[0-9.]+)?)$/;

/**
 * Host files that commands see read-only, without inputs: the program, what starts it (`launchers`), the shared
 * libraries of all of them, and `readOnly`. Found once for each program; `forget` when it may have changed.
 */
export class HostFilesCache {
  readonly #launchers: readonly string[];
  readonly #maxSingleLibraries: number;
  readonly #found = new Map<string, Promise<CommandFiles>>();

  constructor(launchers: readonly string[], maxSingleLibraries = MAX_SINGLE_LIBRARIES) {
    this.#launchers = launchers;
    this.#maxSingleLibraries = maxSingleLibraries;
  }

  get(command: Pick<SandboxedCommand, 'program' | 'readOnly' | 'network'>): Promise<CommandFiles> {
    const key = JSON.stringify([command.program, command.network, command.readOnly]);
    const found = this.#found.get(key) ?? this.#find(command);
    this.#found.set(key, found);
    found.catch(() => this.#found.delete(key));
    return found;
  }

  forget(): void {
    this.#found.clear();
    linked.clear();
  }

  async #find({
    program,
    readOnly,
    network,
  }: Pick<SandboxedCommand, 'program' | 'readOnly' | 'network'>): Promise<CommandFiles> {
    const programs = [...this.#launchers, program];
    const libraries = await librariesOf(
      [...programs, ...readOnly.filter((path) => SHARED_OBJECT.test(path))],
      this.#maxSingleLibraries,
    );
    const optional = network ? NETWORK_FILES : ['/etc/ld.so.cache'];
    const [own = []] = await linkedLibraries([program]);
    return {
      ...hostFiles([...programs, ...libraries, ...readOnly, ...optional.filter((path) => existsSync(path))]),
      libraries: own,
    };
  }
}

/**
 * Paths of the shared libraries and the loader that programs need, as the loader itself resolves them (ldd(1)); where
 * they are very many, their folders too. Empty for programs that need none.
 */
async function librariesOf(programs: readonly string[], maxSingle: number): Promise<string[]> {
  const libraries = [...new Set((await linkedLibraries(programs)).flat())];
  if (libraries.length <= maxSingle) return libraries;
  const folders = new Set(
    hostFiles(libraries)
      .binds.filter((path) => SYSTEM_FOLDER.test(path))
      .map((path) => dirname(path)),
  );
  return [...libraries, ...folders];
}

/** Libraries of programs, by path and version of the program, for all sandboxes of the process: ldd is slow. */
const linked = new Map<string, Promise<string[]>>();

/** The libraries of each program. One ldd lists those of all that are new. */
async function linkedLibraries(programs: readonly string[]): Promise<string[][]> {
  const keys = await Promise.all(
    programs.map(async (program) => {
      const { ino, mtimeMs } = await stat(program);
      return JSON.stringify([program, ino, mtimeMs]);
    }),
  );
  const fresh = new Map(programs.map((program, at) => [keys[at] ?? '', program] as const));
  for (const key of linked.keys()) fresh.delete(key);
  if (fresh.size > 0) {
    const listed = listLibraries([...fresh.values()]);
    for (const [key, program] of fresh)
      linked.set(
        key,
        listed.then((libraries) => libraries.get(program) ?? []),
      );
  }
  return Promise.all(keys.map((key) => linked.get(key) ?? []));
}

/** By program; none for what is not dynamically linked, where ldd fails after it has listed the others. */
async function listLibraries(programs: readonly string[]): Promise<Map<string, string[]>> {
  const listing = await runLdd(programs);
  if (programs.length === 1) return new Map(programs.map((program) => [program, librariesIn(listing)]));
  // Each program is a heading: `/usr/bin/ffmpeg:`.
  const parts = listing.split(/^(\/.*):\n/m).slice(1);
  return new Map(programs.map((program) => [program, librariesIn(parts[parts.indexOf(program) + 1] ?? '')]));
}

/** Runs ldd in a session of its own: Ctrl-C, which ends the caller in order, reaches it only as it starts. */
async function runLdd(programs: readonly string[], attempts = 3): Promise<string> {
  const { stdout, signal } = await runProgram('setsid', ['ldd', ...programs]).catch(() => ({
    stdout: '',
    signal: null,
  }));
  return signal !== null && attempts > 1 ? runLdd(programs, attempts - 1) : stdout;
}

/** The absolute paths in what ldd prints: `libm.so.6 => /lib/libm.so.6 (0x…)` and `/lib64/ld-linux.so.2 (0x…)`. */
export function librariesIn(listing: string): string[] {
  return listing.split('\n').flatMap((line) => /^\s*(?:\S+ => )?(\/.*) \(0x[0-9a-f]+\)$/.exec(line)?.[1] ?? []);
}
