import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { findPackage } from '@reelgraph/sandbox';

/** A package in a node_modules folder. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression of its manifest; null where it has none. */
  readonly license: string | null;
  /** Absolute path. */
  readonly folder: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * The packages of others that the one in `root`/`workspace` needs in production, directly or through others, as Node
 * finds them; sorted by name. Our own packages are followed and not listed.
 */
export function reachedPackages(root: string, workspace: string): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  visit(realpathSync(join(root, workspace)), found, new Set());
  return [...found.values()].sort((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1));
}

function visit(folder: string, found: Map<string, InstalledPackage>, own: Set<string>): void {
  if (found.has(folder) || own.has(folder)) return;
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  if (folder.split('/').includes('node_modules')) found.set(folder, described(manifest, folder));
  else own.add(folder);
  for (const name of neededBy(manifest)) {
    const needed = findPackage(name, folder);
    if (needed !== null) visit(realpathSync(needed), found, own);
  }
}

/** Peers are needed unless they are optional. Those that are missing are for other machines. */
function neededBy(manifest: Manifest): string[] {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

function described({ name, version, license }: Manifest, folder: string): InstalledPackage {
  return { name, version, license: typeof license === 'object' ? license.type : (license ?? null), folder };
}
