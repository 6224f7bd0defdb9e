import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program that decodes images. */
export const DECODER_PROGRAM = fileURLToPath(new URL('./decoder-program.mjs', import.meta.url));
/** The program that converts animated images. */
export const ANIMATION_PROGRAM = fileURLToPath(new URL('./animation-program.mjs', import.meta.url));

/** Files that sharp reads to detect the C library. */
const LIBC_SCRIPT = '/usr/bin/ldd';

/**
 * Everything of the host that both programs read besides Node: themselves, and sharp with the packages it depends on.
 * Native modules are named too, so that the sandbox finds their shared libraries.
 */
export function decoderFiles(): string[] {
  const packages = packagesOf('sharp', dirname(DECODER_PROGRAM));
  const addons = packages.flatMap((folder) => nativeAddons(join(folder, 'lib')));
  return [DECODER_PROGRAM, ANIMATION_PROGRAM, ...packages, ...addons, LIBC_SCRIPT].filter((path) => existsSync(path));
}

/** The part of a package.json that is read here. */
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Folders of a package and of all that it depends on, as Node finds them from `folder`. Packages that are not
 * installed, such as those for other machines, are omitted.
 */
function packagesOf(name: string, folder: string, found = new Set<string>()): string[] {
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

/** node_modules of the folder, then of those above it (Node.js, "Loading from node_modules folders"). */
function findPackage(name: string, folder: string): string | null {
  const here = join(folder, 'node_modules', name);
  if (existsSync(here)) return here;
  return dirname(folder) === folder ? null : findPackage(name, dirname(folder));
}

function nativeAddons(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => (file.endsWith('.node') ? [join(folder, file)] : []));
}
