import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The part of a package.json that is read here. */
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Folders of a package and of all that it depends on, as Node finds them from `folder`. Packages that are not
 * installed, such as those for other machines, are omitted.
 */
export function packagesOf(name: string, folder: string, found = new Set<string>()): string[] {
  const path = findPackage(name, folder);
  if (path === null || found.has(path)) return [...found];
  found.add(path);
  const real = realpathSync(path);
  // Every package has one.
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(real, 'package.json'), 'utf8'),
  ) as Manifest;
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
    packagesOf(dependency, real, found);
  return [...found];
}

/** The folder of a package, as Node finds it from `folder` ("Loading from node_modules folders"); null without one. */
export function findPackage(name: string, folder: string): string | null {
  const here = join(folder, 'node_modules', name);
  if (existsSync(here)) return here;
  return dirname(folder) === folder ? null : findPackage(name, dirname(folder));
}

/** Files of native code in a folder, which the sandbox needs by name to find their shared libraries. */
export function nativeAddons(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => (file.endsWith('.node') ? [join(folder, file)] : []));
}
